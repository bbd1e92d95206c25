//go:build linux

package files_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
	"errand/planner/message"
)

func TestUndoAndRedo(t *testing.T) {
	t.Run("a folder", func(t *testing.T) {
		w := newWorld(t)
		w.mkdir("old")
		undoAndRedo(t, w, files.DeleteFolderName)
	})
	t.Run("a file", func(t *testing.T) {
		w := newWorld(t)
		w.write("old", "content")
		undoAndRedo(t, w, files.DeleteFileName)
		if read(t, w.at("old")) != "content" {
			t.Error("the content is another")
		}
	})
}

// undoAndRedo takes a deletion back and does it again, several times.
func undoAndRedo(t *testing.T, w world, name string) {
	must.Succeed(t, os.Chtimes(w.at("old"), time.Time{}, time.Unix(1_700_000_000, 123456789)))
	before := tree(t, w.root)
	r := w.call(name, args("path", w.at("old")))
	for range 3 { // each undo says how to take itself back
		if code(r) != "" || exists(w.at("old")) {
			t.Fatalf("delete: %v", r.Error)
		}
		if f, err := w.forecast(files.RestoreName, r.Undo.Args); err != nil || !f.Reversible || f.Destroys != nil {
			t.Errorf("forecast %+v, %v", f, err)
		}
		u := w.undo(r)
		if code(u) != "" {
			t.Fatal(u.Error)
		}
		if d := cmp.Diff(before, tree(t, w.root)); d != "" {
			t.Errorf("restored (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]string{"exists:" + w.at("old")}, u.Facts); d != "" {
			t.Errorf("facts (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]string{"files", "info"}, tree(t, w.trash)); d != "" {
			t.Errorf("the trash is not empty (-want +got):\n%s", d)
		}
		if r = w.undo(r); code(r) != "not_in_trash" {
			t.Errorf("restored twice: %q", code(r))
		}
		r = w.undo(u)
	}
	w.undo(r)
}

// TestAFullFolderIsRestoredForGood: nothing says what becomes of what is in it,
// so that no undo deletes it again, and it is said before and after.
func TestAFullFolderIsRestoredForGood(t *testing.T) {
	w := newWorld(t)
	w.write("old/a/b.txt", "content")
	before := tree(t, w.root)
	r := w.call(files.DeleteFolderName, args("path", w.at("old"), "recursive", true))
	f, err := w.forecast(files.RestoreName, r.Undo.Args)
	if err != nil || f.Reversible || !f.Adds || f.Note.Code != "files.restores_contents" {
		t.Errorf("forecast %+v, %v", f, err)
	}
	for _, refused := range []any{nil, false} { // policy decided about the folder alone
		undo := maps.Clone(r.Undo.Args)
		if undo["recursive"] = refused; refused == nil {
			delete(undo, "recursive")
		}
		if got := w.call(files.RestoreName, undo); code(got) != "folder_not_empty" || exists(w.at("old")) {
			t.Errorf("recursive is %v: %+v", refused, got)
		}
	}
	u := w.undo(r)
	said := message.FromPlain(u.Payload.(map[string]any)["irreversible"])
	if code(u) != "" || u.Undo != nil || said.Code != "files.full_folder_stays" {
		t.Errorf("restored: %+v", u)
	}
	if d := cmp.Diff(before, tree(t, w.root)); d != "" || read(t, w.at("old/a/b.txt")) != "content" {
		t.Errorf("restored (-want +got):\n%s", d)
	}
	if got := w.reconcile(files.RestoreName, "", r.Undo.Args); got.Effect != tool.Committed || cmp.Diff(u, got.Result) != "" {
		t.Errorf("found again: %+v", got)
	}

	// What was empty when it was restored and is not any more stays.
	w.mkdir("empty")
	u = w.undo(w.call(files.DeleteFolderName, args("path", w.at("empty"))))
	info, err := os.Stat(w.at("empty"))
	must.Succeed(t, err)
	w.write("empty/thesis", "x")
	must.Succeed(t, os.Chtimes(w.at("empty"), time.Time{}, info.ModTime()))
	if r := w.undo(u); code(r) != "folder_not_empty" || !exists(w.at("empty/thesis")) {
		t.Errorf("the undo of the undo: %v", r.Error)
	}
}

func TestForecastOfRestoring(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(w world, undo map[string]any)
		note  string
		undo  bool // the result has one, or there is nothing to take back
		code  string
		// problem is the code of the problem, and lasting reports that no earlier call solves it.
		problem string
		lasting bool
	}{
		{"as it was", func(world, map[string]any) {}, "", true, "", "", false},
		{"something is there", func(w world, _ map[string]any) { w.write("d/x", "new") }, "files.other_file_there", true, "", "file_in_the_way", false},
		{"its folder is gone", func(w world, _ map[string]any) { os.Remove(w.at("d")) }, "files.no_folder_now", false, "", "no_folder", false},
		{"its folder is made again", func(w world, undo map[string]any) { os.Remove(w.at("d")); undo["made"] = w.at("d") }, "files.no_folder_now", false, "", "", false},
		{"the trash was emptied", func(w world, _ map[string]any) { os.RemoveAll(w.trash) }, "files.not_in_trash", true, "", "not_in_trash", true},
		{"another is in the trash", func(w world, undo map[string]any) { undo["if_unchanged"] = "file ino=1" }, "files.trashed_changed", true, "", "trash_changed", true},
		{"outside of the roots", func(_ world, undo map[string]any) { undo["path"] = "/etc/x" }, "", false, "path_outside_roots", "", false},
		{"no name", func(_ world, undo map[string]any) { delete(undo, "trashed") }, "", false, "bad_args", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("d/x", "content")
			r := w.call(files.DeleteFileName, args("path", w.at("d/x")))
			tt.spoil(w, r.Undo.Args)
			f, err := w.forecast(files.RestoreName, r.Undo.Args)
			if tt.code != "" {
				if err == nil || tool.AsError(err).Code != tt.code {
					t.Errorf("%+v, %v", f, err)
				}
				return
			}
			if err != nil || f.Reversible != tt.undo || f.Note.Code != tt.note || problemCode(f) != tt.problem || f.Unsolvable != tt.lasting {
				t.Errorf("%+v, %v", f, err)
			}
		})
	}
}

func TestTwoOfOneName(t *testing.T) {
	w := newWorld(t)
	var results []tool.Result
	for _, content := range []string{"first", "second", "third"} {
		w.write("notes.txt", content)
		results = append(results, w.call(files.DeleteFileName, args("path", w.at("notes.txt"))))
	}
	want := []string{
		"files", "files/notes.2.txt", "files/notes.3.txt", "files/notes.txt",
		"info", "info/notes.2.txt.trashinfo", "info/notes.3.txt.trashinfo", "info/notes.txt.trashinfo",
	}
	if d := cmp.Diff(want, tree(t, w.trash)); d != "" {
		t.Errorf("the trash holds (-want +got):\n%s", d)
	}
	if u := w.undo(results[1]); code(u) != "" || read(t, w.at("notes.txt")) != "second" {
		t.Errorf("undo: %v", u.Error)
	}
	if u := w.undo(results[0]); code(u) != "file_in_the_way" || read(t, w.at("notes.txt")) != "second" {
		t.Errorf("it was put over something: %v", u.Error)
	}
}

// TestOrphans: a thing without a note, and a note without a thing, as a crash or
// another program may leave them.
func TestOrphans(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"files/x", "info/x.2.trashinfo"} {
		must.Succeed(t, os.MkdirAll(filepath.Dir(filepath.Join(w.trash, name)), 0o700))
		must.Succeed(t, os.WriteFile(filepath.Join(w.trash, name), []byte("orphan"), 0o600))
	}
	w.write("x", "mine")
	r := w.call(files.DeleteFileName, args("path", w.at("x")))
	if code(r) != "" || r.Undo.Args["trashed"] != "x.3" {
		t.Fatalf("%v, %+v", r.Error, r.Undo)
	}
	if read(t, filepath.Join(w.trash, "files", "x")) != "orphan" {
		t.Error("it was put over something in the trash")
	}
	if exists(filepath.Join(w.trash, "info", "x.trashinfo")) {
		t.Error("a note was left beside the orphan")
	}
}

func TestRestoreRefuses(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(w world, undo map[string]any)
		code  string
	}{
		{"a file is there", func(w world, _ map[string]any) { w.write("d/x", "new") }, "file_in_the_way"},
		{"a folder is there", func(w world, _ map[string]any) { w.mkdir("d/x") }, "folder_in_the_way"},
		{"a dangling link is there", func(w world, _ map[string]any) { w.link("nowhere", "d/x") }, "file_in_the_way"},
		{"its folder is gone", func(w world, _ map[string]any) { os.Remove(w.at("d")) }, "no_folder"},
		{"the trash was emptied", func(w world, _ map[string]any) { os.RemoveAll(w.trash) }, "not_in_trash"},
		{"it was taken out", func(w world, _ map[string]any) { os.Remove(filepath.Join(w.trash, "files", "x")) }, "not_in_trash"},
		{"its note is gone", func(w world, _ map[string]any) { os.Remove(filepath.Join(w.trash, "info", "x.trashinfo")) }, "trash_changed"},
		{"another of that name", func(w world, _ map[string]any) {
			os.Remove(filepath.Join(w.trash, "files", "x"))
			os.Remove(filepath.Join(w.trash, "info", "x.trashinfo"))
			w.write("d/x", "another")
			w.call(files.DeleteFileName, args("path", w.at("d/x")))
		}, "trash_changed"},
		{"its content changed", func(w world, _ map[string]any) {
			os.WriteFile(filepath.Join(w.trash, "files", "x"), []byte("changed"), 0o600)
		}, "trash_changed"},
		{"to another place", func(w world, undo map[string]any) { undo["path"] = w.at("elsewhere") }, "trash_changed"},
		{"to a place that is not granted", func(_ world, undo map[string]any) { undo["path"] = "/tmp/x" }, "path_outside_roots"},
		{"by dots", func(_ world, undo map[string]any) { undo["trashed"] = "../info/x.trashinfo" }, "bad_args"},
		{"the trash itself", func(_ world, undo map[string]any) { undo["trashed"] = ".." }, "bad_args"},
		{"no name", func(_ world, undo map[string]any) { delete(undo, "trashed") }, "bad_args"},
		{"an argument more", func(_ world, undo map[string]any) { undo["force"] = true }, "bad_args"},
		{"without a condition", func(_ world, undo map[string]any) { delete(undo, "if_unchanged") }, ""},
		{"right", func(world, map[string]any) {}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.write("d/x", "content")
			r := w.call(files.DeleteFileName, args("path", w.at("d/x")))
			tt.spoil(w, r.Undo.Args)
			before := tree(t, w.root)
			u := w.undo(r)
			if code(u) != tt.code {
				t.Fatalf("code %q, want %q: %v", code(u), tt.code, u.Error)
			}
			if tt.code == "" {
				if read(t, w.at("d/x")) != "content" {
					t.Error("another content")
				}
				return
			}
			if d := cmp.Diff(before, tree(t, w.root)); d != "" {
				t.Errorf("something changed (-before +after):\n%s", d)
			}
		})
	}
}

func TestReconcileDelete(t *testing.T) {
	w := newWorld(t)
	w.write("x", "first")
	call := args("path", w.at("x"))
	if got := w.reconcile(files.DeleteFileName, "r1:a1", call); got.Effect != tool.Released {
		t.Errorf("there: %+v", got)
	}
	want := w.keyed(files.DeleteFileName, "r1:a1", call)
	got := w.reconcile(files.DeleteFileName, "r1:a1", call)
	if got.Effect != tool.Committed {
		t.Fatalf("gone: %+v", got)
	}
	if d := cmp.Diff(want, got.Result); d != "" {
		t.Errorf("the result is found again (-want +got):\n%s", d)
	}

	// Something else took its place: the call has had its effect all the same.
	w.write("x", "second")
	if got := w.reconcile(files.DeleteFileName, "r1:a1", call); got.Effect != tool.Committed || got.Result.Facts != nil {
		t.Errorf("replaced: %+v", got)
	}
	for _, key := range []string{"r1:a2", ""} {
		if got := w.reconcile(files.DeleteFileName, key, call); got.Effect != tool.Released {
			t.Errorf("of another call %q: %+v", key, got)
		}
	}

	// Gone by somebody else's hand.
	os.Remove(w.at("x"))
	if got := w.reconcile(files.DeleteFileName, "r1:a2", call); got.Effect != tool.Committed || got.Result.Undo != nil {
		t.Errorf("gone without a note: %+v", got)
	}
	if got := w.reconcile(files.DeleteFileName, "k", args("path", w.at("no/x"))); got.Effect != tool.Committed {
		t.Errorf("without its folder: %+v", got)
	}
}

func TestReconcileRestore(t *testing.T) {
	w := newWorld(t)
	w.write("d/x", "content")
	r := w.call(files.DeleteFileName, args("path", w.at("d/x")))
	state := func() tool.EffectState { return w.reconcile(files.RestoreName, "", r.Undo.Args).Effect }
	if got := state(); got != tool.Released {
		t.Errorf("in the trash: %s", got)
	}
	w.write("d/x", "another")
	if got := state(); got != tool.Released {
		t.Errorf("in the trash, and something in its place: %s", got)
	}
	os.Remove(w.at("d/x"))
	u := w.undo(r)
	got := w.reconcile(files.RestoreName, "", r.Undo.Args)
	if d := cmp.Diff(u, got.Result); got.Effect != tool.Committed || d != "" {
		t.Errorf("restored: %s (-want +got):\n%s", got.Effect, d)
	}
	os.Remove(w.at("d/x"))
	if got := state(); got != tool.Unknown {
		t.Errorf("in neither place: %s", got)
	}
	os.Remove(w.at("d"))
	if got := state(); got != tool.Released {
		t.Errorf("without its folder: %s", got)
	}
}
