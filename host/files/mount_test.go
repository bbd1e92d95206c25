//go:build linux

package files_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
	"errand/planner/message"
)

// mounted is a folder on a file system of its own.
func mounted(t *testing.T, flags uintptr) string {
	t.Helper()
	return mountedAt(t, t.TempDir(), flags)
}

func mountedAt(t *testing.T, dir string, flags uintptr) string {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, "size=16m"); err != nil {
		t.Skipf("mounting is not permitted: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

var own = ".Trash-" + strconv.Itoa(os.Getuid())

func TestAnotherFileSystem(t *testing.T) {
	shared := filepath.Join(".Trash", strconv.Itoa(os.Getuid()))
	tests := []struct {
		name    string
		prepare func(top string) error
		want    string // the trash, from the topmost folder; "" for none
	}{
		{"a new one", func(string) error { return nil }, own},
		{"one that is there", func(top string) error { return os.Mkdir(filepath.Join(top, own), 0o700) }, own},
		{"an administrator's", func(top string) error { return stickily(top) }, shared},
		{"an administrator's with a folder of the user", func(top string) error {
			if err := stickily(top); err != nil {
				return err
			}
			return os.Mkdir(filepath.Join(top, shared), 0o700)
		}, shared},
		{"not sticky", func(top string) error { return os.Mkdir(filepath.Join(top, ".Trash"), 0o777) }, own},
		{"a link", func(top string) error {
			if err := os.Mkdir(filepath.Join(top, "elsewhere"), 0o777); err != nil {
				return err
			}
			if err := os.Chmod(filepath.Join(top, "elsewhere"), 0o777|os.ModeSticky); err != nil {
				return err
			}
			return os.Symlink("elsewhere", filepath.Join(top, ".Trash"))
		}, own},
		{"a link in place of the user's in an administrator's", func(top string) error {
			if err := stickily(top); err != nil {
				return err
			}
			return os.Symlink("../work", filepath.Join(top, shared))
		}, own},
		{"a file in its place", func(top string) error { return os.WriteFile(filepath.Join(top, own), nil, 0o600) }, ""},
		{"a link in its place", func(top string) error { return os.Symlink("work", filepath.Join(top, own)) }, ""},
		{"another user's", func(top string) error {
			if err := os.Mkdir(filepath.Join(top, own), 0o777); err != nil {
				return err
			}
			return os.Chown(filepath.Join(top, own), os.Getuid()+1, -1)
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			top := mounted(t, 0)
			w := worldAt(t, filepath.Join(top, "work", "granted"))
			w.write("d/x 1", "content")
			must.Succeed(t, tt.prepare(top))
			call := args("path", w.at("d"), "recursive", true)
			f, err := w.forecast(files.DeleteFolderName, call)
			must.Succeed(t, err)
			trash := filepath.Join(top, tt.want)
			note := message.New("files.goes_to_trash", "trash", trash)
			if tt.want == "" {
				trash, note = "", message.New("files.no_trash_for_place")
			}
			want := tool.Forecast{Destroys: []string{w.at("d"), w.at("d/x 1")}, Count: 2, Reversible: tt.want != "", Note: note, Identity: f.Identity, Destination: trash}
			if d := cmp.Diff(want, f); d != "" {
				t.Errorf("forecast (-want +got):\n%s", d)
			}
			r := w.keyed(files.DeleteFolderName, "k", call)
			if code(r) != "" || exists(w.at("d")) {
				t.Fatalf("delete: %v", r.Error)
			}
			if exists(w.trash) {
				t.Error("the home's trash has to do with it")
			}
			if tt.want == "" {
				if r.Undo != nil {
					t.Errorf("undo %+v of what is gone", r.Undo)
				}
				if got := w.reconcile(files.DeleteFolderName, "k", call); got.Effect != tool.Committed {
					t.Errorf("reconcile: %+v", got)
				}
				return
			}
			if got := read(t, filepath.Join(trash, "info", "d.trashinfo")); !strings.HasPrefix(got, "[Trash Info]\nPath=work/granted/d\n") {
				t.Errorf("note %q: its path is not from the topmost folder", got)
			}
			if got := w.reconcile(files.DeleteFolderName, "k", call); cmp.Diff(r, got.Result) != "" {
				t.Errorf("reconcile: %+v, want %+v", got, r)
			}
			if u := w.undo(r); code(u) != "" || read(t, w.at("d/x 1")) != "content" {
				t.Errorf("undo: %v", u.Error)
			}
		})
	}
}

// stickily makes an administrator's trash.
func stickily(top string) error {
	if err := os.Mkdir(filepath.Join(top, ".Trash"), 0o777); err != nil {
		return err
	}
	return os.Chmod(filepath.Join(top, ".Trash"), 0o777|os.ModeSticky)
}

// TestAMountInTheWay: what another file system is mounted on can't be moved, and
// what is on it is not destroyed with the folder around it.
func TestAMountInTheWay(t *testing.T) {
	w := newWorld(t)
	w.write("a/m/x", "")
	mountedAt(t, w.at("a/m"), 0)
	w.write("a/m/precious", "p")
	r := w.call(files.DeleteFolderName, args("path", w.at("a/m"), "recursive", true))
	if code(r) != "mounted" || !exists(w.at("a/m/precious")) {
		t.Errorf("delete the mount: %q, %v", code(r), r.Error)
	}

	top := mounted(t, 0)
	w = worldAt(t, top)
	w.write(own, "no trash here")
	w.write("a/before", "")
	w.mkdir("a/m")
	mountedAt(t, w.at("a/m"), 0)
	w.write("a/m/precious", "p")
	r = w.call(files.DeleteFolderName, args("path", w.at("a"), "recursive", true))
	if code(r) != "mounted" || !exists(w.at("a/m/precious")) || !exists(w.at("a/before")) {
		t.Errorf("delete what holds a mount for good: %q, %v", code(r), r.Error)
	}
}

func TestForGood(t *testing.T) {
	outside := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(outside, "secret"), nil, 0o600))
	top := mounted(t, 0)
	w := worldAt(t, top)
	w.write(own, "no trash here")
	w.write("d/deep/x", "")
	w.link(outside, "d/out")
	w.link(outside, "out")
	w.mkdir("e")
	w.write("f", "abc")
	tests := []struct {
		name, tool string
		args       map[string]any
		code       string
	}{
		{"full", files.DeleteFolderName, args("path", w.at("d")), "folder_not_empty"},
		{"recursive", files.DeleteFolderName, args("path", w.at("d"), "recursive", true), ""},
		{"empty", files.DeleteFolderName, args("path", w.at("e")), ""},
		{"changed", files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=4"), "changed"},
		{"file", files.DeleteFileName, args("path", w.at("f"), "if_unchanged", "file size=3"), ""},
		{"link", files.DeleteFileName, args("path", w.at("out")), ""},
	}
	for _, tt := range tests {
		r := w.call(tt.tool, tt.args)
		if code(r) != tt.code || tt.code == "" && (exists(tt.args["path"].(string)) || r.Undo != nil) {
			t.Errorf("%s: %q, want %q: %v", tt.name, code(r), tt.code, r.Error)
		}
	}
	if d := cmp.Diff([]string{own}, tree(t, top)); d != "" {
		t.Errorf("left (-want +got):\n%s", d)
	}
	if !exists(filepath.Join(outside, "secret")) {
		t.Error("a link was followed")
	}
	w.mkdir("g/h")
	ctx, cancel := contextEnded(t)
	defer cancel()
	if r, err := w.tools[files.DeleteFolderName].Call(ctx, tool.Call{Args: args("path", w.at("g"), "recursive", true)}); err != nil || r.OK || !exists(w.at("g/h")) {
		t.Errorf("an ended call: %+v, %v", r, err)
	}
}

func TestReadOnly(t *testing.T) {
	top := mounted(t, 0)
	w := worldAt(t, top)
	w.write("x", "x")
	if err := syscall.Mount("", top, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("mounting anew is not permitted: %v", err)
	}
	if r := w.call(files.DeleteFileName, args("path", w.at("x"))); code(r) != "not_permitted" || !exists(w.at("x")) {
		t.Errorf("%q, %v", code(r), r.Error)
	}
}
