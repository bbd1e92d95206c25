//go:build linux

package files_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/files"
)

// bind mounts a file or folder at a path of the world, for the duration of the test.
func (w world) bind(source, rel string) {
	w.t.Helper()
	at := w.at(rel)
	if err := syscall.Mount(source, at, "", syscall.MS_BIND, ""); err != nil {
		w.t.Skipf("mounting is not permitted: %v", err)
	}
	w.t.Cleanup(func() { syscall.Unmount(at, syscall.MNT_DETACH) })
}

// TestBindMounts: a folder or file that is mounted in a folder has the device number of the
// folder, and is left alone like another file system.
func TestBindMounts(t *testing.T) {
	for _, place := range []struct {
		name    string
		prepare func(w world, nas string)
	}{
		{"folder", func(w world, nas string) { w.mkdir("G/m"); w.bind(nas, "G/m") }},
		{"folder further down", func(w world, nas string) { w.mkdir("G/a/b/m"); w.bind(nas, "G/a/b/m") }},
		{"folder of a folder", func(w world, nas string) { w.mkdir("G/m"); w.bind(filepath.Join(nas, "photos"), "G/m") }},
		{"file", func(w world, nas string) { w.write("G/f", ""); w.bind(filepath.Join(nas, "photos/p.jpg"), "G/f") }},
		{"itself", func(w world, nas string) { w.mkdir("G"); w.bind(nas, "G") }},
		{"other file system", func(w world, nas string) {
			w.mkdir("G/m")
			mountedAt(w.t, w.at("G/m"), 0)
			w.write("G/m/x", "")
		}},
	} {
		t.Run(place.name, func(t *testing.T) {
			for _, how := range []struct {
				name, tool string
				other      bool // move to another file system
				noTrash    bool
			}{
				{"delete", files.DeleteFolderName, false, false},
				{"delete for good", files.DeleteFolderName, false, true},
				{"move to another file system", files.MoveName, true, false},
			} {
				t.Run(how.name, func(t *testing.T) {
					nas := t.TempDir()
					must.Succeed(t, os.Mkdir(filepath.Join(nas, "photos"), 0o700))
					must.Succeed(t, os.WriteFile(filepath.Join(nas, "photos/p.jpg"), []byte("photo"), 0o600))
					root, other := t.TempDir(), mounted(t, 0)
					if how.noTrash {
						root = mounted(t, 0)
						must.Succeed(t, os.WriteFile(filepath.Join(root, own), nil, 0o600))
					}
					w := worldAt(t, root, other)
					w.write("G0/before", "x")
					place.prepare(w, nas)
					if place.name != "itself" {
						w.write("G/after", "x")
					}
					before := tree(t, root)
					a := args("path", w.at("G"), "recursive", true)
					if how.tool == files.MoveName {
						a = args("path", w.at("G"), "destination", filepath.Join(other, "G"))
					}
					if f, err := w.forecast(how.tool, a); err != nil || f.Problem == nil || f.Problem.Code != "mounted" || !f.Unsolvable {
						t.Errorf("forecast: %+v, %v", f, err)
					}
					if r := w.call(how.tool, a); code(r) != "mounted" || r.Partial {
						t.Errorf("call: %q, %v", code(r), r.Error)
					}
					if d := cmp.Diff(before, tree(t, root)); d != "" {
						t.Errorf("(-before +after):\n%s", d)
					}
					if got := read(t, filepath.Join(nas, "photos/p.jpg")); got != "photo" {
						t.Errorf("the mounted file has %q", got)
					}
					if len(tree(t, other)) > 0 {
						t.Errorf("at the destination: %v", tree(t, other))
					}
				})
			}
		})
	}
}

// TestMountsInTheTrash: what is mounted in the trash is left alone, and nothing is deleted.
func TestMountsInTheTrash(t *testing.T) {
	nas := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(nas, "p.jpg"), []byte("photo"), 0o600))
	w := newWorld(t)
	w.write("a", "a")
	w.write("G/m/under", "")
	w.write("G/f", "")
	w.call(files.DeleteFileName, args("path", w.at("a")))
	w.call(files.DeleteFolderName, args("path", w.at("G"), "recursive", true))
	for _, tt := range []struct{ source, at string }{{nas, "G/m"}, {filepath.Join(nas, "p.jpg"), "G/f"}, {nas, "G"}} {
		at := filepath.Join(w.trash, "files", tt.at)
		if err := syscall.Mount(tt.source, at, "", syscall.MS_BIND, ""); err != nil {
			t.Skipf("mounting is not permitted: %v", err)
		}
		before := tree(t, w.trash)
		f, err := w.forecast(files.EmptyTrashName, args())
		if err != nil || f.Problem == nil || f.Problem.Code != "mounted" || !f.Unsolvable {
			t.Errorf("%s: forecast: %+v, %v", tt.at, f, err)
		}
		if r := w.call(files.EmptyTrashName, args()); code(r) != "mounted" || r.Partial {
			t.Errorf("%s: %q, %v", tt.at, code(r), r.Error)
		}
		if d := cmp.Diff(before, tree(t, w.trash)); d != "" {
			t.Errorf("%s (-before +after):\n%s", tt.at, d)
		}
		must.Succeed(t, syscall.Unmount(at, 0))
	}
	if got := read(t, filepath.Join(nas, "p.jpg")); got != "photo" {
		t.Errorf("the mounted file has %q", got)
	}
	if r := w.call(files.EmptyTrashName, args()); !r.OK {
		t.Errorf("without a mount: %v", r.Error)
	}
}

// TestMountedTrash: the trash itself may be mounted.
func TestMountedTrash(t *testing.T) {
	w := newWorld(t)
	must.Succeed(t, os.MkdirAll(w.trash, 0o700))
	mountedAt(t, w.trash, 0)
	for _, name := range []string{"files/d", "info"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(w.trash, name), 0o700))
	}
	if r := w.call(files.EmptyTrashName, args()); !r.OK || exists(filepath.Join(w.trash, "files/d")) {
		t.Errorf("%v", r.Error)
	}
}

// TestMoveWithMount: what is mounted in a folder stays mounted in it if the folder moves on
// its own file system, and a mounted folder itself can't move.
func TestMoveWithMount(t *testing.T) {
	nas := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(nas, "p.jpg"), []byte("photo"), 0o600))
	w := newWorld(t)
	w.mkdir("G/m")
	w.bind(nas, "G/m")
	t.Cleanup(func() { syscall.Unmount(w.at("H/m"), syscall.MNT_DETACH) })
	if r := w.call(files.MoveName, args("path", w.at("G/m"), "destination", w.at("n"))); code(r) != "mounted" {
		t.Errorf("the mount: %q, %v", code(r), r.Error)
	}
	a := args("path", w.at("G"), "destination", w.at("H"))
	if f, err := w.forecast(files.MoveName, a); err != nil || f.Problem != nil {
		t.Errorf("forecast: %+v, %v", f, err)
	}
	r := w.call(files.MoveName, a)
	if !r.OK || read(t, w.at("H/m/p.jpg")) != "photo" || exists(w.at("G")) {
		t.Fatalf("%v", r.Error)
	}
	w.write("beside/x", "")
	if r := w.call(files.DeleteFolderName, args("path", w.at("beside"), "recursive", true)); !r.OK {
		t.Errorf("a folder beside the mount: %v", r.Error)
	}
	if r := w.call(files.MoveName, args("path", w.at("H/m/p.jpg"), "destination", w.at("p.jpg"))); !r.OK || exists(filepath.Join(nas, "p.jpg")) {
		t.Errorf("a file out of the mount: %v", r.Error)
	}
}

// TestMountedMeanwhile: something is mounted after the folder was checked.
func TestMountedMeanwhile(t *testing.T) {
	nas := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(nas, "p.jpg"), []byte("photo"), 0o600))
	for name, prepare := range map[string]func(w world){
		"folder":        func(w world) { w.mkdir("G/m"); w.bind(nas, "G/m") },
		"deep":          func(w world) { w.mkdir("G/a/m"); w.bind(nas, "G/a/m") },
		"file":          func(w world) { w.write("G/f", ""); w.bind(filepath.Join(nas, "p.jpg"), "G/f") },
		"the folder":    func(w world) { w.mkdir("G"); w.bind(nas, "G") },
		"file system":   func(w world) { w.mkdir("G/m"); mountedAt(w.t, w.at("G/m"), 0) },
		"its own other": func(w world) { w.mkdir("G/m"); w.write("o/x", ""); w.bind(w.at("o"), "G/m") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.t = t
			prepare(w)
			if err := files.RemoveAll(w.root, "G"); !files.IsMounted(err) {
				t.Errorf("remove: %v", err)
			}
			if err := files.CarryCopy(t.Context(), w.root, "G", "H"); !files.IsMounted(err) || exists(w.at("H")) {
				t.Errorf("copy: %v", err)
			}
			if got := read(t, filepath.Join(nas, "p.jpg")); got != "photo" {
				t.Errorf("the mounted file has %q", got)
			}
			if name == "its own other" && !exists(w.at("o/x")) {
				t.Error("the mounted file is gone")
			}
		})
	}
}
