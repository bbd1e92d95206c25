//go:build linux

package system

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/planner/message"
)

func TestStartInstalled(t *testing.T) {
	withDisplay(t)
	work := t.TempDir()
	out := filepath.Join(work, "out")
	show := script(t, `{ pwd; for a in "$@"; do echo "$a"; done; } >`+out)
	home := homeDir()
	tests := []struct {
		name  string
		app   Installed
		args  map[string]any
		code  string // "" for ok
		text  string // part of the message
		wrote []string
	}{
		{"starts", Installed{Argv: []string{show, "--new", "$HOME;", "a b"}}, nil, "", "", []string{home, "--new", "$HOME;", "a b"}},
		{"in its folder", Installed{Argv: []string{show}, Folder: work}, nil, "", "", []string{work}},
		{"in a folder that is missing", Installed{Argv: []string{show}, Folder: filepath.Join(work, "missing")}, nil, "", "", []string{home}},
		{"in a relative folder", Installed{Argv: []string{show}, Folder: "."}, nil, "", "", []string{home}},
		{"of the planned file", Installed{Argv: []string{show}}, map[string]any{"desktop_file": "/apps/a.desktop"}, "", "", []string{home}},
		{"of another file", Installed{Argv: []string{show}}, map[string]any{"desktop_file": "/usr/a.desktop"}, "app_changed", "/usr/a.desktop", nil},
		{"in a terminal", Installed{Argv: []string{show, "x"}, Terminal: true}, nil, "", "", []string{home, "x"}},
		{"program missing", Installed{Argv: []string{"no-such-program"}}, nil, "app_not_installed", "no-such-program", nil},
		{"a page", Installed{Argv: []string{show}}, map[string]any{"url": "https://example.com/"}, "url_needs_browser", "", nil},
		{"arguments", Installed{Argv: []string{show}}, map[string]any{"args": []any{"x"}}, "args_refused", "", nil},
		{"not installed", Installed{}, nil, "app_not_installed", "there is no installed app", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_ = os.Remove(out)
			tt.app.File = "/apps/a.desktop"
			o := Options{
				Installed: func(id string) (Installed, error) {
					if tt.app.Argv == nil {
						return Installed{}, message.Error("system.no_such_entry", "id", id)
					}
					return tt.app, nil
				},
				LookPath: func(name string) (string, error) {
					if name == "xterm" { // the only terminal: env drops -e and runs the rest
						return script(t, `shift; exec "$@"`), nil
					}
					if filepath.IsAbs(name) {
						return exec.LookPath(name)
					}
					return "", exec.ErrNotFound
				},
			}
			args := map[string]any{"app_name": "a.desktop"}
			for name, v := range tt.args {
				args[name] = v
			}
			res := call(t, o, LaunchName, args)
			if tt.code != "" {
				if res.Error == nil || res.Error.Code != tt.code || !strings.Contains(i18n.English().Text(res.Error.Message), tt.text) {
					t.Errorf("result %+v, error %+v; want %s with %q", res.Payload, res.Error, tt.code, tt.text)
				}
				return
			}
			if !res.OK {
				t.Fatalf("error %+v", res.Error)
			}
			if diff := cmp.Diff(tt.wrote, strings.Split(strings.TrimSpace(string(must.ReadFile(t, out))), "\n")); diff != "" {
				t.Errorf("folder and arguments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoTerminal(t *testing.T) {
	o := Options{
		Installed: func(string) (Installed, error) { return Installed{Argv: []string{"htop"}, Terminal: true}, nil },
		LookPath:  func(string) (string, error) { return "", exec.ErrNotFound },
	}
	res := call(t, o, LaunchName, map[string]any{"app_name": "htop.desktop"})
	if res.Error == nil || res.Error.Code != "no_terminal" || !strings.Contains(i18n.English().Text(res.Error.Hint), "run htop in a terminal") {
		t.Errorf("error %+v", res.Error)
	}
}

func TestFileNeedsID(t *testing.T) {
	res := call(t, catalogue(t), LaunchName, map[string]any{"app_name": "done", "desktop_file": "/apps/a.desktop"})
	if res.Error == nil || res.Error.Code != "invalid_args" {
		t.Errorf("error %+v", res.Error)
	}
}

// startDisplay runs an X server for the test.
func startDisplay(t *testing.T) {
	t.Helper()
	withoutDisplay(t)
	number, written, err := os.Pipe()
	must.Succeed(t, err)
	defer number.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset") // the last client that leaves would reset it
	server.ExtraFiles = []*os.File{written}
	must.Succeed(t, server.Start())
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	written.Close()
	var display int
	_, err = fmt.Fscan(number, &display)
	must.Succeed(t, err)
	t.Setenv("DISPLAY", fmt.Sprintf(":%d", display))
}

// needPrograms skips the test if a program is missing. In CI it fails.
func needPrograms(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%s is missing", program)
			}
			t.Skipf("%s is missing", program)
		}
	}
}

// TestInstalledAppShowsItsWindow starts an X server and a small program in it, whose window is then among those of the desktop.
func TestInstalledAppShowsItsWindow(t *testing.T) {
	needPrograms(t, "Xvfb", "xmessage", "xwininfo")
	startDisplay(t)
	o := Options{Installed: func(string) (Installed, error) {
		return Installed{File: "/apps/note.desktop", Argv: []string{"xmessage", "-name", "errand-note", "hello"}}, nil
	}}
	res := call(t, o, LaunchName, map[string]any{"app_name": "note.desktop"})
	if !res.OK {
		t.Fatalf("error %+v", res.Error)
	}
	pid := int(res.Payload.(map[string]any)["pid"].(float64))
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	poll.Await(t, "the window of the app", func() bool {
		out, _ := exec.Command("xwininfo", "-root", "-tree").Output()
		return strings.Contains(string(out), "errand-note")
	})
}
