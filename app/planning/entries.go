package planning

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/planner/interpret/filename"
)

// maxEntries bounds the files and folders that names without an extension are looked for among.
const maxEntries = 20_000

// entries calls yield with the files and folders that names may mean: those in the folders where
// names are looked for first, then those below, level by level. Hidden ones are left out.
func (p places) entries(work string) iter.Seq[filename.Entry] {
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
					if !yield(filename.Entry{Path: p.shorten(path), Folder: e.IsDir(), Depth: depth}) {
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
func (p places) searched(work string) []string {
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
	for _, root := range p.conf.Roots() {
		add(root)
	}
	return out
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

// shorten is the reverse of [places.ResolvePath]: a path as users write it.
func (p places) shorten(path string) string {
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
	if short, ok := below(p.conf.Paths.Home, "~"); ok {
		return short
	}
	return path
}
