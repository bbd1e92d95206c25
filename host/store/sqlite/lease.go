package sqlite

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// leases say which programs are alive. A program takes one lease and marks its runs
// and drafts with the lease's id; a lease ends with its program, however that ends.
//
// On one machine a lease is a locked file, which the system unlocks when the program
// ends. Unlike a process id another process can't take it over, and unlike a time it
// needs no renewal.
type leases struct {
	dir string // of the lock files

	mu  sync.Mutex
	own *lease // of this program; nil before the first run
}

type lease struct {
	id   string
	file *os.File
}

// take is the id of this program's lease. The first call removes the leases of
// programs that died.
func (l *leases) take() (id string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own != nil {
		return l.own.id, nil
	}
	if l.own, err = newLease(l.dir); err != nil {
		return "", err
	}
	_ = l.sweep() // what stays is swept another time
	return l.own.id, nil
}

// release ends this program's lease.
func (l *leases) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own == nil {
		return nil
	}
	f := l.own.file
	l.own = nil
	return errors.Join(removeOpen(f), f.Close())
}

// isOwn says whether id is this program's lease.
func (l *leases) isOwn(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.own != nil && l.own.id == id
}

// isHeld says whether the program of a lease is alive. Where the system can't tell, it
// is: a run that seems to go on is the smaller mistake.
func (l *leases) isHeld(id string) bool {
	if l.isOwn(id) {
		return true
	}
	f, err := os.Open(filepath.Join(l.dir, id+".lock"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	free, err := tryLock(f, false) // shared, so that two programs that look at once don't take each other for the owner
	return err != nil || !free
}

// sweep removes the lock files of programs that died.
func (l *leases) sweep() error {
	entries, err := os.ReadDir(l.dir)
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
		if err := sweepLease(filepath.Join(l.dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sweepLease removes a free lock file while it holds the lock. A program that has just
// made the file, and not locked it yet, then finds it gone and makes another.
func sweepLease(path string) error {
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

// newLease makes and locks a new file. A sweep may find the file before it is locked;
// then the next name is tried.
func newLease(dir string) (*lease, error) {
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
			return &lease{id, f}, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("lock a file in %q: each was taken", filepath.Dir(dir))
}

// isAt says whether f is still the file at path.
func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(opened, named)
}
