package notify_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/desktop/desktoptest"
	"errand/host/desktop/notify"
	"errand/host/tool"
)

func show(t *testing.T, text string) tool.Result {
	t.Helper()
	r, err := notify.Tools()[0].Call(t.Context(), tool.Call{Args: map[string]any{"text": text}})
	must.Succeed(t, err)
	return r
}

// TestNotify: the text is shown as it is, also by a server that reads markup.
func TestNotify(t *testing.T) {
	for _, tt := range []struct {
		name      string
		abilities []string
		text      string
		want      string
	}{
		{"plain", []string{"body"}, "1 < 2 & <b>bold</b>", "1 < 2 & <b>bold</b>"},
		{"markup", []string{"body", "body-markup"}, "1 < 2 & <b>bold</b>", "1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;"},
		{"Russian", []string{"body-markup"}, "ужин готов", "ужин готов"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := desktoptest.StartService(t, desktoptest.StartBus(t), "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
				func(note func(...any)) map[string]any {
					return map[string]any{
						"GetCapabilities": func() ([]string, *dbus.Error) { return tt.abilities, nil },
						"Notify": func(app string, replaces uint32, icon, summary, body string, actions []string, hints map[string]dbus.Variant, timeout int32) (uint32, *dbus.Error) {
							note(app, summary, body)
							return 1, nil
						},
					}
				})
			if r := show(t, tt.text); !r.OK {
				t.Fatal(r.Error)
			}
			if diff := cmp.Diff([][]any{{"Errand", "Errand", tt.want}}, s.Calls()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBadService: a service that says nothing useful about itself gets the text all the same, and one that
// refuses it is an error.
func TestBadService(t *testing.T) {
	shown := func(note func(...any)) any {
		return func(app string, replaces uint32, icon, summary, body string, actions []string, hints map[string]dbus.Variant, timeout int32) (uint32, *dbus.Error) {
			note(body)
			return 1, nil
		}
	}
	for _, tt := range []struct {
		name      string
		abilities any
		want      [][]any
	}{
		{"no answer", func() *dbus.Error { return nil }, [][]any{{"<b>"}}},
		{"another type", func() (uint32, *dbus.Error) { return 7, nil }, [][]any{{"<b>"}}},
		{"an error", func() (string, *dbus.Error) { return "", dbus.MakeFailedError(errors.New("no")) }, [][]any{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := desktoptest.StartService(t, desktoptest.StartBus(t), "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications",
				func(note func(...any)) map[string]any {
					return map[string]any{"GetCapabilities": tt.abilities, "Notify": shown(note)}
				})
			r := show(t, "<b>")
			if diff := cmp.Diff(tt.want, s.Calls()); diff != "" {
				t.Error(diff)
			}
			if r.OK != (len(tt.want) > 0) {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestBadBus: a bus that answers nothing or garbage is left at the deadline.
func TestBadBus(t *testing.T) {
	for _, says := range []string{"", "\r\n", "REJECTED\r\n", "REJECTED EXTERNAL\r\nOK\r\nOK\r\n", "REJECTED EXTERNAL\r\nOK 1234\r\n\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		t.Run(says, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "bus")
			must.Succeed(t, err)
			t.Cleanup(func() { os.RemoveAll(dir) })
			l, err := net.Listen("unix", filepath.Join(dir, "bus"))
			must.Succeed(t, err)
			t.Cleanup(func() { l.Close() })
			go func() {
				for c, err := l.Accept(); err == nil; c, err = l.Accept() {
					t.Cleanup(func() { c.Close() })
					_, _ = c.Write([]byte(says))
				}
			}()
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(dir, "bus"))
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			if err := notify.Show(ctx, "x"); err == nil {
				t.Error("shown")
			}
		})
	}
}

// TestMissing: a bus without such a service, and no bus.
func TestMissing(t *testing.T) {
	desktoptest.StartBus(t)
	if r := show(t, "x"); r.Error == nil || r.Error.Code != "no_notifications" {
		t.Errorf("%+v", r)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	if r := show(t, "x"); r.Error == nil || r.Error.Code != "no_session_bus" {
		t.Errorf("%+v", r)
	}
}
