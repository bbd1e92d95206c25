//go:build linux

package files_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
)

// TestKeep writes what a step made into a granted folder: under its name, under
// a number where that is taken, and nowhere else.
func TestKeep(t *testing.T) {
	w := newWorld(t)
	w.mkdir("sub")
	w.write("taken.pdf", "mine")
	w.link(t.TempDir(), "out")
	for _, c := range []struct {
		name, from, path string
		code             string // of the error
		want             string // where it is
	}{
		{"a name", "a2", "terms.pdf", "", "terms.pdf"},
		{"a folder", "a2", "sub/", "", "sub/page.pdf"},
		{"a taken name", "a2", "taken.pdf", "", "taken (2).pdf"},
		{"and again", "a2", "taken.pdf", "", "taken (3).pdf"},
		{"a step that made nothing", "a1", "x.pdf", "nothing_made", ""},
		{"a folder that is not there", "a2", "no/x.pdf", "folder_missing", ""},
		{"outside", "a2", "../x.pdf", "path_outside_roots", ""},
		{"outside by a link", "a2", "out/x.pdf", "not_permitted", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := w.root + "/" + c.path
			r := w.call(files.KeepName, args("from", c.from, "path", path))
			if c.code != "" {
				if r.OK || r.Error.Code != c.code {
					t.Fatalf("answers %+v (%v), want %s", r.Payload, r.Error, c.code)
				}
				return
			}
			if !r.OK {
				t.Fatal(r.Error)
			}
			if b, err := os.ReadFile(w.at(c.want)); err != nil || string(b) != "%PDF" {
				t.Errorf("%s holds %q, %v", c.want, b, err)
			}
			if p := r.Payload.(map[string]any)["path"]; p != w.at(c.want) {
				t.Errorf("says it is at %v", p)
			}
		})
	}
	if b, _ := os.ReadFile(w.at("taken.pdf")); string(b) != "mine" {
		t.Errorf("the file in the way holds %q", b)
	}
	left, err := filepath.Glob(w.at(".errand-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestKeepMakesTheRoot: a granted folder that is not there yet is made.
func TestKeepMakesTheRoot(t *testing.T) {
	for _, path := range []string{"terms.pdf", ""} {
		w := worldAt(t, filepath.Join(t.TempDir(), "Documents"))
		if r := w.call(files.KeepName, args("from", "a2", "path", w.root+"/"+path)); !r.OK {
			t.Fatal(r.Error)
		}
		if !exists(w.at("terms.pdf")) && !exists(w.at("page.pdf")) {
			t.Errorf("%s holds %v", w.root, tree(t, w.root))
		}
	}
}

// TestKeepIsLookedFor finds what came of a call whose end nobody saw.
func TestKeepIsLookedFor(t *testing.T) {
	w := newWorld(t)
	call := args("from", "a2", "path", w.at("terms.pdf"))
	if r := w.reconcile(files.KeepName, "k", call); r.Effect != tool.Released {
		t.Errorf("before the call it is %s", r.Effect)
	}
	if r := w.call(files.KeepName, call); !r.OK {
		t.Fatal(r.Error)
	}
	if r := w.reconcile(files.KeepName, "k", call); r.Effect != tool.Committed {
		t.Errorf("after the call it is %s", r.Effect)
	}
	w.write("terms.pdf", "another")
	if r := w.reconcile(files.KeepName, "k", call); r.Effect != tool.Unknown {
		t.Errorf("with another file in its place it is %s", r.Effect)
	}
}

// TestKeepIsUndone takes back what was kept, and not what took its place.
func TestKeepIsUndone(t *testing.T) {
	w := newWorld(t)
	r := w.call(files.KeepName, args("from", "a2", "path", w.at("terms.pdf")))
	pinned, err := w.tools[r.Undo.Tool].(tool.Pinner).Pin(context.Background(), r.Undo.Args)
	must.Succeed(t, err)
	w.write("terms.pdf", "another")
	if r := w.call(files.DeleteFileName, pinned); r.OK {
		t.Error("another file was deleted in its place")
	}
}
