//go:build unix

package filestate_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"errand/build/must"
	"errand/host/filestate"
	"errand/host/tool"
)

// TestReplaceable changes a folder after the files were listed that a call would replace.
func TestReplaceable(t *testing.T) {
	none := func(world) {}
	tests := []struct {
		name    string
		into    func(world) string // default: the folder
		names   []string
		every   bool
		before  func(world)
		want    []string // relative to root
		change  func(world)
		differs bool
	}{
		{"nothing there", nil, []string{"new.txt"}, false, none, nil, none, false},
		{"a file", nil, []string{"b.txt", "new.txt"}, false, none, []string{"d/b.txt"}, none, false},
		{"a name twice", nil, []string{"b.txt", "./b.txt", "x/../b.txt"}, false, none, []string{"d/b.txt"}, none, false},
		{"rewritten, size and time restored", nil, []string{"b.txt"}, false, none, []string{"d/b.txt"}, func(w world) { w.write(w.inside, "thief") }, true},
		{"one appears", nil, []string{"b.txt", "new.txt"}, false, none, []string{"d/b.txt"}, func(w world) { w.write(filepath.Join(w.folder, "new.txt"), "") }, true},
		{"one disappears", nil, []string{"b.txt"}, false, none, []string{"d/b.txt"}, func(w world) { w.do(os.Remove(w.inside)) }, true},
		{"another file changes", nil, []string{"b.txt"}, false, none, []string{"d/b.txt"}, func(w world) { w.write(filepath.Join(w.folder, "c.txt"), "c") }, false},
		{"a nested file", nil, []string{"deep/er/c.txt"}, false, func(w world) {
			w.do(os.MkdirAll(filepath.Join(w.folder, "deep/er"), 0o700))
			w.write(filepath.Join(w.folder, "deep/er/c.txt"), "c")
		}, []string{"d/deep/er/c.txt"}, func(w world) { w.write(filepath.Join(w.folder, "deep/er/c.txt"), "d") }, true},
		{"a folder of that name", nil, []string{"deep"}, false, func(w world) { w.do(os.Mkdir(filepath.Join(w.folder, "deep"), 0o700)) }, nil, none, false},
		{
			"a link, not its target", nil,
			[]string{"link"},
			false, func(w world) { w.do(os.Symlink("../other.txt", filepath.Join(w.folder, "link"))) },
			[]string{"d/link"},
			func(w world) { w.write(filepath.Join(w.root, "other.txt"), "other") }, false,
		},
		{
			"a link to another file", nil,
			[]string{"link"},
			false, func(w world) { w.do(os.Symlink("../other.txt", filepath.Join(w.folder, "link"))) },
			[]string{"d/link"},
			func(w world) {
				w.do(os.Remove(filepath.Join(w.folder, "link")))
				w.do(os.Symlink("../a.txt", filepath.Join(w.folder, "link")))
			}, true,
		},
		{"a name that leads out", nil, []string{"../a.txt", "/a.txt", "..", "."}, false, none, nil, none, false},
		{"through a link that leads out", nil, []string{"out/secret.txt"}, false, func(w world) { w.do(os.Symlink(filepath.Dir(w.outside), filepath.Join(w.folder, "out"))) }, nil, none, false},
		{"any file", nil, nil, true, func(w world) {
			w.do(os.Mkdir(filepath.Join(w.folder, "deep"), 0o700))
			w.write(filepath.Join(w.folder, "deep/c.txt"), "c")
		}, []string{"d/b.txt", "d/deep/c.txt"}, func(w world) { w.write(filepath.Join(w.folder, "deep/new.txt"), "") }, true},
		{"any file of an empty folder", func(w world) string { return filepath.Join(w.root, "e") }, nil, true, func(w world) { w.do(os.Mkdir(filepath.Join(w.root, "e"), 0o700)) }, nil, none, false},
		{"a folder that is missing", func(w world) string { return filepath.Join(w.root, "e") }, []string{"b.txt"}, true, none, nil, none, false},
		{"a path that is a file", func(w world) string { return w.file }, nil, false, none, []string{"a.txt"}, func(w world) { w.write(w.file, "thief") }, true},
		{"a path outside", func(w world) string { return w.outside }, nil, true, none, nil, func(w world) { w.write(w.outside, "other") }, false},
		{"a link to the folder", func(w world) string { return filepath.Join(w.root, "l") }, []string{"b.txt"}, false, func(w world) { w.do(os.Symlink("d", filepath.Join(w.root, "l"))) }, []string{"l/b.txt"}, func(w world) { w.write(w.inside, "thief") }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.before(w)
			into := w.folder
			if tt.into != nil {
				into = tt.into(w)
			}
			look := func() filestate.Replaced {
				t.Helper()
				call := tool.Call{Args: map[string]any{"path": w.file, "into": into}}
				r, err := filestate.Replaceable(t.Context(), spec(w.root), call, tt.names, tt.every)
				must.Succeed(t, err)
				return r
			}
			was := look()
			want := []string{}
			for _, name := range tt.want {
				want = append(want, filepath.Join(w.root, name))
			}
			if !slices.Equal(was.Paths, want) || was.Count != len(want) {
				t.Fatalf("replaces %v (%d), want %v", was.Paths, was.Count, want)
			}
			tt.change(w)
			if now := look(); (now.Digest != was.Digest) != tt.differs {
				t.Errorf("differs %t, want %t", !tt.differs, tt.differs)
			}
		})
	}
}
