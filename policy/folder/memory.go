// Package folder reads paths, and caches what was read of folders while one question is
// decided.
package folder

import "sync"

// Memory caches what was read of folders for one question, so that several rules and an
// explanation read a folder once. It never notices a change: use a new one for each
// question. It is safe for concurrent use.
type Memory struct {
	mu    sync.Mutex
	known map[walkKey]*walked
	// the results of FindShared
	shared map[walkKey]map[string][]string
	mounts Mounts // nil until they are read
}

type walkKey struct {
	folder string
	follow bool
}

// walked is the result of one walk.
type walked struct {
	paths   []string
	isWhole bool // its visitor did not stop it
	all     bool // what the walk returned
}

// Walk returns walk(folder, follow, visit), from the cache if an earlier walk is
// enough. A nil Memory caches nothing.
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
