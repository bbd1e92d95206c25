package realpath

import (
	"io/fs"
	"os"
	"path/filepath"
)

// maxWalked limits the files and folders that [Walk] visits.
const maxWalked = 20_000

// Walk calls visit for every file and folder below a folder without links, in the order of
// their names, until visit returns true. With follow it also visits what links lead to, and
// what is below, under the path without links. It returns false if it couldn't visit all: a
// folder can't be read, or there are more than 20,000 entries. It visits nothing if the path
// leads to a file or to nothing.
func Walk(folder string, follow bool, visit func(path string) bool) bool {
	w := walker{follow: follow, visit: visit, remaining: maxWalked, visited: map[string]bool{}}
	return w.walk(folder)
}

type walker struct {
	follow    bool
	visit     func(string) bool
	visited   map[string]bool // folders, if links are followed
	remaining int             // entries that may be visited
	done      bool            // visit returned true
}

func (w *walker) walk(folder string) bool {
	if w.visited[folder] {
		return true
	}
	w.visited[folder] = true
	info, err := os.Lstat(folder)
	if err != nil {
		return os.IsNotExist(err)
	}
	if !info.IsDir() {
		return true
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return os.IsNotExist(err)
	}
	for _, e := range entries {
		if w.remaining--; w.remaining < 0 {
			return false
		}
		path := filepath.Join(folder, e.Name())
		if w.done = w.visit(path); w.done {
			return true
		}
		if !w.enter(e, path) {
			return false
		}
		if w.done {
			return true
		}
	}
	return true
}

// enter walks through an entry that is a folder, or a link that is followed.
func (w *walker) enter(e fs.DirEntry, path string) bool {
	switch {
	case e.IsDir():
		return w.walk(path)
	case w.follow && e.Type()&fs.ModeSymlink != 0:
		real, ok := Resolve(path)
		if !ok {
			return true // a circle leads nowhere
		}
		if w.done = w.visit(real); w.done {
			return true
		}
		return w.walk(real)
	}
	return true
}
