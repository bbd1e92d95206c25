package sqlite

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"errand/planner/message"
)

// leases record which programs are alive. A program takes one lease and stores its
// id in its runs and drafts. The lease ends when the program ends, even in a
// crash.
//
// A lease is a locked file, which the system unlocks when the program ends. Unlike
// a process id, it can't be reused by another process. Unlike an expiry time, it
// needs no renewal.
type leases struct {
	dir string // folder of the lock files

	mu      sync.Mutex
	current *lease // this program's lease; nil before the first run
}

type lease struct {
	id   string
	file *os.File
}

// take returns the id of this program's lease. The first call deletes the leases
// of dead programs.
func (l *leases) take() (id string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current != nil {
		return l.current.id, nil
	}
	if l.current, err = newLease(l.dir); err != nil {
		return "", err
	}
	_ = l.sweep() // a later sweep retries
	return l.current.id, nil
}

// release ends this program's lease.
func (l *leases) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil
	}
	f := l.current.file
	l.current = nil
	return errors.Join(removeOpen(f), f.Close())
}

// isOwn reports whether id is this program's lease.
func (l *leases) isOwn(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current != nil && l.current.id == id
}

// isHeld reports whether the program of a lease is alive. It returns true if the
// system can't tell, because wrongly treating a run as dead is worse.
func (l *leases) isHeld(id string) bool {
	if l.isOwn(id) {
		return true
	}
	f, err := os.Open(filepath.Join(l.dir, id+".lock"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	free, err := tryLock(f, false) // shared, so that two concurrent checks don't exclude each other
	return err != nil || !free
}

// sweep deletes the lock files of dead programs.
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

// sweepLease deletes an unlocked file while it holds the lock. A program that has
// created the file but not locked it yet notices that and creates another.
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

// newLease creates and locks a new file. If a sweep deletes the file before it is
// locked, newLease tries the next name.
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
	return nil, message.Error("store.no_free_lease", "dir", filepath.Dir(dir))
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
