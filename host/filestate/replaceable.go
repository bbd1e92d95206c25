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
	"path/filepath"
	"slices"

	"errand/host/realpath"
	"errand/host/tool"
)

// Replaced are the files that a call would replace. A link counts as a file: it is replaced
// itself, not its target.
type Replaced struct {
	Paths  []string // the first [tool.MaxDestroys]
	Count  int
	Digest string // of the path and stamp of each of them, in hex
	Maybe  bool   // the call may leave some of them alone
}

// Replaceable returns which files a call would replace that creates files with these names
// in the folders that it writes to. Names are relative to the folder, with slashes; others
// are ignored. With every, the call may create any file, so that all files in the folders
// count. A path that is a file itself counts in both cases. The errors are that ctx ended and
// [CodeIncomplete].
func Replaceable(ctx context.Context, spec tool.Spec, call tool.Call, names []string, every bool) (Replaced, error) {
	r := replaceables{sum: sha256.New()}
	for _, n := range spec.PathArgs(call.Args) {
		if slices.Contains(spec.Writes, n.Argument) {
			r.in(ctx, spec.Folders(), n.Path, names, every)
		}
	}
	if err := ctx.Err(); err != nil {
		return Replaced{}, err
	}
	if r.incomplete != "" {
		return Replaced{}, TooManyEntries(r.incomplete, maxEntries)
	}
	r.replaced.Digest = hex.EncodeToString(r.sum.Sum(nil))
	return r.replaced, nil
}

type replaceables struct {
	replaced   Replaced
	sum        hash.Hash
	incomplete string // a folder with too many entries
}

// in adds the files at a path, or in the folder there.
func (r *replaceables) in(ctx context.Context, roots []string, at string, names []string, every bool) {
	real, _ := realpath.Resolve(at)
	root, rel, inside := realpath.FindRoot(roots, real)
	if !inside {
		return
	}
	dir, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer dir.Close()
	info, err := dir.Lstat(rel)
	switch {
	case err != nil:
	case !info.IsDir():
		r.add(at, info)
	case every:
		t := tree{dir: dir, sum: sha256.New()}
		t.visit = func(name string, info fs.FileInfo) {
			if below, err := filepath.Rel(rel, name); err == nil && !info.IsDir() {
				r.add(filepath.Join(at, below), info)
				r.replaced.Maybe = true
			}
		}
		t.walk(ctx, rel)
		if t.more {
			r.incomplete = at
		}
	default:
		for _, name := range local(names) {
			if info, err := dir.Lstat(path.Join(filepath.ToSlash(rel), name)); err == nil && !info.IsDir() && ctx.Err() == nil {
				r.add(filepath.Join(at, filepath.FromSlash(name)), info)
			}
		}
	}
}

func (r *replaceables) add(file string, info fs.FileInfo) {
	fmt.Fprintf(r.sum, "%q %s %s\n", file, info.Mode().Type(), Stamp(info))
	if len(r.replaced.Paths) < tool.MaxDestroys {
		r.replaced.Paths = append(r.replaced.Paths, file)
	}
	r.replaced.Count++
}

// local returns the names that stay in their folder, clean, sorted and each once.
func local(names []string) []string {
	var out []string
	for _, name := range names {
		if clean := path.Clean(name); clean != "." && filepath.IsLocal(filepath.FromSlash(clean)) {
			out = append(out, clean)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
