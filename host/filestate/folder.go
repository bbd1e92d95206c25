package filestate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// tree makes a digest of the entries of a folder.
type tree struct {
	dir   *os.Root
	sum   hash.Hash
	count int64
	visit func(name string, info fs.FileInfo) // of each entry; may be nil
}

// digestFolder returns the number of a folder's entries, at most [maxEntries], and a digest
// of their names and stamps. It doesn't follow links. A folder that can't be read counts as
// an entry alone.
func digestFolder(ctx context.Context, dir *os.Root, name string) (count int64, digest string) {
	t := tree{dir: dir, sum: sha256.New()}
	t.walk(ctx, name)
	return t.count, hex.EncodeToString(t.sum.Sum(nil))
}

func (t *tree) walk(ctx context.Context, name string) {
	for _, e := range t.list(name) {
		if t.count >= maxEntries || ctx.Err() != nil {
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
