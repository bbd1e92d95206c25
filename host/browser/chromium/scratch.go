package chromium

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"errand/host/browser/transfer"
)

// A scratch folder is what one browser leaves on the disk while it runs, and
// all that is thrown away with it:
//
//	<dir>/errand-browser-123456/
//	    owner      who uses it, as a [Holder]; locked for as long as that lives
//	    output     what its browser says: a pipe that each of its processes has open
//	    data/      Chromium's --user-data-dir, unless a named profile is used
//	    crashes/   of its crash handler
//	    cache/     of what it loaded
//	    downloads/ what is under way
//	    uploads/   what pages were given
//	    temporary  where its temporary files are
//	    unfinished what was not yet put in its place
//
// The folder is in use while the owner's lock is held or the pipe has a writer.
// Nothing else may be removed in it before; see [openOwner] and [endUsersOf].
const (
	scratchPrefix = "errand-browser-"
	dataName      = "data"

	temporaryName   = "temporary"
	temporaryPrefix = "errand-tmp-"
)

type scratch struct {
	path      string // of the whole folder
	temporary string
	owner     *os.File
}

// newScratch makes a folder below dir and takes its lock.
func newScratch(dir string) (*scratch, error) {
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
	s := &scratch{}
	for range 100 { // a sweep may take the folder before it has an owner
		if s.path, err = os.MkdirTemp(dir, scratchPrefix); err != nil {
			break
		}
		if s.owner, err = openOwner(s.path); !errors.Is(err, errInUse) && !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("make browser profile: %w", err)
	}
	if err := errors.Join(writeHolder(s.owner, time.Now()), s.makeTemporary()); err != nil {
		return nil, errors.Join(fmt.Errorf("make browser profile: %w", err), s.remove())
	}
	return s, nil
}

func (s *scratch) data() string { return filepath.Join(s.path, dataName) }

// remove deletes the folder and then lets go of the lock.
func (s *scratch) remove() error {
	return errors.Join(removeScratch(s.path), s.owner.Close())
}

// removeScratch deletes a scratch folder that is not in use, and the files elsewhere
// that are noted in it. While one of those can't be removed, the
// folder and its notes stay for the next sweep, without the profile.
func removeScratch(path string) error {
	if err := errors.Join(transfer.RemoveUnfinished(path), removeTemporary(path)); err != nil {
		return errors.Join(err, removeAll(filepath.Join(path, dataName)))
	}
	return removeAll(path)
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

// Sweep removes what browsers below dir left behind whose owner is dead: it ends
// the processes that still use such a folder, waits until they have ended, and
// then removes the folder with all that it notes. It belongs at the start of a
// program; several programs may do it at once. A dir that does not exist is
// swept. Named profiles are never removed; see [Profiles.Sweep].
//
// It takes some milliseconds, and up to 10 s if processes take long to end. If
// the processes of a folder have not ended then, it stays for the next sweep and
// the error says so.
func Sweep(dir string) (removed int, err error) {
	return sweep(dir, time.Now().Add(endTimeout))
}

func sweep(dir string, deadline time.Time) (removed int, err error) {
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
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		swept, err := sweepOne(filepath.Join(dir, e.Name()), deadline)
		if swept {
			removed++
		}
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

func sweepOne(path string, deadline time.Time) (swept bool, err error) {
	owner, err := openOwner(path)
	switch {
	case errors.Is(err, errInUse), errors.Is(err, os.ErrNotExist):
		return false, nil // it is in use, or another sweep removes it
	case err != nil:
		return false, fmt.Errorf("sweep browser profile: %w", err)
	}
	defer owner.Close()
	if !endUsers(path, deadline) {
		return false, fmt.Errorf("sweep browser profile: a process still uses %s", path)
	}
	err = removeScratch(path)
	return err == nil, err
}

// makeTemporary makes the browser a folder for temporary files of its own. It is
// among the system's, because Chromium has a socket in it whose path may not be
// long, and its path is noted before it is made, so that a sweep finds it.
func (s *scratch) makeTemporary() error {
	name := temporaryPrefix + strings.ToLower(rand.Text()[:8])
	err := errors.New("there is no place for temporary files")
	for _, base := range []string{os.TempDir(), os.Getenv("XDG_RUNTIME_DIR"), "/tmp", "/var/tmp"} {
		path := filepath.Join(base, name)
		if !filepath.IsAbs(base) || len(path)+len(socketName) > maxSocketPath {
			continue
		}
		if err = os.WriteFile(filepath.Join(s.path, temporaryName), []byte(path), 0o600); err != nil {
			return err
		}
		if err = os.Mkdir(path, 0o700); err == nil {
			s.temporary = path
			return nil
		}
	}
	return err
}

// The longest path of a socket (sockaddr_un on Linux has 108 bytes for it and its
// end, elsewhere 104), and what Chromium puts behind the folder.
const (
	maxSocketPath = 103
	socketName    = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
)

// removeTemporary removes the temporary files of the browser with this scratch
// folder.
func removeTemporary(scratch string) error {
	b, err := os.ReadFile(filepath.Join(scratch, temporaryName))
	if path := string(b); err == nil && filepath.IsAbs(path) && strings.HasPrefix(filepath.Base(path), temporaryPrefix) {
		return removeAll(path)
	}
	return nil // it had none yet
}
