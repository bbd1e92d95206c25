package chromium

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"errand/host/browser/transfer"
	"errand/planner/message"
)

// A scratch folder has the files of one running browser. It is deleted with the browser:
//
//	<dir>/errand-browser-123456/
//	    owner      the current user as a [Holder]; locked while that process lives
//	    output     a pipe for the browser's output, open in each of its processes
//	    data/      Chromium's --user-data-dir, unless a named profile is used
//	    crashes/   of its crash handler
//	    cache/     of loaded resources
//	    downloads/ unfinished downloads
//	    uploads/   copies of uploaded files
//	    temporary  the path of its folder for temporary files
//	    unfinished the paths of files that are not at their destination yet
//
// The folder is in use while the owner's lock is held or the pipe has a writer. Until then
// nothing else in it may be removed; see [openOwner] and [endUsersOf].
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

// newScratch creates a folder in dir and locks it.
func newScratch(dir string) (*scratch, error) {
	if dir == "" {
		return nil, message.Error("browser.make_profile_no_folder")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, message.Error("browser.make_profile", "cause", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, message.Error("browser.make_profile", "cause", err)
	}
	s := &scratch{}
	for range 100 { // a sweep may remove the folder before it has an owner
		if s.path, err = os.MkdirTemp(dir, scratchPrefix); err != nil {
			break
		}
		if s.owner, err = openOwner(s.path); !errors.Is(err, errInUse) && !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, message.Error("browser.make_profile", "cause", err)
	}
	if err := errors.Join(writeHolder(s.owner, time.Now()), s.makeTemporary()); err != nil {
		return nil, errors.Join(message.Error("browser.make_profile", "cause", err), s.remove())
	}
	return s, nil
}

func (s *scratch) data() string { return filepath.Join(s.path, dataName) }

// remove deletes the folder and then releases the lock.
func (s *scratch) remove() error {
	return errors.Join(removeScratch(s.path), s.owner.Close())
}

// removeScratch deletes an unused scratch folder and the files that its notes name. If one
// of those can't be removed, the folder and its notes remain for the next sweep, without
// the profile.
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
	return message.Error("browser.remove_profile", "cause", err)
}

// Sweep removes the scratch folders in dir whose owner is dead. It ends the processes that
// still use such a folder, waits for them, and removes the folder with the files in its
// notes. Call it when the program starts; several programs may do so concurrently. A
// missing dir is not an error. Sweep never removes named profiles; see [Profiles.Sweep].
//
// It takes a few milliseconds, and up to 10 s if processes end slowly. If the processes of
// a folder have not ended by that time, the folder remains for the next sweep and Sweep
// returns an error.
func Sweep(dir string) (removed int, err error) {
	return sweep(dir, time.Now().Add(endTimeout))
}

func sweep(dir string, deadline time.Time) (removed int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, message.Error("browser.sweep_profiles", "cause", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, message.Error("browser.sweep_profiles", "cause", err)
	}
	var errs []error
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		done, err := sweepOne(filepath.Join(dir, e.Name()), deadline)
		if done {
			removed++
		}
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

func sweepOne(path string, deadline time.Time) (removed bool, err error) {
	owner, err := openOwner(path)
	switch {
	case errors.Is(err, errInUse), errors.Is(err, os.ErrNotExist):
		return false, nil // in use, or being removed by another sweep
	case err != nil:
		return false, message.Error("browser.sweep_profile", "cause", err)
	}
	defer owner.Close()
	if !endUsers(path, deadline) {
		return false, message.Error("browser.sweep_in_use", "path", path)
	}
	err = removeScratch(path)
	return err == nil, err
}

// makeTemporary creates a folder for the browser's temporary files. It is in the system's
// temporary folder, because Chromium creates a socket in it whose path must be short. Its
// path is noted before it is created, so that a sweep finds it.
func (s *scratch) makeTemporary() error {
	name := temporaryPrefix + strings.ToLower(rand.Text()[:8])
	err := message.Error("browser.no_temporary_folder")
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

// The maximum length of a socket path (sockaddr_un has 108 bytes on Linux, 104 elsewhere),
// and the name that Chromium appends to the folder.
const (
	maxSocketPath = 103
	socketName    = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
)

// removeTemporary removes the temporary files of the browser with this scratch folder.
func removeTemporary(scratch string) error {
	b, err := os.ReadFile(filepath.Join(scratch, temporaryName))
	if path := string(b); err == nil && filepath.IsAbs(path) && strings.HasPrefix(filepath.Base(path), temporaryPrefix) {
		return removeAll(path)
	}
	return nil // it was not created yet
}
