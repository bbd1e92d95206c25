package places

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"errand/host/realpath"
	"errand/planner/interpret/filename"
	"errand/planner/interpret/lexicon"
)

// foldName is the name of a file or folder as users compare names: case, the Unicode form and
// the dots of «ё» do not matter.
func foldName(name string) string {
	return strings.ReplaceAll(strings.ToLower(norm.NFC.String(name)), "ё", "е")
}

// realPath is a path with its names as they are on disk, where exactly one entry has a name that
// is equal but for [foldName]. Names of missing entries stay. Only granted folders are read.
func (p Places) realPath(path string) string {
	trimmed := strings.TrimRight(path, "/")
	if _, err := os.Lstat(trimmed); err == nil || trimmed == "" {
		return path
	}
	for _, root := range p.roots() {
		rest, err := filepath.Rel(root, trimmed)
		if err != nil || rest == "." || !filepath.IsLocal(rest) {
			continue
		}
		real, names := root, strings.Split(rest, "/")
		for i, name := range names {
			is, ok := realName(real, name)
			if !ok {
				return filepath.Join(real, filepath.Join(names[i:]...)) + path[len(trimmed):]
			}
			real = filepath.Join(real, is)
		}
		return real + path[len(trimmed):]
	}
	return path
}

// realName is the name of the entry of a folder that a user means by name.
func realName(folder, name string) (string, bool) {
	if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
		return name, true
	}
	found := ""
	for _, e := range readFolder(folder, maxLooked) {
		if foldName(e.Name()) != foldName(name) {
			continue
		}
		if found != "" {
			return "", false
		}
		found = e.Name()
	}
	return found, found != ""
}

// readFolder returns the first n entries of a folder, or none if it can't be read.
func readFolder(folder string, n int) []fs.DirEntry {
	f, err := os.Open(folder)
	if err != nil || n <= 0 {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(n)
	return list
}

// lookUp returns the facts about what a user means by a path: about the real one, and about the
// folder of it that is there if the names differ.
func (p Places) lookUp(path string) []string {
	real := p.realPath(path)
	facts := p.look(real)
	if real == path {
		return facts
	}
	for dir := filepath.Dir(strings.TrimRight(real, "/")); p.isGranted(dir); dir = filepath.Dir(dir) {
		if there := p.look(dir); slices.Contains(there, factFolder+dir) {
			return append(facts, there...)
		}
	}
	return facts
}

// Bounds of a search below the folders of the user.
const (
	maxDepth = 2
	maxBelow = 5 // files of one name
)

// lookBelow returns the facts about the files of a name in folders below the user's. A name
// without an extension is looked for nowhere.
func (p Places) lookBelow(name string) (facts []string) {
	if lexicon.FileExtension(name) == "" {
		return nil
	}
	left := maxLooked
	var walk func(folder string, depth int)
	walk = func(folder string, depth int) {
		for _, e := range readFolder(folder, maxLooked) {
			path := filepath.Join(folder, e.Name())
			if left--; left < 0 || len(facts) >= maxBelow || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			switch {
			case e.IsDir() && depth < maxDepth:
				walk(path, depth+1)
			case e.Type().IsRegular() && depth > 0 && foldName(e.Name()) == foldName(name):
				facts = append(facts, factFile+path)
			}
		}
	}
	for _, root := range p.roots() {
		walk(root, 0)
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// real is the path that a user means by path, by the facts of [Places.lookUp].
func (known factSet) real(path string) string {
	trimmed := strings.TrimRight(path, "/")
	for dir, rest := trimmed, path[len(trimmed):]; dir != "" && dir != "/" && dir != "."; {
		if known.has(dir) || known[factMissing+dir] && dir == trimmed {
			break
		}
		if found, ok := known.folded(dir); ok {
			return found + rest
		}
		rest = path[len(filepath.Dir(dir)):]
		if dir = filepath.Dir(dir); !strings.HasPrefix(rest, "/") {
			break
		}
	}
	return path
}

// has reports whether a path is there.
func (known factSet) has(path string) bool {
	return known[factFile+path] || known[factFolder+path] || known[factExists+path]
}

// folded is the one path that is there and equal to path but for [foldName].
func (known factSet) folded(path string) (found string, ok bool) {
	for there := range known.existing() {
		if foldName(there) != foldName(path) {
			continue
		}
		if found != "" && found != there {
			return "", false
		}
		found = there
	}
	return found, found != ""
}

// below are the files of a name in folders of the user, by the facts of [Places.lookBelow].
func (known factSet) below(name string, roots []string) (found []string) {
	if lexicon.FileExtension(name) == "" {
		return nil
	}
	for path := range known.existing() {
		if foldName(filepath.Base(path)) == foldName(name) && slices.ContainsFunc(roots, func(root string) bool { return realpath.Contains(root, path) }) {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// existing calls yield with the paths that were seen as a file or a folder, in no order.
func (known factSet) existing() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for fact := range known {
			kind, path, _ := strings.Cut(fact, ":")
			if kind += ":"; (kind == factFile || kind == factFolder) && !yield(path) {
				return
			}
		}
	}
}

// maxEntries bounds the files and folders that names without an extension are looked for among.
const maxEntries = 20_000

// Entries calls yield with the files and folders that names may mean: those in the folders where
// names are looked for first, then those below, level by level. Hidden ones are left out.
func (p Places) Entries(work string) iter.Seq[filename.Entry] {
	return func(yield func(filename.Entry) bool) {
		left := maxEntries
		level := p.searched(work)
		seen := slices.Clone(level)
		for depth := 0; depth <= maxDepth; depth++ {
			var below []string
			for _, folder := range level {
				for _, e := range readFolder(folder, left) {
					if left--; left < 0 {
						return
					}
					path := filepath.Join(folder, e.Name())
					if strings.HasPrefix(e.Name(), ".") || !e.IsDir() && !e.Type().IsRegular() {
						continue
					}
					if !yield(filename.Entry{Path: p.ShortenPath(path), Folder: e.IsDir(), Depth: depth}) {
						return
					}
					if e.IsDir() && !slices.Contains(seen, path) {
						below = append(below, path)
					}
				}
			}
			level, seen = below, append(seen, below...)
		}
	}
}

// searched are the folders where a name without a folder is looked for first.
func (p Places) searched(work string) []string {
	var out []string
	add := func(folder string) {
		if folder = strings.TrimRight(folder, "/"); folder != "" && p.isGranted(folder) && !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	add(work)
	for _, folder := range knownFolders {
		add(p.ResolvePath(folder))
	}
	for _, root := range p.roots() {
		add(root)
	}
	return out
}

// ShortenPath is the reverse of [Places.ResolvePath]: a path as users write it, "~/Documents/a.txt".
func (p Places) ShortenPath(path string) string {
	below := func(folder, as string) (string, bool) {
		rest, err := filepath.Rel(folder, path)
		short := as + "/" + rest
		return short, err == nil && rest != "." && filepath.IsLocal(rest) && p.ResolvePath(short) == path
	}
	for _, as := range knownFolders {
		if folder := p.ResolvePath(as); folder != as && realpath.Contains(folder, path) {
			if short, ok := below(folder, as); ok {
				return short
			}
		}
	}
	if short, ok := below(p.Conf.Paths.Home, "~"); ok {
		return short
	}
	return path
}
