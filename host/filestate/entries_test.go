//go:build unix

package filestate_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/host/filestate"
	"errand/host/tool"
)

// TestEntries changes an entry of a folder after the folder was looked at.
func TestEntries(t *testing.T) {
	in := func(w world, name string) string { return filepath.Join(w.folder, name) }
	for _, tt := range []struct {
		name   string
		change func(w world)
		want   []string // entries in another state
	}{
		{"nothing", func(world) {}, nil},
		{"a file, size and time restored", func(w world) { w.write(w.inside, "thief") }, []string{"b.txt"}},
		{"a new file", func(w world) { w.write(in(w, "new"), "") }, []string{"new"}},
		{"a file is gone", func(w world) { w.do(os.Remove(w.inside)) }, []string{"b.txt"}},
		{"a file further down", func(w world) { w.write(in(w, "s/c.txt"), "thief") }, []string{"s/c.txt"}},
		{"a new file further down", func(w world) { w.write(in(w, "s/new"), "") }, []string{"s", "s/new"}},
		{"a link in a file's place", func(w world) { w.do(os.Remove(w.inside)); w.do(os.Symlink(w.outside, w.inside)) }, []string{"b.txt"}},
		{"the target of a link", func(w world) { w.write(w.outside, "thief") }, nil},
		{"a file beside the folder", func(w world) { w.write(w.file, "thief") }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.do(os.Mkdir(in(w, "s"), 0o700))
			w.write(in(w, "s/c.txt"), "draft")
			w.do(os.Symlink(w.outside, in(w, "out")))
			files := w.inspect("into", w.folder)
			before := filestate.Entries(t.Context(), spec(w.root), files)
			tt.change(w)
			after := filestate.Entries(t.Context(), spec(w.root), files)
			all := maps.Clone(before)
			maps.Copy(all, after)
			var got []string
			for _, p := range slices.Sorted(maps.Keys(all)) {
				if before[p] != after[p] {
					rel, err := filepath.Rel(w.folder, p)
					w.do(err)
					got = append(got, rel)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("entries in another state (-want +got):\n%s", diff)
			}
		})
	}
	w := newWorld(t)
	for name, path := range map[string]string{"a file": w.file, "nothing": filepath.Join(w.root, "none"), "a folder elsewhere": filepath.Dir(w.outside)} {
		states := []tool.FileState{{Path: path, Real: path, Kind: tool.FileFolder}}
		if name != "a folder elsewhere" {
			states = w.inspect("into", path)
		}
		if got := filestate.Entries(t.Context(), spec(w.root), states); len(got) > 0 {
			t.Errorf("%s has the entries %v", name, got)
		}
	}
}
