package plugins_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/files"
	"errand/host/tool"
)

// withFiles are the plugins' tools and the built-in ones that take back what
// the files plugin made.
func withFiles(t *testing.T, root string) func(name string, args map[string]any) tool.Result {
	t.Helper()
	all := tools(t, root)
	for _, tl := range files.Tools(files.Options{Roots: func() []string { return []string{root} }, TrashDir: filepath.Join(t.TempDir(), "Trash")}) {
		if all[tl.Spec().Name] != nil {
			t.Errorf("there are two tools named %s", tl.Spec().Name)
		}
		all[tl.Spec().Name] = tl
	}
	return func(name string, args map[string]any) tool.Result {
		t.Helper()
		r, err := all[name].Call(t.Context(), tool.Call{Tool: name, Args: args})
		must.Succeed(t, err)
		return r
	}
}

// TestUndo: what the plugin made is taken away while nothing else changed it.
func TestUndo(t *testing.T) {
	tests := []struct {
		name  string
		make  string
		args  []any // beside the path
		path  string
		spoil func(p string) error // between the call and its undo
		code  string
		left  []string
	}{
		{"folder", "files.create_folder", nil, "d", nil, "", []string{}},
		{"only the folder that was asked for", "files.create_folder", nil, "a/b", nil, "", []string{"a"}},
		{"a name of any kind", "files.create_folder", nil, "Отчёты за май", nil, "", []string{}},
		{"folder that holds something now", "files.create_folder", nil, "d", func(p string) error { return os.WriteFile(filepath.Join(p, "x"), nil, 0o600) }, "folder_not_empty", []string{"d"}},
		{"another folder", "files.create_folder", nil, "d", func(p string) error { os.Rename(p, p+"2"); return os.Mkdir(p, 0o700) }, "changed", []string{"d", "d2"}},
		{"a file in its place", "files.create_folder", nil, "d", func(p string) error { os.Remove(p); return os.WriteFile(p, nil, 0o600) }, "not_a_folder", []string{"d"}},
		{"gone already", "files.create_folder", nil, "d", os.Remove, "", []string{}},
		{"file", "files.create_file", []any{"content", "hello"}, "f", nil, "", []string{}},
		{"empty file", "files.create_file", nil, "f", nil, "", []string{}},
		{"file that was written to", "files.create_file", []any{"content", "hello"}, "f", func(p string) error { return os.WriteFile(p, []byte("hellO"), 0o600) }, "changed", []string{"f"}},
		{"file that grew", "files.create_file", nil, "f", func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) }, "changed", []string{"f"}},
		{"another file of the same content", "files.create_file", []any{"content", "hello"}, "f", func(p string) error { os.Rename(p, p+"2"); return os.WriteFile(p, []byte("hello"), 0o600) }, "changed", []string{"f", "f2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			call := withFiles(t, root)
			p := filepath.Join(root, tt.path)
			r := call(tt.make, args(append([]any{"path", p}, tt.args...)...))
			if !r.OK || r.Undo == nil || r.Undo.Args["path"] != p {
				t.Fatalf("%+v, %v, undo %+v", r, r.Error, r.Undo)
			}
			if tt.spoil != nil {
				must.Succeed(t, tt.spoil(p))
			}
			u := call(r.Undo.Tool, r.Undo.Args)
			code := ""
			if u.Error != nil {
				code = u.Error.Code
			}
			if code != tt.code {
				t.Errorf("code %q, want %q: %v", code, tt.code, u.Error)
			}
			if got := list(t, root); !cmp.Equal(append([]string{}, got...), tt.left) {
				t.Errorf("left is %v, want %v", got, tt.left)
			}
		})
	}
}

// TestUndoInTurn: a folder and what was made in it go one after the other, and
// come back in turn.
func TestUndoInTurn(t *testing.T) {
	root := t.TempDir()
	call := withFiles(t, root)
	folder := call("files.create_folder", args("path", filepath.Join(root, "d")))
	file := call("files.create_file", args("path", filepath.Join(root, "d/f"), "content", "hello"))
	if again := call("files.create_folder", args("path", filepath.Join(root, "d"))); again.Undo != nil {
		t.Errorf("what was there already can be undone: %+v", again.Undo)
	}
	var redo []*tool.Inverse
	for _, r := range []tool.Result{file, folder} {
		u := call(r.Undo.Tool, r.Undo.Args)
		if !u.OK {
			t.Fatal(u.Error)
		}
		redo = append([]*tool.Inverse{u.Undo}, redo...)
	}
	if got := list(t, root); len(got) > 0 {
		t.Errorf("left is %v", got)
	}
	for _, inverse := range redo {
		if r := call(inverse.Tool, inverse.Args); !r.OK {
			t.Fatal(r.Error)
		}
	}
	if got := read(t, filepath.Join(root, "d/f")); got != "hello" {
		t.Errorf("it came back as %q", got)
	}
}

func TestReconcile(t *testing.T) {
	root := t.TempDir()
	all := tools(t, root)
	at := func(rel string) string { return filepath.Join(root, rel) }
	for _, dir := range []string{"d", "e"} {
		must.Succeed(t, os.Mkdir(at(dir), 0o700))
	}
	write(t, at("f"), "hello")
	tests := []struct {
		name, tool string
		args       map[string]any
		want       tool.EffectState
	}{
		{"folder there", "files.create_folder", args("path", at("d")), tool.Committed},
		{"folder not there", "files.create_folder", args("path", at("no")), tool.Released},
		{"nor the one above it", "files.create_folder", args("path", at("no/no")), tool.Released},
		{"a file in its place", "files.create_folder", args("path", at("f")), tool.Released},
		{"file there", "files.create_file", args("path", at("f"), "content", "hello"), tool.Committed},
		{"any file", "files.create_file", args("path", at("f")), tool.Committed},
		{"another content", "files.create_file", args("path", at("f"), "content", "hell"), tool.Unknown},
		{"file not there", "files.create_file", args("path", at("no"), "content", "hello"), tool.Released},
		{"a folder in its place", "files.create_file", args("path", at("d")), tool.Released},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := all[tt.tool].(tool.Reconciler).Reconcile(t.Context(), tool.Call{Tool: tt.tool, Args: tt.args})
			must.Succeed(t, err)
			if got.Effect != tt.want {
				t.Errorf("effect %s, want %s", got.Effect, tt.want)
			}
			if tt.want != tool.Committed {
				return
			}
			want := tool.OK(made(tt.args["path"].(string), true))
			want.Facts = facts("exists:", tt.args["path"].(string))
			if d := cmp.Diff(want, got.Result); d != "" {
				t.Errorf("result (-want +got):\n%s", d)
			}
		})
	}
	if got := list(t, root); !cmp.Equal(got, []string{"d", "e", "f"}) {
		t.Errorf("looking changed something: %v", got)
	}
}
