//go:build unix && !darwin

package system

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
)

// TestOpenPath: what reaches the opener is the real path of a file or folder in a granted
// folder, and never something that runs.
func TestOpenPath(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must.Succeed(t, err)
	opener, log := filepath.Join(dir, "xdg-open"), filepath.Join(dir, "log")
	must.Succeed(t, os.WriteFile(opener, []byte("#!/bin/sh\nfor a; do echo \"[$a]\" >> "+log+"; done\n"), 0o755))
	x := openPathTool(Options{
		LookPath: func(name string) (string, error) { return filepath.Join(dir, name), nil },
		Roots:    func() []string { return []string{root} },
	}.withDefaults())
	if s := x.Spec(); s.SideEffectClass != tool.Write || s.Effect != tool.EffectNavigate || s.Validate() != nil {
		t.Errorf("spec = %+v", s)
	}
	write := func(name, content string, perm os.FileMode) {
		t.Helper()
		must.Succeed(t, os.WriteFile(filepath.Join(root, name), []byte(content), perm))
	}
	write("a.txt", "a", 0o600)
	write("Отчёт -n.pdf", "%PDF", 0o600)
	write("page.html", "<p>", 0o600)
	write("tool.desktop", "[Desktop Entry]\n", 0o600)
	write("TOOL.EXE", "x", 0o600)
	write("tool.jar", "x", 0o600)
	write("script.sh", "x", 0o600)
	write("script.py", "x", 0o600)
	write("script", "#!/bin/sh\n", 0o600)
	write("entry", "[Desktop Entry]\n", 0o600)
	write("elf.txt", "\x7fELF", 0o600)
	write("runs.dat", "x", 0o700)
	write("trick.bat.", "x", 0o600)
	write("disk.pdf", "%PDF", 0o777)
	write("shell.pdf", "#!/bin/sh\n", 0o777)
	write("notes.kdelnk", "x", 0o600)
	write("kde", "[KDE Desktop Entry]\nExec=xterm\n", 0o600)
	write("comments", "# a\n\n; b\n [desktop entry]\n", 0o600)
	write("late", "# 8 bytes [Desktop Entry]\n", 0o600)
	write("mark", "\ufeff[Desktop Action x]\n", 0o600)
	write("own.theme", "x", 0o600)
	write("Own.Rexx", "x", 0o600)
	write("own.settingcontent-ms", "x", 0o600)
	write("how.md", "A starter is a text that says how a program begins:\n\n[Desktop Entry]\nExec=xterm\n... is its first group", 0o600)
	write("own.plain", "x", 0o600)
	// The desktop's own types: one is a kind of a program by two steps.
	t.Setenv("XDG_DATA_DIRS", dir)
	must.Succeed(t, os.Mkdir(filepath.Join(dir, "mime"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "mime", "globs2"), []byte("# x\n50:text/x-rexx:*.rexx\n50:text/plain:*.plain\n"), 0o600))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "mime", "subclasses"), []byte("text/x-rexx text/x-script\ntext/x-script application/x-executable\ntext/x-script text/x-rexx\n"), 0o600))
	for name, target := range map[string]string{"inside": "a.txt", "out": outside, "to-script": "script.sh", "loop": "loop"} {
		must.Succeed(t, os.Symlink(target, filepath.Join(root, name)))
	}
	must.Succeed(t, os.WriteFile(filepath.Join(outside, "x"), nil, 0o600))
	must.Succeed(t, os.Mkdir(filepath.Join(root, "Some.app"), 0o700))
	tests := []struct{ path, code, opened string }{
		{root + "/a.txt", "", root + "/a.txt"},
		{root + "/inside", "", root + "/a.txt"},
		{root + "/Отчёт -n.pdf", "", root + "/Отчёт -n.pdf"},
		{root + "/page.html", "", root + "/page.html"},
		{root + "/disk.pdf", "", root + "/disk.pdf"},
		{root + "/how.md", "", root + "/how.md"},
		{root + "/own.plain", "", root + "/own.plain"},
		{root, "", root},
		{root + "/notes.kdelnk", "runnable_refused", ""},
		{root + "/kde", "runnable_refused", ""},
		{root + "/comments", "runnable_refused", ""},
		{root + "/late", "runnable_refused", ""},
		{root + "/mark", "runnable_refused", ""},
		{root + "/own.theme", "runnable_refused", ""},
		{root + "/Own.Rexx", "runnable_refused", ""},
		{root + "/own.settingcontent-ms", "runnable_refused", ""},
		{root + "/tool.desktop", "runnable_refused", ""},
		{root + "/TOOL.EXE", "runnable_refused", ""},
		{root + "/tool.jar", "runnable_refused", ""},
		{root + "/script.sh", "runnable_refused", ""},
		{root + "/script.py", "runnable_refused", ""},
		{root + "/script", "runnable_refused", ""},
		{root + "/entry", "runnable_refused", ""},
		{root + "/elf.txt", "runnable_refused", ""},
		{root + "/runs.dat", "runnable_refused", ""},
		{root + "/trick.bat.", "runnable_refused", ""},
		{root + "/shell.pdf", "runnable_refused", ""},
		{root + "/Some.app", "runnable_refused", ""},
		{root + "/to-script", "runnable_refused", ""},
		{root + "/none", "not_found", ""},
		{root + "/out/x", "path_outside_roots", ""},
		{root + "/out", "path_outside_roots", ""},
		{root + "/loop", "path_outside_roots", ""},
		{root + "/../x", "path_outside_roots", ""},
		{outside + "/x", "path_outside_roots", ""},
		{"a.txt", "path_outside_roots", ""},
		{"--help", "path_outside_roots", ""},
	}
	// A display that answers.
	socket := filepath.Join(dir, "wayland")
	l, err := net.Listen("unix", socket)
	must.Succeed(t, err)
	defer l.Close()
	t.Setenv("WAYLAND_DISPLAY", socket)
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			_ = os.Remove(log)
			r, err := x.Call(t.Context(), tool.Call{Tool: OpenPathName, Args: map[string]any{"path": tt.path}})
			must.Succeed(t, err)
			code := ""
			if r.Error != nil {
				code = r.Error.Code
			}
			if code != tt.code {
				t.Fatalf("%v, want %q", r.Error, tt.code)
			}
			if tt.code != "" {
				if b, err := os.ReadFile(log); err == nil {
					t.Errorf("the opener got %s", b)
				}
				return
			}
			poll.Await(t, "the opener gets the path", func() bool { b, _ := os.ReadFile(log); return string(b) == "["+tt.opened+"]\n" })
		})
	}
	l.Close()
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	r, err := x.Call(t.Context(), tool.Call{Tool: OpenPathName, Args: map[string]any{"path": root + "/a.txt"}})
	if err != nil || r.Error == nil || r.Error.Code != "no_display" {
		t.Errorf("without a display: %v, %v", r.Error, err)
	}
}
