package screenshot_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"

	"errand/build/must"
	"errand/host/desktop/desktoptest"
	"errand/host/desktop/screenshot"
	"errand/host/tool"
)

func picture(t *testing.T, width int) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 1))))
	return b.Bytes()
}

// startPortal starts a portal that answers with a response and the URI of a file.
func startPortal(t *testing.T, response uint32, uri string) {
	t.Helper()
	address := desktoptest.StartBus(t)
	c := desktoptest.Connect(t, address, "org.freedesktop.portal.Desktop")
	must.Succeed(t, c.ExportMethodTable(map[string]any{
		"Screenshot": func(sender dbus.Sender, parent string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
			token, _ := options["handle_token"].Value().(string)
			path := dbus.ObjectPath("/org/freedesktop/portal/desktop/request/" + strings.NewReplacer(":", "", ".", "_").Replace(string(sender)) + "/" + token)
			if err := c.Emit(path, "org.freedesktop.portal.Request.Response", response, map[string]dbus.Variant{"uri": dbus.MakeVariant(uri)}); err != nil {
				return "", dbus.MakeFailedError(err)
			}
			return path, nil
		},
	}, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Screenshot"))
}

func take(t *testing.T, capture func(context.Context) ([]byte, error)) tool.Result {
	t.Helper()
	r, err := screenshot.Tools(capture)[0].Call(t.Context(), tool.Call{ActionID: "a1"})
	must.Succeed(t, err)
	return r
}

func width(r tool.Result) any {
	if r.Error != nil {
		return r.Error.Code
	}
	return r.Payload.(map[string]any)["width"]
}

// TestScreenshot: the portal comes first, and the X server only where it shows the desktop.
func TestScreenshot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b.png")
	must.Succeed(t, os.WriteFile(file, picture(t, 7), 0o600))
	text := filepath.Join(t.TempDir(), "a.txt")
	must.Succeed(t, os.WriteFile(text, []byte("no picture"), 0o600))
	pipe := filepath.Join(t.TempDir(), "pipe")
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	fromX := func(context.Context) ([]byte, error) { return picture(t, 9), nil }
	uri := "file://" + strings.ReplaceAll(file, " ", "%20")
	for _, tt := range []struct {
		name             string
		start            func(t *testing.T)
		display, wayland string
		capture          func(context.Context) ([]byte, error)
		want             any
	}{
		{"by the portal", func(t *testing.T) { startPortal(t, 0, uri) }, ":1", "", fromX, 7.0},
		{"by the portal under Wayland", func(t *testing.T) { startPortal(t, 0, uri) }, "", "wayland-0", fromX, 7.0},
		{"the user refuses", func(t *testing.T) { startPortal(t, 1, "") }, ":1", "", fromX, "screenshot_refused"},
		{"no portal", func(t *testing.T) { desktoptest.StartBus(t) }, ":1", "", fromX, 9.0},
		{"no portal under Wayland", func(t *testing.T) { desktoptest.StartBus(t) }, ":1", "wayland-0", fromX, "no_portal"},
		{"no display", func(t *testing.T) { desktoptest.StartBus(t) }, "", "", fromX, "no_display"},
		{"no picture", func(t *testing.T) { startPortal(t, 0, "file://"+text) }, "", "wayland-0", fromX, "screenshot_failed"},
		{"a pipe", func(t *testing.T) { startPortal(t, 0, "file://"+pipe) }, "", "wayland-0", fromX, "screenshot_failed"},
		{"a device", func(t *testing.T) { startPortal(t, 0, "file:///dev/zero") }, "", "wayland-0", fromX, "screenshot_failed"},
		{"another address", func(t *testing.T) { startPortal(t, 0, "https://example.org/a.png") }, "", "wayland-0", fromX, "screenshot_failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.start(t)
			t.Setenv("DISPLAY", tt.display)
			t.Setenv("WAYLAND_DISPLAY", tt.wayland)
			r := take(t, tt.capture)
			if got := width(r); got != tt.want {
				t.Errorf("%v, want %v; %+v", got, tt.want, r.Error)
			}
			if r.OK && (len(r.Artifacts) != 1 || r.Artifacts[0].MediaType != "image/png" || len(r.Artifacts[0].Data) == 0) {
				t.Errorf("artifacts %+v", r.Artifacts)
			}
		})
	}
}
