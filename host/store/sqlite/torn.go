package sqlite

import (
	"strconv"
	"sync"
)

// carries reports whether the program that owns a claim or a run still carries
// it out.
func (s *Store) carries(owner, name string) bool {
	return s.alive(owner) && !(s.owns(owner) && s.torn.has(name))
}

// torn are the claims and runs whose end this program could not write down:
// although it lives, it carries them out no more.
type torn struct {
	mu    sync.Mutex
	names map[string]bool
}

func tornClaim(key, runID, stepID string) string {
	return "claim " + strconv.Quote(key) + runID + " " + stepID
}

func tornRun(runID string) string { return "run " + runID }

func (t *torn) has(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names[name]
}

func (t *torn) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.names == nil {
		t.names = map[string]bool{}
	}
	t.names[name] = true
}

// remove reports whether the name was there.
func (t *torn) remove(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.names[name]
	delete(t.names, name)
	return was
}
