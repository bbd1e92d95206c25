//go:build linux

package system

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
)

func TestIsNamed(t *testing.T) {
	names := []string{"calculator", "gnome-calculator", "kcalc", "gimp"}
	for name, want := range map[string]bool{
		"kcalc": true, "KCalc": true, "gnome-calculator": true, "org.gnome.Calculator": true, "gimp-2.10": true, "Gimp-2.10": true,
		"/usr/bin/kcalc": true, "calc": false, "kcalc-helper": false, "org.gnome.Calculator.evil": false, "evil.calculator": false, "": false, "gimp-": false,
		"a b.c.calculator": false,
	} {
		if got := isNamed(name, names); got != want {
			t.Errorf("isNamed(%q) = %v", name, got)
		}
	}
}

// startDesktop runs an X server with a window manager for the test.
func startDesktop(t *testing.T) {
	t.Helper()
	needPrograms(t, "Xvfb", "xmessage", "openbox")
	startDisplay(t)
	started := filepath.Join(t.TempDir(), "started")
	manager := exec.Command("openbox", "--sm-disable", "--startup", "touch "+started)
	must.Succeed(t, manager.Start())
	t.Cleanup(func() { _ = manager.Process.Kill(); _ = manager.Wait() })
	poll.Await(t, "the window manager", func() bool { // a window that comes while it starts may be lost
		_, err := os.Stat(started)
		return err == nil
	})
}

// show starts a program that shows a window, and waits for it. A window that comes while the window
// manager starts may be lost to it, so that the program is started again.
func show(t *testing.T, class string, text string) {
	t.Helper()
	isListed := func() bool {
		for _, w := range desktop(context.Background()).list {
			if w.instance == class {
				return true
			}
		}
		return false
	}
	for range 10 {
		cmd := exec.Command("xmessage", "-name", class, text)
		must.Succeed(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		end := func() { _ = cmd.Process.Signal(syscall.SIGKILL); <-ended }
		if await(t.Context(), 2*time.Second, isListed) {
			t.Cleanup(end)
			return
		}
		end()
	}
	t.Fatalf("the window manager lists no window of %s", class)
}

func TestSwitchAndClose(t *testing.T) {
	startDesktop(t)
	o := Options{
		Apps: func() []App {
			return []App{{ID: "notepad", Exec: [][]string{{"errand-note"}}}, {ID: "gone", Exec: [][]string{{"gone"}}}}
		},
		Installed: func(string) (Installed, error) {
			return Installed{Names: []string{"errand-other"}}, nil
		},
	}
	show(t, "errand-note", "one")
	show(t, "errand-other", "two")
	front := func() string {
		now := desktop(t.Context())
		if now.front < 0 {
			return ""
		}
		return now.list[now.front].instance
	}
	steps := []struct {
		tool, app, code string
		front           string
		open            int
	}{
		{SwitchToAppName, "notepad", "", "errand-note", 2},
		{SwitchToAppName, "other.desktop", "", "errand-other", 2},
		{SwitchToAppName, "notepad", "", "errand-note", 2},
		{SwitchToAppName, "gone", "no_window", "errand-note", 2},
		{CloseAppName, "gone", "no_window", "errand-note", 2},
		{CloseAppName, "nonesuch", "unknown_app", "errand-note", 2},
		{CloseAppName, "notepad", "", "errand-other", 1},
		{CloseAppName, "notepad", "no_window", "errand-other", 1},
		{CloseAppName, "other.desktop", "", "", 0},
		{CloseAppName, "other.desktop", "no_window", "", 0},
	}
	for i, s := range steps {
		name := fmt.Sprintf("%d %s %s", i, strings.TrimPrefix(s.tool, "system.apps."), s.app)
		res := call(t, o, s.tool, map[string]any{"app_name": s.app})
		if s.code != "" && (res.Error == nil || res.Error.Code != s.code) || s.code == "" && !res.OK {
			t.Errorf("%s: result %+v, error %+v; want %q", name, res.Payload, res.Error, s.code)
		}
		if got := len(windowsOf(t.Context(), []string{"errand-note", "errand-other"}, desktop(t.Context()).list)); got != s.open {
			t.Errorf("%s: %d windows, want %d", name, got, s.open)
		}
		poll.Await(t, name+": "+s.front+" in front", func() bool { return s.front == "" || front() == s.front })
	}
}

// TestSizes minimizes and maximizes windows under a real window manager, and undoes it.
func TestSizes(t *testing.T) {
	startDesktop(t)
	o := Options{Apps: func() []App { return []App{{ID: "notepad", Exec: [][]string{{"errand-note"}}}} }}
	show(t, "errand-note", "one")
	id := desktop(t.Context()).list[0].id
	do := func(name string, args map[string]any, want windowState) tool.Result {
		t.Helper()
		res := call(t, o, name, args)
		if got := readWindowState(id); !res.OK || got != want {
			t.Errorf("%s %v: %+v, error %+v, want %+v", name, args, got, res.Error, want)
		}
		return res
	}
	app := map[string]any{"app_name": "notepad"}
	shrunk := do(MinimizeAppName, app, windowState{minimized: true})
	if again := do(MinimizeAppName, app, windowState{minimized: true}); again.Undo != nil {
		t.Errorf("the undo of nothing: %+v", again.Undo)
	}
	do(shrunk.Undo.Tool, shrunk.Undo.Args, windowState{})
	grown := do(MaximizeAppName, app, windowState{maximized: true})
	if again := do(MaximizeAppName, app, windowState{maximized: true}); again.Undo != nil {
		t.Errorf("the undo of nothing: %+v", again.Undo)
	}
	do(grown.Undo.Tool, grown.Undo.Args, windowState{})
	do(MinimizeAppName, app, windowState{minimized: true})
	do(MaximizeAppName, app, windowState{maximized: true}) // a minimized window is shown
	poll.Await(t, "the window is in front", func() bool { return desktop(t.Context()).front >= 0 })
	do(MinimizeAppName, map[string]any{"part": "window"}, windowState{minimized: true, maximized: true})
	do(MinimizeAppName, map[string]any{"part": "windows"}, windowState{minimized: true, maximized: true})
}

func TestNoWindowsWithoutDisplay(t *testing.T) {
	withoutDisplay(t)
	for _, name := range []string{CloseAppName, SwitchToAppName, MinimizeAppName, MaximizeAppName} {
		o := Options{Apps: func() []App { return []App{{ID: "notepad"}} }}
		res := call(t, o, name, map[string]any{"app_name": "notepad"})
		if res.Error == nil || res.Error.Code != "no_windows" || res.Error.Hint.IsZero() {
			t.Errorf("%s: %+v, %+v", name, res.Payload, res.Error)
		}
	}
}
