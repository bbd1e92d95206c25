//go:build linux

package files_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/files"
	"errand/host/tool"
)

// contents describes everything below a folder: kinds, permissions, times of files, contents
// and targets of links.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	must.Succeed(t, filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %s", strings.TrimPrefix(p, dir+"/"), info.Mode())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(p)
			line += " -> " + target
		case info.Mode().IsRegular():
			line += fmt.Sprintf(" %d %q", info.ModTime().UnixNano(), read(t, p))
		}
		out = append(out, line)
		return nil
	}))
	return out
}

// TestMoveAndCopyRefuse: what can't be done changes nothing.
func TestMoveAndCopyRefuse(t *testing.T) {
	outside := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o600))
	tests := []struct {
		name, from, to string // below the root, or absolute
		code           string
	}{
		{"something is there", "a.txt", "b.txt", "file_exists"},
		{"a folder is there", "a.txt", "d", "file_exists"},
		{"a folder onto an empty one", "d", "empty", "file_exists"},
		{"a link that leads nowhere is there", "a.txt", "dangling", "file_exists"},
		{"missing", "no.txt", "c.txt", "not_found"},
		{"missing in a missing folder", "no/no.txt", "c.txt", "not_found"},
		{"itself", "a.txt", "a.txt", "same_path"},
		{"itself, other spelling", "a.txt", "d/.././a.txt", "same_path"},
		{"itself by a link", "d/x", "same/x", "same_path"},
		{"into itself", "d", "d/e/f", "bad_path"},
		{"into itself by a link", "d", "same/f", "bad_path"},
		{"below a file", "b.txt", "a.txt/c", "file_in_the_way"},
		{"the root", "", "c", "bad_path"},
		{"onto the root", "a.txt", "", "bad_path"},
		{"above the root", "a.txt", "..", "bad_path"},
		{"source outside", filepath.Join(outside, "secret"), "c", "path_outside_roots"},
		{"destination outside", "a.txt", filepath.Join(outside, "c"), "path_outside_roots"},
		{"source out by a link", "out/secret", "c", "not_permitted"},
		{"destination out by a link", "a.txt", "out/c", "not_permitted"},
		{"destination out by a link, deeper", "a.txt", "out/new/c", "not_permitted"},
		{"out by dots", "a.txt", "../../c", "path_outside_roots"},
	}
	for _, name := range []string{files.MoveName, files.CopyName} {
		for _, tt := range tests {
			t.Run(name+" "+tt.name, func(t *testing.T) {
				w := newWorld(t)
				w.write("a.txt", "a")
				w.write("b.txt", "b")
				w.write("d/x", "x")
				w.mkdir("empty")
				w.link("nowhere", "dangling")
				w.link("d", "same")
				w.link(outside, "out")
				at := func(p string) string {
					if filepath.IsAbs(p) {
						return p
					}
					return w.root + "/" + p
				}
				before := contents(t, w.root)
				r := w.call(name, args("path", at(tt.from), "destination", at(tt.to)))
				if code(r) != tt.code {
					t.Errorf("code %q, want %q: %v", code(r), tt.code, r.Error)
				}
				if d := cmp.Diff(before, contents(t, w.root)); d != "" {
					t.Errorf("it changed something (-before +after):\n%s", d)
				}
				if got := tree(t, outside); !slices.Equal(got, []string{"secret"}) {
					t.Errorf("outside there is %v", got)
				}
			})
		}
	}
}

func TestMove(t *testing.T) {
	tests := []struct {
		name, from, to, kind string
	}{
		{"rename", "a.txt", "b.txt", "file"},
		{"into folders that are made", "a.txt", "new/er/a.txt", "file"},
		{"a folder", "d", "e", "folder"},
		{"a folder into another", "d", "other/deep/d", "folder"},
		{"a link itself", "l", "l2", "file"},
		{"a link that leads out", "out", "d/out", "file"},
		{"a name of any kind", "a.txt", "Отчёт за май: «итог».txt", "file"},
		{"another case", "a.txt", "A.TXT", "file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.txt", "a")
			w.write("d/x", "x")
			w.link("a.txt", "l")
			w.link("/", "out")
			before := contents(t, w.root)
			r := w.call(files.MoveName, args("path", w.at(tt.from), "destination", w.at(tt.to)))
			if !r.OK {
				t.Fatal(r.Error)
			}
			if d := cmp.Diff(args("path", w.at(tt.to), "from", w.at(tt.from), "kind", tt.kind, "renamed", filepath.Dir(tt.from) == filepath.Dir(tt.to)), r.Payload); d != "" {
				t.Errorf("payload (-want +got):\n%s", d)
			}
			if d := cmp.Diff([]string{"!exists:" + w.at(tt.from), "exists:" + w.at(tt.to)}, r.Facts); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
			if exists(w.at(tt.from)) || !exists(w.at(tt.to)) {
				t.Errorf("there is %v", tree(t, w.root))
			}
			u := w.undo(r)
			if !u.OK {
				t.Fatal(u.Error)
			}
			if d := cmp.Diff(before, contents(t, w.root)); d != "" {
				t.Errorf("undone (-before +after):\n%s", d)
			}
			if again := w.undo(u); !again.OK || !exists(w.at(tt.to)) {
				t.Errorf("and redone: %v", again.Error)
			}
		})
	}
}

// TestMoveBack: a move is undone only while the file is the one that was moved.
func TestMoveBack(t *testing.T) {
	tests := []struct {
		name, from string
		spoil      func(w world, p string)
		code       string
	}{
		{"a file that was written to", "a.txt", func(w world, p string) { w.write("moved", "other") }, "changed"},
		{"another file", "a.txt", func(w world, p string) { os.Remove(p); w.write("moved", "a") }, "changed"},
		{"a folder that got a file", "d", func(w world, _ string) { w.write("moved/new", "n") }, ""},
		{"another folder", "d", func(w world, p string) { os.Rename(p, p+"2"); w.mkdir("moved") }, "changed"},
		{"a file in the place of a folder", "d", func(w world, p string) { os.RemoveAll(p); w.write("moved", "x") }, "changed"},
		{"gone", "a.txt", func(_ world, p string) { os.Remove(p) }, "not_found"},
		{"the old place is taken", "a.txt", func(w world, _ string) { w.write("a.txt", "new") }, "file_exists"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.txt", "a")
			w.write("d/x", "x")
			r := w.call(files.MoveName, args("path", w.at(tt.from), "destination", w.at("moved")))
			tt.spoil(w, w.at("moved"))
			before := tree(t, w.root)
			u := w.undo(r)
			if code(u) != tt.code {
				t.Errorf("code %q, want %q: %v", code(u), tt.code, u.Error)
			}
			if d := cmp.Diff(before, tree(t, w.root)); tt.code != "" && d != "" {
				t.Errorf("it changed something (-before +after):\n%s", d)
			}
		})
	}
}

// TestMadeFolders: folders that were made for a destination go with the undo if they are
// empty, and only those.
func TestMadeFolders(t *testing.T) {
	w := newWorld(t)
	w.write("a.txt", "a")
	w.mkdir("old")
	r := w.call(files.MoveName, args("path", w.at("a.txt"), "destination", w.at("old/new/er/a.txt")))
	w.write("old/new/mine", "m")
	if u := w.undo(r); !u.OK {
		t.Fatal(u.Error)
	}
	if d := cmp.Diff([]string{"a.txt", "old", "old/new", "old/new/mine"}, tree(t, w.root)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	bad := args("path", w.at("a.txt"), "destination", w.at("b.txt"), "made", w.at("old"))
	if r := w.call(files.MoveName, bad); code(r) != "bad_args" {
		t.Errorf("a folder that does not hold the file: %v", r.Error)
	}
}

// TestMadeFoldersComeBack: a copy in a new folder goes with that folder, and both come back.
func TestMadeFoldersComeBack(t *testing.T) {
	w := newWorld(t)
	w.write("a.txt", "a")
	r := w.call(files.CopyName, args("path", w.at("a.txt"), "destination", w.at("new/er/b.txt")))
	for _, want := range [][]string{{"a.txt"}, {"a.txt", "new", "new/er", "new/er/b.txt"}, {"a.txt"}} {
		if r = w.undo(r); !r.OK {
			t.Fatal(r.Error)
		}
		if d := cmp.Diff(want, tree(t, w.root)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// otherSystem is a folder on another file system than the tests' own.
func otherSystem(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "errand")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	here, err := os.Stat(t.TempDir())
	there, err2 := os.Stat(dir)
	if err != nil || err2 != nil || here.Sys().(*syscall.Stat_t).Dev == there.Sys().(*syscall.Stat_t).Dev {
		t.Skip("there is one file system")
	}
	return dir
}

// TestMoveToAnotherSystem copies, compares and deletes.
func TestMoveToAnotherSystem(t *testing.T) {
	other := otherSystem(t)
	w := worldAt(t, t.TempDir(), other)
	w.write("d/deep/x", strings.Repeat("x", 100_000))
	w.write("d/y", "y")
	w.link("nowhere", "d/l")
	w.write("a.txt", "a")
	must.Succeed(t, os.Chmod(w.at("d/y"), 0o640))
	before := contents(t, w.root)
	folder := w.call(files.MoveName, args("path", w.at("d"), "destination", other+"/new/d"))
	file := w.call(files.MoveName, args("path", w.at("a.txt"), "destination", other+"/a.txt"))
	if !folder.OK || !file.OK {
		t.Fatal(folder.Error, file.Error)
	}
	if got := tree(t, w.root); len(got) > 0 {
		t.Errorf("left is %v", got)
	}
	if d := cmp.Diff([]string{"a.txt", "new", "new/d", "new/d/deep", "new/d/deep/x", "new/d/l", "new/d/y"}, tree(t, other)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, r := range []tool.Result{folder, file} {
		if u := w.undo(r); !u.OK {
			t.Fatal(u.Error)
		}
	}
	if d := cmp.Diff(before, contents(t, w.root)); d != "" {
		t.Errorf("undone (-before +after):\n%s", d)
	}
	if got := tree(t, other); len(got) > 0 {
		t.Errorf("there is %v", got)
	}
}

func TestCopy(t *testing.T) {
	w := newWorld(t)
	w.write("d/deep/x", strings.Repeat("x", 100_000))
	w.write("d/.hidden", "h")
	w.link("../a.txt", "d/l")
	w.mkdir("d/empty")
	w.write("a.txt", "a")
	old := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
	for _, name := range []string{"a.txt", "d/.hidden"} {
		must.Succeed(t, os.Chtimes(w.at(name), old, old))
	}
	must.Succeed(t, os.Chmod(w.at("d/deep"), 0o500))
	before := contents(t, w.root)
	folder := w.call(files.CopyName, args("path", w.at("d"), "destination", w.at("copies/d")))
	file := w.call(files.CopyName, args("path", w.at("a.txt"), "destination", w.at("copies/b.txt")))
	if d := cmp.Diff(args("path", w.at("copies/d"), "from", w.at("d"), "kind", "folder", "files", 2, "bytes", int64(100_001)), folder.Payload); d != "" {
		t.Errorf("payload (-want +got):\n%s", d)
	}
	if d := cmp.Diff(args("path", w.at("copies/b.txt"), "from", w.at("a.txt"), "kind", "file", "files", 1, "bytes", int64(1)), file.Payload); d != "" {
		t.Errorf("payload (-want +got):\n%s", d)
	}
	if d := cmp.Diff(contents(t, w.at("d")), contents(t, w.at("copies/d"))); d != "" {
		t.Errorf("the copy (-original +copy):\n%s", d)
	}
	for _, r := range []tool.Result{file, folder} {
		if u := w.undo(r); !u.OK || u.Payload.(map[string]any)["deleted"] != true {
			t.Fatal(u.Error)
		}
	}
	if d := cmp.Diff(before, contents(t, w.root)); d != "" {
		t.Errorf("undone (-before +after):\n%s", d)
	}
}

// TestCopyBack: a copy is deleted only while it is as it was made.
func TestCopyBack(t *testing.T) {
	tests := []struct {
		name, from string
		spoil      func(w world)
		code       string
	}{
		{"a file that was written to", "a.txt", func(w world) { w.write("c", "other") }, "changed"},
		{"a file whose time changed", "a.txt", func(w world) { os.Chtimes(w.at("c"), time.Now(), time.Now()) }, ""},
		{"a folder that got a file", "d", func(w world) { w.write("c/new", "n") }, "changed"},
		{"a folder that lost a file", "d", func(w world) { os.Remove(w.at("c/x")) }, "changed"},
		{"a file in it was written to", "d", func(w world) { w.write("c/x", "y") }, "changed"},
		{"a file in it was renamed", "d", func(w world) { os.Rename(w.at("c/x"), w.at("c/y")) }, "changed"},
		{"a file that came and went", "d", func(w world) { w.write("c/new", "n"); os.Remove(w.at("c/new")) }, ""},
		{"the original changed", "d", func(w world) { w.write("d/x", "other") }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.txt", "a")
			w.write("d/x", "x")
			r := w.call(files.CopyName, args("path", w.at(tt.from), "destination", w.at("c")))
			tt.spoil(w)
			if u := w.undo(r); code(u) != tt.code {
				t.Errorf("code %q, want %q: %v", code(u), tt.code, u.Error)
			}
			if exists(w.at("c")) != (tt.code != "") {
				t.Errorf("there is %v", tree(t, w.root))
			}
		})
	}
}

// TestCopyLimits: what is too much is refused with the limit, before anything is made.
func TestCopyLimits(t *testing.T) {
	files.LimitCopies(t, 3, 10)
	w := newWorld(t)
	w.write("many/a", "")
	w.write("many/b", "")
	w.write("many/c", "")
	w.write("large/a", "12345")
	w.write("large/b", "123456")
	w.write("fits/a", "1234567890")
	must.Succeed(t, syscall.Mkfifo(w.at("pipe"), 0o600))
	before := contents(t, w.root)
	for from, want := range map[string]string{"many": "too_many_items", "large": "too_large", "pipe": "unsupported_file"} {
		r := w.call(files.CopyName, args("path", w.at(from), "destination", w.at("new/c")))
		if code(r) != want {
			t.Errorf("%s: %v, want %s", from, r.Error, want)
		}
	}
	if d := cmp.Diff(before, contents(t, w.root)); d != "" {
		t.Errorf("it changed something (-before +after):\n%s", d)
	}
	if r := w.call(files.CopyName, args("path", w.at("fits"), "destination", w.at("c"))); !r.OK {
		t.Error(r.Error)
	}
	if r := w.call(files.MoveName, args("path", w.at("many"), "destination", w.at("m"))); !r.OK {
		t.Errorf("a rename has no limit: %v", r.Error)
	}
}

func TestMoveAndCopyReconcile(t *testing.T) {
	w := newWorld(t)
	w.write("a.txt", "a")
	w.write("b.txt", "b")
	w.write("d/x", "x")
	w.call(files.CopyName, args("path", w.at("d"), "destination", w.at("same")))
	tests := []struct {
		tool, from, to string
		want           tool.EffectState
	}{
		{files.MoveName, "a.txt", "new.txt", tool.Released},
		{files.MoveName, "gone.txt", "a.txt", tool.Committed},
		{files.MoveName, "a.txt", "b.txt", tool.Unknown},
		{files.MoveName, "gone.txt", "gone2.txt", tool.Unknown},
		{files.MoveName, "gone/gone.txt", "d/x", tool.Committed},
		{files.CopyName, "a.txt", "new.txt", tool.Released},
		{files.CopyName, "d", "same", tool.Committed},
		{files.CopyName, "a.txt", "b.txt", tool.Unknown},
		{files.CopyName, "gone.txt", "b.txt", tool.Unknown},
	}
	for _, tt := range tests {
		got := w.reconcile(tt.tool, "", args("path", w.at(tt.from), "destination", w.at(tt.to)))
		if got.Effect != tt.want {
			t.Errorf("%s %s %s: %s, want %s", tt.tool, tt.from, tt.to, got.Effect, tt.want)
		}
	}
}

// TestReconcileInterrupted: the outcome of a move or copy that was interrupted is found, and undone with the
// folders that it made. A file that was there before is not taken for the moved one.
func TestReconcileInterrupted(t *testing.T) {
	for _, tt := range []struct {
		name, tool, from, to string
		before               bool // what is at the new place is older than the call
		left                 []string
	}{
		{"a file", files.MoveName, "a.txt", "old/b.txt", false, []string{"a.txt", "d", "d/x", "old"}},
		{"a file, in new folders", files.MoveName, "a.txt", "old/new/er/b.txt", false, []string{"a.txt", "d", "d/x", "old"}},
		{"a folder", files.MoveName, "d", "e", false, []string{"a.txt", "d", "d/x", "old"}},
		{"a folder, in new folders", files.MoveName, "d", "new/er/d", false, []string{"a.txt", "d", "d/x", "old"}},
		{"another file", files.MoveName, "a.txt", "old/b.txt", true, nil},
		{"another folder", files.MoveName, "d", "e", true, nil},
		{"a copy", files.CopyName, "a.txt", "old/new/er/b.txt", false, []string{"a.txt", "d", "d/x", "old"}},
		{"a copy of a folder", files.CopyName, "d", "new/er/d", false, []string{"a.txt", "d", "d/x", "old"}},
		{"an older copy", files.CopyName, "a.txt", "old/b.txt", true, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.txt", "a")
			w.write("d/x", "x")
			w.mkdir("old")
			made := time.Now()
			poll.Await(t, "the folders are older than the call", func() bool { return time.Since(made) > 20*time.Millisecond })
			call := tool.Call{Tool: tt.tool, Args: args("path", w.at(tt.from), "destination", w.at(tt.to)), Claimed: time.Now()}
			if tt.before {
				call.Claimed = time.Now().Add(time.Hour)
			}
			if r := w.call(tt.tool, call.Args); !r.OK {
				t.Fatal(r.Error)
			}
			got, err := w.tools[tt.tool].(tool.Reconciler).Reconcile(t.Context(), call)
			if err != nil || got.Effect != tool.Committed {
				t.Fatalf("%s, %v", got.Effect, err)
			}
			if tt.left == nil {
				if got.Result.Undo != nil {
					t.Errorf("undo %v", got.Result.Undo.Args)
				}
				return
			}
			if u := w.undo(got.Result); !u.OK {
				t.Fatal(u.Error)
			}
			if d := cmp.Diff(tt.left, tree(t, w.root)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestReconcileLeftFolders: a move back that was interrupted before it removed the folders that
// the first move had made is completed.
func TestReconcileLeftFolders(t *testing.T) {
	w := newWorld(t)
	w.write("a.txt", "a")
	r := w.call(files.MoveName, args("path", w.at("a.txt"), "destination", w.at("new/er/a.txt")))
	if err := os.Rename(w.at("new/er/a.txt"), w.at("a.txt")); err != nil {
		t.Fatal(err)
	}
	if got := w.reconcile(files.MoveName, "", r.Undo.Args); got.Effect != tool.Committed {
		t.Errorf("effect %s", got.Effect)
	}
	if d := cmp.Diff([]string{"a.txt"}, tree(t, w.root)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestMovesAndTheirUndo: moves and copies in a random tree, undone in turn, leave the tree as
// it was.
func TestMovesAndTheirUndo(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			w := newWorld(t)
			for range 12 {
				w.write(randomPath(random)+"/"+fmt.Sprint(random.IntN(1000)), fmt.Sprint(random.Uint64()))
			}
			before := contents(t, w.root)
			var done []tool.Result
			for range 40 {
				name := []string{files.MoveName, files.CopyName}[random.IntN(2)]
				all := tree(t, w.root)
				from := all[random.IntN(len(all))]
				r := w.call(name, args("path", w.at(from), "destination", w.at(randomPath(random))))
				if r.OK {
					done = append(done, r)
				}
			}
			if len(done) == 0 {
				t.Fatal("nothing was done")
			}
			for _, r := range slices.Backward(done) {
				if u := w.undo(r); !u.OK {
					t.Fatalf("%v: %v", r.Payload, u.Error)
				}
			}
			if d := cmp.Diff(before, contents(t, w.root)); d != "" {
				t.Errorf("(-before +after):\n%s", d)
			}
		})
	}
}

func randomPath(random *rand.Rand) string {
	parts := make([]string, 1+random.IntN(3))
	for i := range parts {
		parts[i] = string(rune('a' + random.IntN(5)))
	}
	return strings.Join(parts, "/")
}
