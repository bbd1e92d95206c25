//go:build linux

package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
)

func TestSpecs(t *testing.T) {
	w := newWorld(t)
	for name, key := range map[string]string{files.DeleteFolderName: "delete_folder", files.DeleteFileName: "delete_file", files.RestoreName: ""} {
		s := w.tools[name].Spec()
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if s.Source != "builtin" || s.SideEffectClass != tool.Write || s.Effect != tool.EffectFile || s.Reversible != (name != files.RestoreName) {
			t.Errorf("%s: %+v", name, s)
		}
		if d := cmp.Diff([]string{w.root}, s.Paths); d != "" {
			t.Errorf("%s: paths (-want +got):\n%s", name, d)
		}
		if key == "" && len(s.CanAchieve) > 0 || key != "" && (len(s.CanAchieve) != 3 || s.CanAchieve[1] != key) {
			t.Errorf("%s: can_achieve %v", name, s.CanAchieve)
		}
	}
}

// TestDelete is a story: each step goes on where the last one left the folder.
func TestDelete(t *testing.T) {
	w, outside := newWorld(t), t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("s"), 0o600))
	w.write("Reports/n.txt", "hello")
	w.write("Reports/deep/m.txt", "hello")
	w.write("e.txt", "")
	w.mkdir("a/b")
	w.link(outside, "out")
	w.link("nowhere", "dangling")
	tests := []struct {
		name, tool string
		args       map[string]any
		deleted    bool
		code       string
	}{
		{"full folder", files.DeleteFolderName, args("path", w.at("Reports")), false, "folder_not_empty"},
		{"full folder, not recursive", files.DeleteFolderName, args("path", w.at("Reports"), "recursive", false), false, "folder_not_empty"},
		{"file as a folder", files.DeleteFolderName, args("path", w.at("e.txt")), false, "not_a_folder"},
		{"folder as a file", files.DeleteFileName, args("path", w.at("a")), false, "not_a_file"},
		{"file", files.DeleteFileName, args("path", w.at("e.txt")), true, ""},
		{"file again", files.DeleteFileName, args("path", w.at("e.txt")), false, ""},
		{"in a folder that is not there", files.DeleteFileName, args("path", w.at("no/e.txt")), false, ""},
		{"below a file", files.DeleteFileName, args("path", w.at("Reports/n.txt/x")), false, ""},
		{"dots inside", files.DeleteFolderName, args("path", w.at("a/../a/b")), true, ""},
		{"full folder, recursive", files.DeleteFolderName, args("path", w.at("Reports"), "recursive", true), true, ""},
		{"folder again", files.DeleteFolderName, args("path", w.at("Reports"), "recursive", true), false, ""},
		{"link as a folder", files.DeleteFolderName, args("path", w.at("out"), "recursive", true), false, "not_a_folder"},
		{"out by a link", files.DeleteFileName, args("path", w.at("out/secret")), false, "not_permitted"},
		{"out by dots", files.DeleteFileName, args("path", w.at("../../etc/passwd")), false, "path_outside_roots"},
		{"elsewhere", files.DeleteFileName, args("path", filepath.Join(outside, "secret")), false, "path_outside_roots"},
		{"relative", files.DeleteFileName, args("path", "e.txt"), false, "bad_path"},
		{"a zero byte", files.DeleteFileName, args("path", w.at("e\x00.txt")), false, "bad_path"},
		{"the root", files.DeleteFolderName, args("path", w.root, "recursive", true), false, "bad_path"},
		{"the root by dots", files.DeleteFolderName, args("path", w.at("a/.."), "recursive", true), false, "bad_path"},
		{"above the root", files.DeleteFolderName, args("path", filepath.Dir(w.root), "recursive", true), false, "bad_path"},
		{"link as a file", files.DeleteFileName, args("path", w.at("out")), true, ""},
		{"link that leads nowhere", files.DeleteFileName, args("path", w.at("dangling")), true, ""},
		{"no path", files.DeleteFileName, args(), false, "bad_path"},
		{"an argument of the other tool", files.DeleteFileName, args("path", w.at("a"), "recursive", true), false, "bad_args"},
		{"a path that is none", files.DeleteFileName, args("path", 3.0), false, "bad_args"},
		{"a condition that is none", files.DeleteFileName, args("path", w.at("a"), "if_unchanged", "whatever"), false, "bad_args"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := w.call(tt.tool, tt.args)
			if code(r) != tt.code {
				t.Fatalf("code %q, want %q: %v", code(r), tt.code, r.Error)
			}
			if tt.code != "" {
				return
			}
			p := filepath.Clean(tt.args["path"].(string))
			payload := r.Payload.(map[string]any)
			if payload["path"] != p || payload["deleted"] != tt.deleted {
				t.Errorf("payload %v", payload)
			}
			if d := cmp.Diff([]string{"!exists:" + p}, r.Facts); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
			if (r.Undo != nil) != tt.deleted {
				t.Errorf("undo is %+v", r.Undo)
			}
			if exists(p) {
				t.Error("it is still there")
			}
		})
	}
	if d := cmp.Diff([]string{"a"}, tree(t, w.root)); d != "" {
		t.Errorf("the root holds (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"secret"}, tree(t, outside)); d != "" {
		t.Errorf("outside of the root there is (-want +got):\n%s", d)
	}
	want := []string{
		"files", "files/Reports", "files/Reports/deep", "files/Reports/deep/m.txt", "files/Reports/n.txt", "files/b",
		"files/dangling", "files/e.txt", "files/out", "info", "info/Reports.trashinfo", "info/b.trashinfo",
		"info/dangling.trashinfo", "info/e.txt.trashinfo", "info/out.trashinfo",
	}
	got := []string{}
	for _, p := range tree(t, w.trash) {
		if !strings.HasPrefix(p, "files/out/") {
			got = append(got, p)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the trash holds (-want +got):\n%s", d)
	}
}

func TestRootsInRoots(t *testing.T) {
	outer := t.TempDir()
	inner := filepath.Join(outer, "work", "notes")
	must.Succeed(t, os.MkdirAll(inner, 0o755))
	w := worldAt(t, outer, inner)
	w.link("work", "short") // another way to the folder that holds a granted one
	for _, p := range []string{inner, w.at("work"), w.at("short/notes")} {
		if r := w.call(files.DeleteFolderName, args("path", p, "recursive", true)); code(r) != "bad_path" {
			t.Errorf("%s: %q, want bad_path", p, code(r))
		}
	}
	w.write("work/notes/x", "x")
	r := w.call(files.DeleteFileName, args("path", w.at("short/notes/x")))
	if code(r) != "" || exists(w.at("work/notes/x")) {
		t.Fatalf("inside: %v", r.Error)
	}
	if u := w.undo(r); code(u) != "" || !exists(w.at("work/notes/x")) {
		t.Errorf("restored by another spelling: %v", u.Error)
	}
}

func TestTheRootByALink(t *testing.T) {
	real, home := t.TempDir(), t.TempDir()
	granted := filepath.Join(home, "Documents")
	must.Succeed(t, os.Symlink(real, granted))
	w := worldAt(t, granted)
	w.write("x", "x")
	r := w.call(files.DeleteFileName, args("path", filepath.Join(real, "x")))
	if code(r) != "" {
		t.Fatal(r.Error)
	}
	if d := cmp.Diff([]string{"!exists:" + w.at("x")}, r.Facts); d != "" {
		t.Errorf("facts in the granted spelling (-want +got):\n%s", d)
	}
	if u := w.undo(r); code(u) != "" || !exists(filepath.Join(real, "x")) {
		t.Errorf("undo: %v", u.Error)
	}
}

func TestNothingIsGranted(t *testing.T) {
	for _, tl := range files.Tools(files.Options{TrashDir: t.TempDir()}) {
		if tl.Spec().Name == files.EmptyTrashName { // takes no path
			continue
		}
		r, err := tl.Call(t.Context(), tool.Call{Tool: tl.Spec().Name, Args: map[string]any{"path": "/tmp/x", "trashed": "x"}})
		if tl.Spec().Name != files.RestoreName {
			delete(map[string]any{}, "trashed")
			r, err = tl.Call(t.Context(), tool.Call{Tool: tl.Spec().Name, Args: map[string]any{"path": "/tmp/x"}})
		}
		if err != nil || code(r) != "path_outside_roots" || r.Error.Class != tool.PolicyDenied {
			t.Errorf("%s: %+v, %v", tl.Spec().Name, r.Error, err)
		}
	}
}

func TestIfUnchanged(t *testing.T) {
	w := newWorld(t)
	ino := func(rel string) string { return files.Inode(t, w.at(rel)) }
	w.write("f", "abc")
	w.write("g", "abd")
	w.mkdir("d")
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	tests := []struct {
		name, tool, path, token, code string
	}{
		{"another inode", files.DeleteFileName, "f", "file ino=1 size=3 sha256=" + abc, "changed"},
		{"another size", files.DeleteFileName, "f", "file ino=" + ino("f") + " size=4", "changed"},
		{"another content", files.DeleteFileName, "g", "file ino=" + ino("g") + " size=3 sha256=" + abc, "changed"},
		{"another time", files.DeleteFileName, "f", "file mtime=5", "changed"},
		{"another kind", files.DeleteFileName, "f", "folder ino=" + ino("f"), "changed"},
		{"another folder", files.DeleteFolderName, "d", "folder ino=1", "changed"},
		{"another that has its number", files.DeleteFolderName, "d", "folder ino=" + ino("d") + " born=1700000000000000000", "changed"},
		{"a size of a folder", files.DeleteFolderName, "d", "folder size=4096", "changed"},
		{"an unknown word", files.DeleteFolderName, "d", "folder color=red", "bad_args"},
		{"a number that is none", files.DeleteFolderName, "d", "folder ino=x", "bad_args"},
		{"the very file", files.DeleteFileName, "f", "file ino=" + ino("f") + " size=3 sha256=" + abc, ""},
		{"gone is fine", files.DeleteFileName, "f", "file ino=1 size=3 sha256=" + abc, ""},
		{"the very folder", files.DeleteFolderName, "d", "folder ino=" + ino("d"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := w.call(tt.tool, args("path", w.at(tt.path), "if_unchanged", tt.token))
			if code(r) != tt.code {
				t.Errorf("code %q, want %q: %v", code(r), tt.code, r.Error)
			}
		})
	}
	if d := cmp.Diff([]string{"g"}, tree(t, w.root)); d != "" {
		t.Errorf("the root holds (-want +got):\n%s", d)
	}
	// A folder that is not empty any more stays, whatever else is the same.
	w.write("e/x", "x")
	if r := w.call(files.DeleteFolderName, args("path", w.at("e"), "if_unchanged", "folder ino="+ino("e"))); code(r) != "folder_not_empty" {
		t.Errorf("full folder: %q", code(r))
	}
}

func TestNamesOfAllKinds(t *testing.T) {
	w := newWorld(t)
	names := []string{
		"with space", "new\nline", "percent%20", "%", "Отчёты за май", "emoji 🗑", "-rf", "a=b", "[Trash Info]", ".hidden", "tab\t", "back\\slash",
		"quote'\"", strings.Repeat("я", 127), strings.Repeat("x", 255), strings.Repeat("x", 251) + ".txt", "#?&;", "trailing.", "~",
	}
	for _, name := range names {
		for round := range 2 { // two of one name in the trash
			w.write(name, name)
			r := w.call(files.DeleteFileName, args("path", w.at(name)))
			if code(r) != "" || exists(w.at(name)) {
				t.Fatalf("%q: %v", name, r.Error)
			}
			trashed := r.Undo.Args["trashed"].(string)
			if got := read(t, filepath.Join(w.trash, "files", trashed)); got != name {
				t.Errorf("%q: the trash holds %q", name, got)
			}
			info := read(t, filepath.Join(w.trash, "info", trashed+".trashinfo"))
			if !strings.HasPrefix(info, "[Trash Info]\nPath=/") || !strings.HasSuffix(info, "\nDeletionDate=2026-03-01T12:30:15\n") || strings.Count(info, "\n") != 3 {
				t.Errorf("%q: note %q", name, info)
			}
			if round == 0 {
				continue
			}
			if u := w.undo(r); code(u) != "" || read(t, w.at(name)) != name {
				t.Errorf("%q: undo: %v", name, u.Error)
			}
			if exists(filepath.Join(w.trash, "info", trashed+".trashinfo")) {
				t.Errorf("%q: its note stays behind", name)
			}
		}
	}
}

func TestPipesAndDevices(t *testing.T) {
	w := newWorld(t)
	files.Mkfifo(t, w.at("pipe"))
	r := w.call(files.DeleteFileName, args("path", w.at("pipe"), "if_unchanged", "file sha256="+strings.Repeat("0", 64)))
	if code(r) != "changed" {
		t.Errorf("a pipe has no content: %q", code(r))
	}
	if r := w.call(files.DeleteFileName, args("path", w.at("pipe"))); code(r) != "" || exists(w.at("pipe")) {
		t.Errorf("delete a pipe: %v", r.Error)
	}
}

func TestTheTrashFails(t *testing.T) {
	w := newWorld(t)
	w.write("x", "x")
	must.Succeed(t, os.MkdirAll(w.trash, 0o700))
	if err := os.WriteFile(filepath.Join(w.trash, "files"), nil, 0o600); err != nil { // in the way
		t.Fatal(err)
	}
	r := w.call(files.DeleteFileName, args("path", w.at("x")))
	if r.Error == nil || r.Error.Hint.Code != "files.trash_failed_hint" || !exists(w.at("x")) {
		t.Errorf("it fell back on deleting for good, or did not say: %+v", r.Error)
	}
}

func TestTheTrashItself(t *testing.T) {
	w := newWorld(t)
	trash := filepath.Join(w.root, "data", "Trash")
	byName := map[string]tool.Tool{}
	for _, tl := range files.Tools(files.Options{Roots: func() []string { return []string{w.root} }, TrashDir: trash}) {
		byName[tl.Spec().Name] = tl
	}
	w.tools = byName
	w.write("x", "x")
	r := w.call(files.DeleteFileName, args("path", w.at("x")))
	if code(r) != "" || !exists(filepath.Join(trash, "files", "x")) {
		t.Fatalf("delete: %v", r.Error)
	}
	if r := w.call(files.DeleteFileName, args("path", filepath.Join(trash, "files", "x"))); code(r) != "in_trash" {
		t.Errorf("delete what is in the trash: %q", code(r))
	}
	if r := w.call(files.DeleteFolderName, args("path", w.at("data"), "recursive", true)); code(r) != "holds_trash" {
		t.Errorf("delete what holds the trash: %q, %v", code(r), r.Error)
	}
	if !exists(filepath.Join(trash, "files", "x")) {
		t.Error("the trash is not whole any more")
	}
	if d := cmp.Diff([]string{"x.trashinfo"}, tree(t, filepath.Join(trash, "info"))); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
}

func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	w.write("x", "x")
	ctx, cancel := contextEnded(t)
	defer cancel()
	r, err := w.tools[files.DeleteFileName].Call(ctx, tool.Call{Args: args("path", w.at("x"))})
	if err != nil || code(r) != "interrupted" || !exists(w.at("x")) {
		t.Errorf("%v, %v", r.Error, err)
	}
	var typed *tool.Error
	if _, err := w.tools[files.DeleteFileName].(tool.Reconciler).Reconcile(t.Context(), tool.Call{Args: args("path", "/etc/passwd")}); !errors.As(err, &typed) {
		t.Errorf("reconcile outside of the roots: %v", err)
	}
}
