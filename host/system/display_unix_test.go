//go:build linux

package system

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
)

// withDisplay gives the test a display server that only accepts connections.
func withDisplay(t *testing.T) {
	t.Helper()
	dir := withoutDisplay(t)
	l, err := net.Listen("unix", filepath.Join(dir, "wayland-7"))
	must.Succeed(t, err)
	t.Cleanup(func() { l.Close() })
	t.Setenv("WAYLAND_DISPLAY", "wayland-7")
}

func withoutDisplay(t *testing.T) (runtimeDir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "run") // a socket's path is short
	must.Succeed(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	return dir
}

// script writes a program.
func script(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program")
	must.Succeed(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	return name
}

// TestAppThatCannotStart checks that an app which needs a display that is missing, or
// ends in its first moments with an error, is reported as an error.
func TestAppThatCannotStart(t *testing.T) {
	listens := func(name string) func(*testing.T) {
		return func(t *testing.T) {
			dir := withoutDisplay(t)
			place := name
			if !strings.HasPrefix(name, "@") {
				place = filepath.Join(dir, name)
			}
			l, err := net.Listen("unix", place)
			must.Succeed(t, err)
			t.Cleanup(func() { l.Close() })
		}
	}
	set := func(name, value string) func(*testing.T) {
		return func(t *testing.T) { withoutDisplay(t); t.Setenv(name, value) }
	}
	bare := func(t *testing.T) { withoutDisplay(t) }
	const stays, crashes, dies = "exec sleep 60", "sleep 0.7; exit 3", "sleep 0.7; kill -SEGV $$"
	for _, tt := range []struct {
		name    string
		display func(*testing.T)
		app     string // chrome is a browser
		program string
		args    []string
		code    string // "" for running
		text    string // part of the message
	}{
		{"a browser without a display", bare, "chrome", stays, nil, "no_display", "DISPLAY and WAYLAND_DISPLAY are not set"},
		{"a browser on an X display that is gone", set("DISPLAY", ":6543"), "chrome", stays, nil, "no_display", "no display answers at :6543"},
		{"a browser on a Wayland display that is gone", set("WAYLAND_DISPLAY", "wayland-3"), "chrome", stays, nil, "no_display", "no display answers at wayland-3"},
		{"a browser on a display of another machine", set("DISPLAY", "desk.example:10.0"), "chrome", stays, nil, "", ""},
		{"a browser on the usual Wayland display", listens("wayland-0"), "chrome", stays, nil, "", ""},
		{"a browser on an abstract X socket", func(t *testing.T) { listens("@/tmp/.X11-unix/X6543")(t); t.Setenv("DISPLAY", ":6543.0") }, "chrome", stays, nil, "", ""},
		{"a browser that shows no window", bare, "chrome", stays, []string{"--headless=new"}, "", ""},
		{"a program that needs no display", bare, "tool", stays, nil, "", ""},
		{"a program that fails late without a display", bare, "tool", "sleep 2; exit 1", nil, "no_display", "exit status 1); this session has no display"},
		{"a program that fails within the first moments", withDisplay, "tool", crashes, nil, "app_failed", "exit status 3"},
		{"a browser that fails within the first moments", withDisplay, "chrome", crashes, nil, "app_failed", "exit status 3"},
		{"a program that crashes", withDisplay, "tool", dies, nil, "app_failed", "segmentation fault"},
		{"a program that a signal ends", withDisplay, "tool", "kill -KILL $$", nil, "app_failed", "killed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.display(t)
			argv := append([]string{script(t, tt.program)}, tt.args...)
			o := Options{
				App:     func(string) ([][]string, bool) { return [][]string{argv}, true },
				Browser: func(id string) bool { return id == "chrome" },
			}
			res := call(t, o, LaunchName, map[string]any{"app_name": tt.app})
			if res.OK {
				payload := res.Payload.(map[string]any)
				t.Cleanup(func() { _ = syscall.Kill(int(payload["pid"].(float64)), syscall.SIGKILL) })
				if tt.code != "" || payload["running"] != true {
					t.Errorf("result %v, want %s", payload, tt.code)
				}
				return
			}
			if text := i18n.English().Text(res.Error.Message); res.Error.Code != tt.code || !strings.Contains(text, tt.text) || res.Error.Hint.IsZero() {
				t.Errorf("error %+v %q, want %s with %q", res.Error, text, tt.code, tt.text)
			}
		})
	}
}
