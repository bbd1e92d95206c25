//go:build linux

package files_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
)

// racing does something over and over until the test's own work is done.
func racing(t *testing.T, do func()) (stop func()) {
	t.Helper()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				do()
			}
		}
	})
	return func() { close(done); wg.Wait() }
}

// TestParentFolderSwapped: while things are deleted in a folder, the folder changes
// places with a link that leads out. Nothing outside may go.
func TestParentFolderSwapped(t *testing.T) {
	t.Run("S4-H22 a link in the way, put there meanwhile", wayIsSwapped)
}

func wayIsSwapped(t *testing.T) {
	w, outside := newWorld(t), t.TempDir()
	w.mkdir("a")
	w.link(outside, "b")
	stop := racing(t, func() {
		unix.Renameat2(unix.AT_FDCWD, w.at("a"), unix.AT_FDCWD, w.at("b"), unix.RENAME_EXCHANGE)
	})
	defer stop()
	deleted := 0
	for range 100 {
		for _, dir := range []string{w.at("a"), w.at("b"), outside} {
			os.WriteFile(filepath.Join(dir, "x"), []byte("x"), 0o600) // in each that is a folder now, and outside
		}
		os.WriteFile(filepath.Join(outside, "x"), []byte("precious"), 0o600)
		r := w.call(files.DeleteFileName, args("path", w.at("a/x")))
		if r.OK && r.Payload.(map[string]any)["deleted"] == true {
			deleted++
		}
		if read(t, filepath.Join(outside, "x")) != "precious" {
			t.Fatal("what lies outside is gone")
		}
	}
	if deleted == 0 {
		t.Error("nothing was deleted at all")
	}
}

// TestEntrySwapped: an entry that replaced the approved one is never left in the trash,
// and the approved one is never lost.
func TestEntrySwapped(t *testing.T) {
	w := newWorld(t)
	w.write("theirs", "theirs")
	w.write("mine", "mine")
	meant := "file ino=" + files.Inode(t, w.at("mine")) + " size=4"
	stop := racing(t, func() {
		unix.Renameat2(unix.AT_FDCWD, w.at("mine"), unix.AT_FDCWD, w.at("theirs"), unix.RENAME_EXCHANGE)
	})
	deleted, refused := 0, 0
	for range 1000 {
		r := w.call(files.DeleteFileName, args("path", w.at("mine"), "if_unchanged", meant))
		switch {
		case r.OK && r.Undo != nil:
			deleted++
			if got := read(t, filepath.Join(w.trash, "files", r.Undo.Args["trashed"].(string))); got != "mine" {
				t.Fatalf("%q is in the trash", got)
			}
			// The racer can't exchange while one of the two is away.
			if u := w.undo(r); code(u) != "" {
				t.Fatal(u.Error)
			}
		case code(r) == "changed":
			refused++
		case r.OK: // it was away for the moment in which another call put it back
		default:
			t.Fatal(r.Error)
		}
	}
	stop()
	if deleted == 0 || refused == 0 {
		t.Errorf("%d deleted, %d refused: it was no race", deleted, refused)
	}
	contents := map[string]bool{}
	for _, name := range []string{"mine", "theirs"} {
		if exists(w.at(name)) {
			contents[read(t, w.at(name))] = true
		}
	}
	if !contents["mine"] || !contents["theirs"] {
		t.Errorf("left is %v; the trash holds %v", contents, tree(t, w.trash))
	}
}

// TestTheFolderFills: a folder that was empty when it was looked at, and isn't
// when it is moved, comes back.
func TestTheFolderFills(t *testing.T) {
	w := newWorld(t)
	w.mkdir("d")
	stop := racing(t, func() { os.WriteFile(w.at("d/x"), []byte("x"), 0o600); os.Remove(w.at("d/x")) })
	defer stop()
	for range 500 {
		r := w.call(files.DeleteFolderName, args("path", w.at("d")))
		switch {
		case r.OK && r.Undo != nil:
			if got := tree(t, filepath.Join(w.trash, "files", r.Undo.Args["trashed"].(string))); len(got) > 0 {
				t.Fatalf("%v went with the folder", got)
			}
			w.mkdir("d")
		case code(r) != "folder_not_empty":
			t.Fatalf("%+v, %v", r, r.Error)
		}
	}
}

// TestManyAtOnce: each thing is deleted by exactly one call, and each has a name
// of its own.
func TestManyAtOnce(t *testing.T) {
	w := newWorld(t)
	const things, callers = 40, 4
	var wg sync.WaitGroup
	var mu sync.Mutex
	names, deleted := map[any]bool{}, 0
	for i := range things {
		dir := string(rune('A' + i))
		w.write(dir+"/same name", dir)
	}
	for range callers {
		wg.Go(func() {
			for i := range things {
				r, err := w.tools[files.DeleteFileName].Call(t.Context(), tool.Call{Args: args("path", w.at(string(rune('A'+i))+"/same name"))})
				if err != nil || !r.OK {
					t.Errorf("%v, %v", err, r.Error)
					continue
				}
				if r.Undo != nil {
					mu.Lock()
					names[r.Undo.Args["trashed"]], deleted = true, deleted+1
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if deleted != things || len(names) != things {
		t.Errorf("%d deletions under %d names, want %d", deleted, len(names), things)
	}
}

// TestTheTrashGoes: while things are deleted, the trash is emptied with all its
// folders. What is said to be gone is gone, and what is not said so is there.
func TestTheTrashGoes(t *testing.T) {
	w := newWorld(t)
	stop := racing(t, func() { os.RemoveAll(w.trash) })
	defer stop()
	deleted, refused := 0, 0
	for range 300 {
		w.write("x", "x")
		switch r := w.call(files.DeleteFileName, args("path", w.at("x"))); {
		case r.OK && exists(w.at("x")):
			t.Fatalf("it is still there: %+v", r)
		case r.OK:
			deleted++
		case !exists(w.at("x")):
			t.Fatalf("it is gone, and %v", r.Error)
		default:
			refused++
		}
	}
	t.Logf("%d deleted, %d refused", deleted, refused)
}

func BenchmarkDeleteAndRestore(b *testing.B) {
	root := b.TempDir()
	name := filepath.Join(root, "x")
	all := files.Tools(files.Options{Roots: func() []string { return []string{root} }, TrashDir: filepath.Join(b.TempDir(), "Trash")})
	must.Succeed(b, os.WriteFile(name, []byte("x"), 0o600))
	for b.Loop() {
		r, err := all[1].Call(b.Context(), tool.Call{Args: args("path", name)})
		if err != nil || !r.OK {
			b.Fatal(r.Error, err)
		}
		if r, err = all[2].Call(b.Context(), tool.Call{Args: r.Undo.Args}); err != nil || !r.OK {
			b.Fatal(r.Error, err)
		}
	}
}
