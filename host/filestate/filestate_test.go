//go:build unix

package filestate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/filestate"
	"errand/host/tool"
)

const schema = `{"type":"object","properties":{"path":{"type":"string","format":"path"},"into":{"type":"string","format":"path"},"text":{"type":"string"}}}`

// spec is a tool that reads path and adds to into.
func spec(root string) tool.Spec {
	return tool.Spec{Name: "x.y", ArgsSchema: []byte(schema), SideEffectClass: tool.Write, Reversible: true, Paths: []string{root}, Writes: []string{"into"}}
}

// world has the files of a test: root with a file, a folder and another file, and a file
// outside of it.
type world struct {
	t                                   *testing.T
	root, file, folder, inside, outside string
	old                                 time.Time
}

func newWorld(t *testing.T) world {
	t.Helper()
	root := t.TempDir()
	w := world{
		t: t, root: root, file: filepath.Join(root, "a.txt"), folder: filepath.Join(root, "d"), inside: filepath.Join(root, "d", "b.txt"),
		outside: filepath.Join(t.TempDir(), "secret.txt"), old: time.Now().Add(-time.Hour).Truncate(time.Second),
	}
	w.do(os.Mkdir(w.folder, 0o700))
	for _, p := range []string{w.file, w.inside, w.outside, filepath.Join(root, "other.txt")} {
		w.write(p, "draft")
	}
	return w
}

func (w world) do(err error) {
	w.t.Helper()
	must.Succeed(w.t, err)
}

// write writes a file as of an hour ago.
func (w world) write(path, content string) {
	w.t.Helper()
	w.do(os.WriteFile(path, []byte(content), 0o600))
	w.do(os.Chtimes(path, w.old, w.old))
}

func (w world) inspect(name, path string) []tool.FileState {
	w.t.Helper()
	s, err := filestate.Inspect(w.t.Context(), spec(w.root), tool.Call{Args: map[string]any{name: path, "text": "/etc/passwd"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// TestInspect changes a file after it was looked at.
func TestInspect(t *testing.T) {
	file := func(w world) string { return w.file }
	inside := func(w world) string { return w.inside }
	folder := func(w world) string { return w.folder }
	tests := []struct {
		name     string
		argument string
		path     func(world) string
		change   func(world)
		differs  bool
	}{
		{"nothing", "path", file, func(world) {}, false},
		{"another file changes", "path", file, func(w world) { w.write(w.inside, "other") }, false},
		{"rewritten, size and time restored", "path", file, func(w world) { w.write(w.file, "thief") }, true},
		{"grown", "path", file, func(w world) { w.write(w.file, "draft and more") }, true},
		{"gone", "path", file, func(w world) { w.do(os.Remove(w.file)) }, true},
		{"replaced by a link to another file", "path", file, func(w world) {
			w.write(w.inside, "draft")
			w.do(os.Remove(w.file))
			w.do(os.Symlink(w.inside, w.file))
		}, true},
		{"replaced by a link to a file outside", "path", file, func(w world) { w.do(os.Remove(w.file)); w.do(os.Symlink(w.outside, w.file)) }, true},
		{"replaced by a hard link", "path", file, func(w world) {
			w.write(w.inside, "thief")
			w.do(os.Remove(w.file))
			w.do(os.Link(w.inside, w.file))
		}, true},
		{"renamed over, same size and time", "path", file, func(w world) { w.write(w.inside, "thief"); w.do(os.Rename(w.inside, w.file)) }, true},
		{"replaced by a pipe", "path", file, func(w world) { w.do(os.Remove(w.file)); w.do(syscall.Mkfifo(w.file, 0o600)) }, true},
		{"replaced by a folder", "path", file, func(w world) { w.do(os.Remove(w.file)); w.do(os.Mkdir(w.file, 0o700)) }, true},
		{"its folder replaced by a link to an equal one", "path", inside, func(w world) {
			w.do(os.Rename(w.folder, w.folder+"2"))
			w.do(os.Symlink(w.folder+"2", w.folder))
		}, true},
		{"a folder that is read: a file in it, size and time restored", "path", folder, func(w world) { w.write(w.inside, "thief") }, true},
		{"a folder that is read: a new file", "path", folder, func(w world) { w.write(filepath.Join(w.folder, "new"), "") }, true},
		{"a folder that is added to: a new file", "into", folder, func(w world) { w.write(filepath.Join(w.folder, "new"), "") }, false},
		{"a folder that is added to: another folder", "into", folder, func(w world) {
			w.do(os.RemoveAll(w.folder))
			w.do(os.Mkdir(w.folder+"x", 0o700))
			w.do(os.Mkdir(w.folder, 0o700))
		}, true},
		{"a folder that is added to: a link", "into", folder, func(w world) { w.do(os.Rename(w.folder, w.folder+"2")); w.do(os.Symlink(w.root, w.folder)) }, true},
		{"a file that is overwritten", "into", file, func(w world) { w.write(w.file, "thief") }, true},
		{"a path through a file", "path", func(w world) string { return filepath.Join(w.file, "c.txt") }, func(world) {}, false},
		{"a link in a circle", "path", func(w world) string { return filepath.Join(w.root, "circle") }, func(w world) { w.do(os.Symlink("circle", filepath.Join(w.root, "circle"))) }, true},
		{"a missing file is made", "into", func(w world) string { return filepath.Join(w.folder, "new", "c.txt") }, func(w world) { w.do(os.Mkdir(filepath.Join(w.folder, "new"), 0o700)) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			before := w.inspect(tt.argument, tt.path(w))
			if len(before) != 1 || before[0].Path != tt.path(w) {
				t.Fatalf("states %+v", before)
			}
			tt.change(w)
			if after := w.inspect(tt.argument, tt.path(w)); slices.Equal(before, after) == tt.differs {
				t.Errorf("differs %t, want %t\nbefore %+v\nafter  %+v", !tt.differs, tt.differs, before, after)
			}
		})
	}
}

// TestInspectLargeFile: a file that is too large to read is known by its stamp.
func TestInspectLargeFile(t *testing.T) {
	w := newWorld(t)
	w.do(os.Truncate(w.file, filestate.MaxHashed+1))
	w.do(os.Chtimes(w.file, w.old, w.old))
	before := w.inspect("path", w.file)
	if before[0].SHA256 != "" {
		t.Fatalf("it was read: %+v", before)
	}
	if after := w.inspect("path", w.file); !slices.Equal(before, after) {
		t.Fatalf("unchanged, but differs: %+v", after)
	}
	for i := 0; ; i++ { // the clock of inodes may tick only every 10 ms
		f, err := os.OpenFile(w.file, os.O_WRONLY, 0)
		w.do(err)
		_, err = f.WriteString("thief")
		w.do(err)
		w.do(f.Close())
		w.do(os.Chtimes(w.file, w.old, w.old))
		if !slices.Equal(before, w.inspect("path", w.file)) {
			return
		}
		if i == 100_000 {
			t.Fatal("rewritten with restored size and time: the same")
		}
	}
}

// TestInspectReadsOnlyGrantedFolders: the content of other files is not looked at.
func TestInspectReadsOnlyGrantedFolders(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{w.outside, filepath.Join(w.root, "link")} {
		if path != w.outside {
			w.do(os.Symlink(w.outside, path))
		}
		if s := w.inspect("path", path); s[0].SHA256 != "" || s[0].Size != 0 {
			t.Errorf("%s was read: %+v", path, s)
		}
	}
	s, err := filestate.Inspect(t.Context(), tool.Spec{ArgsSchema: []byte(schema)}, tool.Call{Args: map[string]any{"path": w.file}})
	if err != nil || s != nil {
		t.Errorf("a tool without folders: %+v, %v", s, err)
	}
	if s := w.inspect("text", w.file); s != nil && !strings.HasSuffix(s[0].Path, "a.txt") {
		t.Errorf("a text that is no path: %+v", s)
	}
}
