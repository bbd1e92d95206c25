package filestate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/realpath"
	"errand/host/tool"
)

// Entries returns texts that identify the states of all entries in the folders among these
// files, by their paths. It reads only inside the folders of the tool's spec and follows no
// link. It has at most [MaxEntries] of each folder, and ends soon after ctx does.
func Entries(ctx context.Context, spec tool.Spec, files []tool.FileState) map[string]string {
	entries := map[string]string{}
	for _, f := range files {
		root, rel, inside := realpath.FindRoot(spec.Folders(), f.Real)
		if f.Kind != tool.FileFolder || !inside {
			continue
		}
		dir, err := os.OpenRoot(root)
		if err != nil {
			continue
		}
		t := tree{dir: dir, sum: sha256.New()}
		t.visit = func(name string, info fs.FileInfo) {
			if below, err := filepath.Rel(rel, name); err == nil {
				entries[filepath.Join(f.Path, below)] = info.Mode().Type().String() + Stamp(info)
			}
		}
		t.walk(ctx, rel)
		dir.Close()
	}
	return entries
}

// tree makes a digest of the entries of a folder.
type tree struct {
	dir   *os.Root
	sum   hash.Hash
	count int
	more  bool                                // there are more entries, or ctx ended
	visit func(name string, info fs.FileInfo) // of each entry; may be nil
}

// walk adds the entries of a folder, up to [maxEntries]. It doesn't follow links. A folder
// that can't be read counts as an entry alone.
func (t *tree) walk(ctx context.Context, name string) {
	for _, e := range t.list(name) {
		if t.count >= maxEntries || ctx.Err() != nil {
			t.more = true
			return
		}
		t.count++
		info, err := t.dir.Lstat(path.Join(name, e.Name()))
		if err != nil {
			fmt.Fprintf(t.sum, "%q ?\n", e.Name())
			continue
		}
		fmt.Fprintf(t.sum, "%q %s %s\n", e.Name(), info.Mode().Type(), Stamp(info))
		if t.visit != nil {
			t.visit(path.Join(name, e.Name()), info)
		}
		if info.IsDir() { // false for a link
			t.walk(ctx, path.Join(name, e.Name()))
			fmt.Fprintln(t.sum, "end")
		}
	}
}

// list returns the entries of a folder, sorted by name, or none if it can't be read.
func (t *tree) list(name string) []fs.DirEntry {
	f, err := t.dir.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}
