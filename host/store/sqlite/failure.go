package sqlite

import (
	"strconv"
	"sync"
)

// isCarriedOut reports whether the program that owns a claim or a run still
// executes it.
func (s *Store) isCarriedOut(owner, name string) bool {
	return s.leases.isHeld(owner) && !(s.leases.isOwn(owner) && s.failures.has(name))
}

// failures are the claims and runs whose end this program could not write. The
// program is alive but no longer executes them.
type failures struct {
	mu    sync.Mutex
	names map[string]bool
}

func claimKey(key, runID, stepID string) string {
	return "claim " + strconv.Quote(key) + runID + " " + stepID
}

func runKey(runID string) string { return "run " + runID }

func (f *failures) has(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.names[name]
}

func (f *failures) add(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names == nil {
		f.names = map[string]bool{}
	}
	f.names[name] = true
}

// remove deletes a name and reports whether it existed.
func (f *failures) remove(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.names[name]
	delete(f.names, name)
	return was
}
