//go:build linux

package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
)

// TestEmptyTrash: everything in the trash is named before it goes, and nothing else goes.
func TestEmptyTrash(t *testing.T) {
	w := newWorld(t)
	if f, err := w.forecast(files.EmptyTrashName, args()); err != nil || f.Count != 0 {
		t.Errorf("without a trash: %+v, %v", f, err)
	}
	if r := w.call(files.EmptyTrashName, args()); !r.OK {
		t.Errorf("without a trash: %v", r.Error)
	}
	w.write("d/x", "x")
	w.write("a.txt", "a")
	w.write("kept.txt", "k")
	w.link(w.at("kept.txt"), "l")
	w.call(files.DeleteFolderName, args("path", w.at("d"), "recursive", true))
	w.call(files.DeleteFileName, args("path", w.at("a.txt")))
	deleted := w.call(files.DeleteFileName, args("path", w.at("l")))
	must.Succeed(t, os.WriteFile(filepath.Join(w.trash, "info", "gone.trashinfo"), nil, 0o600))
	f, err := w.forecast(files.EmptyTrashName, args())
	if err != nil || f.Count != 4 || len(f.Destroys) != 4 || f.Reversible || f.Identity == "" {
		t.Errorf("%+v, %v", f, err)
	}
	if got := w.reconcile(files.EmptyTrashName, "", args()); got.Effect != tool.Unknown {
		t.Errorf("before: %s", got.Effect)
	}
	r := w.call(files.EmptyTrashName, args())
	if !r.OK || r.Undo != nil || r.Payload.(map[string]any)["count"] != 3 {
		t.Errorf("%+v, %v", r, r.Error)
	}
	if got := tree(t, w.trash); len(got) != 2 { // files and info
		t.Errorf("left is %v", got)
	}
	if !exists(w.at("kept.txt")) {
		t.Error("the target of a link was deleted")
	}
	if got := w.reconcile(files.EmptyTrashName, "", args()); got.Effect != tool.Committed {
		t.Errorf("after: %s", got.Effect)
	}
	if u := w.undo(deleted); code(u) != "not_in_trash" {
		t.Errorf("an undo of what is gone: %v", u.Error)
	}
	if r := w.call(files.EmptyTrashName, args("path", w.root)); code(r) != "bad_args" {
		t.Errorf("an argument: %v", r.Error)
	}
}
