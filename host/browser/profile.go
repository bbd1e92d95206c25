package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A profile is the folder of one browser:
//
//	<dir>/errand-browser-123456/
//	    owner      the program's process id; locked for as long as it lives
//	    data/      Chromium's --user-data-dir
//
// The lock, which the system lets go when the owner dies, says whether the
// folder is in use; the id is there for people.
const (
	profilePrefix = "errand-browser-"
	ownerName     = "owner"
	dataName      = "data"
)

// newborn is how long a folder without a lock counts as being made right now.
const newborn = time.Minute

type profile struct {
	path  string // of the whole folder
	owner *os.File
}

// newProfile makes a folder below dir and takes its lock.
func newProfile(dir string) (*profile, error) {
	if dir == "" {
		return nil, errors.New("make browser profile: no folder for profiles is given")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("make browser profile: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make browser profile: %w", err)
	}
	path, err := os.MkdirTemp(dir, profilePrefix)
	if err != nil {
		return nil, fmt.Errorf("make browser profile: %w", err)
	}
	p := &profile{path: path}
	if err := p.claim(); err != nil {
		return nil, errors.Join(fmt.Errorf("make browser profile: %w", err), os.RemoveAll(path))
	}
	return p, nil
}

func (p *profile) claim() error {
	if err := writePreferences(p.data()); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(p.path, ownerName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := lock(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if _, err := f.WriteString(strconv.Itoa(os.Getpid()) + "\n"); err != nil {
		return errors.Join(err, f.Close())
	}
	p.owner = f
	return nil
}

func (p *profile) data() string { return filepath.Join(p.path, dataName) }

// remove deletes the folder and lets go of the lock. A process that is just
// ending may still write into it, hence the second and third attempt.
func (p *profile) remove() error {
	err := removeAll(p.path)
	if p.owner != nil {
		_ = p.owner.Close() // its file is gone; closing only frees the descriptor
		p.owner = nil
	}
	return err
}

func removeAll(path string) error {
	var err error
	for range 5 {
		if err = os.RemoveAll(path); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("remove browser profile: %w", err)
}

// Sweep removes the profiles below dir whose owner is dead, and ends the
// processes that still use them. It belongs at the start of a program; several
// programs may do it at once. A dir that does not exist is swept.
func Sweep(dir string) (removed int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, fmt.Errorf("sweep browser profiles: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, fmt.Errorf("sweep browser profiles: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), profilePrefix) {
			continue
		}
		swept, err := sweepOne(filepath.Join(dir, e.Name()))
		if swept {
			removed++
		}
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

func sweepOne(path string) (swept bool, err error) {
	f, err := os.OpenFile(filepath.Join(path, ownerName), os.O_RDWR, 0)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if info, statErr := os.Stat(path); statErr != nil || time.Since(info.ModTime()) < newborn {
			return false, nil // being made, or being removed by another
		}
	case err != nil:
		return false, fmt.Errorf("sweep browser profile: %w", err)
	default:
		defer f.Close()
		if lock(f) != nil {
			return false, nil // its owner lives
		}
	}
	for range 10 {
		if killUsersOf(path) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond) // SIGKILL is not instant
	}
	if err := removeAll(path); err != nil {
		return false, err
	}
	return true, nil
}
