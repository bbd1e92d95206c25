package policy

import "sync"

// Folders keeps what was read of folders for one question, so that a question with several
// rules, or one that is asked again for an explanation, reads a folder once. It never notices
// a change: use one for a single question. It is safe for concurrent use.
type Folders struct {
	mu    sync.Mutex
	known map[walkKey]*walked
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

type walkFunc = func(folder string, follow bool, visit func(path string) bool) bool

// walk is walk(folder, follow, visit), from memory where an earlier walk is enough. A nil
// Folders keeps nothing.
func (f *Folders) walk(walk walkFunc, folder string, follow bool, visit func(path string) bool) bool {
	if f == nil {
		return walk(folder, follow, visit)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := walkKey{folder, follow}
	if w := f.known[key]; w != nil {
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
	if f.known == nil {
		f.known = map[walkKey]*walked{}
	}
	f.known[key] = w
	return w.all
}
