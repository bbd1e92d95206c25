package apps

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Bounds of what is read.
const (
	maxFiles   = 4000       // .desktop files
	maxEntries = 20_000     // names in folders
	maxDepth   = 4          // folders below an applications folder
	maxSize    = 512 * 1024 // bytes of a file
	maxID      = 200        // bytes of an id
)

// suffix ends the names of the files, and so the ids.
const suffix = ".desktop"

// List reads the applications. Its methods may be called by several goroutines at once.
type List struct {
	Environment
	Languages []string // whose names are kept, beside that of the locale
	// LookPath finds the program of TryExec. Nil means [exec.LookPath].
	LookPath func(string) (string, error)
}

// ReadShown reads the entries that menus show, in the order of precedence and then of their paths. If
// several files have one id, only the first counts, even if it hides the entry.
func (l List) ReadShown() []Entry {
	var out []Entry
	w := walk{ids: map[string]bool{}}
	for _, folder := range l.Folders {
		w.visited = nil
		w.read(filepath.Join(folder, "applications"), "", 0, func(id, file string) {
			if e, ok := l.load(id, file); ok && e.IsShown(l.Desktops) && l.isInstalled(e) {
				out = append(out, e)
			}
		})
	}
	return out
}

// Find reads the entry with an id, shown or not. It is not found if it is deleted, or if the
// program of its TryExec is missing.
func (l List) Find(id string) (Entry, bool) {
	if !IsID(id) {
		return Entry{}, false
	}
	for _, folder := range l.Folders {
		file := findFile(filepath.Join(folder, "applications"), id, 0)
		if file == "" {
			continue
		}
		e, ok := l.load(id, file)
		return e, ok && !e.Hidden && l.isInstalled(e)
	}
	return Entry{}, false
}

// IsID reports whether a text can be a desktop file id.
func IsID(id string) bool {
	name, ok := strings.CutSuffix(id, suffix)
	return ok && name != "" && id[0] != '.' && len(id) <= maxID && !strings.ContainsAny(id, "/\x00")
}

// findFile returns the file of an id: each "-" may be a "/". A part that begins with a dot is hidden
// or leads out of the folder.
func findFile(folder, id string, depth int) string {
	file := filepath.Join(folder, id)
	if id == "" || id[0] == '.' {
		return ""
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return file
	}
	if depth == maxDepth {
		return ""
	}
	for i, c := range id {
		sub := filepath.Join(folder, id[:i])
		if c != '-' || i == 0 {
			continue
		}
		if info, err := os.Stat(sub); err == nil && info.IsDir() {
			if file := findFile(sub, id[i+1:], depth+1); file != "" {
				return file
			}
		}
	}
	return ""
}

// walk goes through the folders of applications.
type walk struct {
	ids     map[string]bool // ids
	visited []fs.FileInfo   // folders of one data folder: links may lead back
	names   int
}

func (w *walk) read(folder, prefix string, depth int, found func(id, file string)) {
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() || slices.ContainsFunc(w.visited, func(v fs.FileInfo) bool { return os.SameFile(v, info) }) {
		return
	}
	w.visited = append(w.visited, info)
	var below []string
	for _, name := range w.list(folder) {
		path, id := filepath.Join(folder, name), prefix+name
		switch {
		case strings.HasPrefix(name, "."):
		case strings.HasSuffix(name, suffix):
			if len(w.ids) < maxFiles && IsID(id) && !w.ids[id] {
				w.ids[id] = true
				found(id, path)
			}
		default:
			below = append(below, name)
		}
	}
	if depth == maxDepth {
		return
	}
	for _, name := range below { // a file with an id comes before one in a folder
		w.read(filepath.Join(folder, name), prefix+name+"-", depth+1, found)
	}
}

// list returns the names in a folder, in order, as far as the bound allows.
func (w *walk) list(folder string) []string {
	left := maxEntries - w.names
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	if left <= 0 { // Readdirnames would return all
		return nil
	}
	names, _ := f.Readdirnames(left)
	w.names += len(names)
	slices.Sort(names)
	return names
}

// load reads one file. Only regular files are read: a pipe would block.
func (l List) load(id, file string) (Entry, bool) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return Entry{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSize {
		return Entry{}, false
	}
	b, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil || len(b) > maxSize {
		return Entry{}, false
	}
	e, ok := parse(string(b), append([]string{language(l.Locale)}, l.Languages...))
	e.ID, e.File, e.locale = id, file, l.Locale
	return e, ok
}

func (l List) isInstalled(e Entry) bool {
	if e.TryExec == "" {
		return true
	}
	look := l.LookPath
	if look == nil {
		look = exec.LookPath
	}
	_, err := look(e.TryExec)
	return err == nil
}
