package brightness_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/desktop/brightness"
	"errand/host/desktop/desktoptest"
	"errand/host/tool"
)

func set(t *testing.T, dir string, args map[string]any) tool.Result {
	t.Helper()
	r, err := brightness.Tools(dir)[0].Call(t.Context(), tool.Call{Args: args})
	must.Succeed(t, err)
	return r
}

// addLight makes a backlight as sysfs shows it.
func addLight(t *testing.T, dir, name, kind string, value, limit int) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, name), 0o700))
	for file, text := range map[string]string{"type": kind, "brightness": strconv.Itoa(value), "max_brightness": strconv.Itoa(limit)} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name, file), []byte(text+"\n"), 0o600))
	}
}

// startLogind starts a service that changes the backlights in dir as logind does.
func startLogind(t *testing.T, dir string) *desktoptest.Service {
	t.Helper()
	return desktoptest.StartService(t, desktoptest.StartBus(t), "org.freedesktop.login1", "/org/freedesktop/login1/session/auto", "org.freedesktop.login1.Session", func(note func(...any)) map[string]any {
		return map[string]any{"SetBrightness": func(subsystem, name string, value uint32) *dbus.Error {
			note(subsystem, name, value)
			if err := os.WriteFile(filepath.Join(dir, name, "brightness"), []byte(strconv.Itoa(int(value))), 0o600); err != nil {
				return dbus.MakeFailedError(err)
			}
			return nil
		}}
	})
}

// TestBrightness: levels are percent of what the light can, and the screen never goes black.
func TestBrightness(t *testing.T) {
	for _, tt := range []struct {
		name         string
		value, limit int
		level        string
		want         uint32
	}{
		{"set", 400, 800, "25", 200},
		{"more", 400, 800, "+10", 480},
		{"less", 400, 800, "-10", 320},
		{"never black", 40, 800, "-10", 8},
		{"zero", 400, 800, "0", 8},
		{"few steps", 3, 7, "0", 1},
		{"at most all", 760, 800, "+10", 800},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			addLight(t, dir, "intel_backlight", "raw", tt.value, tt.limit)
			s := startLogind(t, dir)
			r := set(t, dir, map[string]any{"level": tt.level})
			if diff := cmp.Diff([][]any{{"backlight", "intel_backlight", tt.want}}, s.Calls()); !r.OK || diff != "" {
				t.Errorf("%v %s", r.Error, diff)
			}
		})
	}
}

// TestUndo: the undo restores the brightness, unless something else has changed it.
func TestUndo(t *testing.T) {
	dir := t.TempDir()
	addLight(t, dir, "intel_backlight", "raw", 400, 800)
	startLogind(t, dir)
	r := set(t, dir, map[string]any{"level": "25"})
	if r.Undo == nil {
		t.Fatal("no undo")
	}
	if r := set(t, dir, r.Undo.Args); !r.OK || r.Payload.(map[string]any)["level"] != "50" {
		t.Errorf("undo: %+v", r)
	}
	if r := set(t, dir, r.Undo.Args); r.Error == nil || r.Error.Code != "brightness_changed" {
		t.Errorf("a second undo: %+v", r)
	}
	for level, want := range map[string]tool.EffectState{"50": tool.Committed, "20": tool.Released, "+10": tool.Unknown} {
		got, err := brightness.Tools(dir)[0].(tool.Reconciler).Reconcile(t.Context(), tool.Call{Args: map[string]any{"level": level}})
		if err != nil || got.Effect != want {
			t.Errorf("reconcile %s: %v, %v", level, got.Effect, err)
		}
	}
}

// TestChoice: the light of the firmware is the one that works.
func TestChoice(t *testing.T) {
	dir := t.TempDir()
	addLight(t, dir, "acpi_video0", "firmware", 5, 10)
	addLight(t, dir, "intel_backlight", "raw", 400, 800)
	s := startLogind(t, dir)
	set(t, dir, map[string]any{"level": "30"})
	if diff := cmp.Diff([][]any{{"backlight", "acpi_video0", uint32(3)}}, s.Calls()); diff != "" {
		t.Error(diff)
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	desktoptest.StartBus(t)
	if r := set(t, dir, map[string]any{"level": "30"}); r.Error == nil || r.Error.Code != "no_backlight" {
		t.Errorf("%+v", r)
	}
	addLight(t, dir, "intel_backlight", "raw", 400, 800)
	if r := set(t, dir, map[string]any{"level": "30"}); r.Error == nil || r.Error.Code != "no_logind" {
		t.Errorf("%+v", r)
	}
}
