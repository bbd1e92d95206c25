package browser

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A scratch folder is what one browser leaves on the disk while it runs, and
// all that is thrown away with it:
//
//	<dir>/errand-browser-123456/
//	    owner      the program's process id; locked for as long as it lives
//	    data/      Chromium's --user-data-dir, unless a named profile is used
//	    crashes/   of its crash handler
//	    cache/     of what it loaded
//	    downloads/ what is under way
//	    uploads/   what pages were given
//	    temporary  where its temporary files are
//	    unfinished what was not yet put in its place
//
// The lock, which the system lets go when the owner dies, says whether the
// folder is in use; the id is there for people.
const (
	scratchPrefix = "errand-browser-"
	ownerName     = "owner"
	dataName      = "data"

	temporaryName   = "temporary"
	temporaryPrefix = "errand-tmp-"
)

// newborn is how long a folder without a lock counts as being made right now.
const newborn = time.Minute

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
	path, err := os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return nil, fmt.Errorf("make browser profile: %w", err)
	}
	s := &scratch{path: path}
	if err := s.claim(); err != nil {
		return nil, errors.Join(fmt.Errorf("make browser profile: %w", err), s.remove())
	}
	return s, nil
}

func (s *scratch) claim() error {
	f, err := os.OpenFile(filepath.Join(s.path, ownerName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := lock(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if _, err := f.WriteString(strconv.Itoa(os.Getpid()) + "\n"); err != nil {
		return errors.Join(err, f.Close())
	}
	s.owner = f
	return s.makeTemporary()
}

func (s *scratch) data() string { return filepath.Join(s.path, dataName) }

// remove deletes the folder and lets go of the lock. A process that is just
// ending may still write into it, hence the second and third attempt.
func (s *scratch) remove() error {
	err := errors.Join(removeUnfinished(s.path), removeTemporary(s.path), removeAll(s.path))
	if s.owner != nil {
		_ = s.owner.Close() // its file is gone; closing only frees the descriptor
		s.owner = nil
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

// Sweep removes what browsers below dir left behind whose owner is dead: their
// throw-away profiles, what they had downloaded in part, and the processes that
// still use them. It belongs at the start of a program; several programs may do
// it at once. A dir that does not exist is swept. Named profiles are never
// removed; see [Profiles.Sweep].
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
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
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
	endUsersOf(path)
	if err := errors.Join(removeUnfinished(path), removeTemporary(path), removeAll(path)); err != nil {
		return false, err
	}
	return true, nil
}

// makeTemporary makes the browser a folder for temporary files of its own. It is
// among the system's, because Chromium has a socket in it whose path may not be
// long, and is noted here before it is made, so that whoever sweeps finds it.
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

// endUsersOf kills the processes on a folder until there are none.
func endUsersOf(path string) {
	for range 10 {
		if killUsersOf(path) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond) // SIGKILL is not instant
	}
}
