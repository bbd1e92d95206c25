package notify_test

import (
	"testing"

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
