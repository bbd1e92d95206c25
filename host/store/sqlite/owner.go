package sqlite

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// owner is this program's mark on its runs: a lock file that the system
// unlocks when the program ends, however it ends. Unlike a process id it can't
// be taken over by another process and needs no heartbeat.
type owner struct {
	id   string
	file *os.File
}

// newOwner makes and locks a file that nobody else has. A sweep may find the
// file in the moment before it is locked; then the next name is tried.
func newOwner(dir string) (*owner, error) {
	dir = filepath.Join(dir, ownerDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for range 10 {
		id := strings.ToLower(rand.Text())
		path := filepath.Join(dir, id+".lock")
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		locked, err := tryLock(f, true)
		if err == nil && locked && isAt(f, path) {
			return &owner{id, f}, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("lock a file in %q: each was taken", dir)
}

// isAt reports whether f is still the file at path.
func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(opened, named)
}

func (o *owner) release() error {
	return errors.Join(removeOpen(o.file), o.file.Close())
}

// ensureOwner is the owner of the runs that this store begins. The first run
// removes what programs that died have left.
func (s *Store) ensureOwner() (string, error) {
	id, first, err := s.takeOwner()
	if first {
		_ = s.sweepOwners() // what stays is swept another time
	}
	return id, err
}

func (s *Store) takeOwner() (id string, first bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owner != nil {
		return s.owner.id, false, nil
	}
	if s.owner, err = newOwner(s.dir); err != nil {
		return "", false, err
	}
	return s.owner.id, true, nil
}

// owns reports whether id is this store's mark.
func (s *Store) owns(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owner != nil && s.owner.id == id
}

// alive reports whether the program that owns id is still there. Where the
// system can't tell, it is taken to be: a run that seems to go on is the
// smaller mistake.
func (s *Store) alive(id string) bool {
	if s.owns(id) {
		return true
	}
	f, err := os.Open(filepath.Join(s.dir, ownerDir, id+".lock"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	free, err := tryLock(f, false) // shared: two that look at once don't take each other for the owner
	return err != nil || !free
}

// sweepOwners removes the lock files of programs that died.
func (s *Store) sweepOwners() error {
	dir := filepath.Join(s.dir, ownerDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			continue
		}
		if err := sweepOwner(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sweepOwner removes a lock file that nobody holds, while holding it: a program
// that has just made it, and not locked it yet, then finds it gone and makes
// another.
func sweepOwner(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	free, err := tryLock(f, true)
	if err != nil || !free {
		return err
	}
	return os.Remove(path)
}
