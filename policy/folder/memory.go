// Package folder reads paths, and keeps what was read of folders while one question is
// decided.
package folder

import "sync"

// Memory keeps what was read of folders for one question, so that a question with several
// rules, or one that is asked again for an explanation, reads a folder once. It never notices
// a change: use one for a single question. It is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	known map[walkKey]*walked
	// shared has the answers of FindShared.
	shared map[walkKey]map[string][]string
}

type walkKey struct {
	folder string
	follow bool
}

// walked is what one walk visited.
type walked struct {
	paths   []string
	isWhole bool // not stopped by its visitor
	all     bool // what the walk returned
}

// Walk is walk(folder, follow, visit), from memory where an earlier walk is enough. A nil
// Memory keeps nothing.
func (m *Memory) Walk(walk func(string, bool, func(string) bool) bool, folder string, follow bool, visit func(path string) bool) bool {
	if m == nil {
		return walk(folder, follow, visit)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := walkKey{folder, follow}
	if w := m.known[key]; w != nil {
		for _, p := range w.paths {
			if visit(p) {
				return true
			}
		}
		if w.isWhole {
			return w.all
		}
	}
	w := &walked{isWhole: true}
	w.all = walk(folder, follow, func(path string) bool {
		w.paths = append(w.paths, path)
		w.isWhole = !visit(path)
		return !w.isWhole
	})
	if m.known == nil {
		m.known = map[walkKey]*walked{}
	}
	m.known[key] = w
	return w.all
}
