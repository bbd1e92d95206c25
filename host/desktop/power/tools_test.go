package power_test

import (
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/desktop/desktoptest"
	"errand/host/desktop/power"
	"errand/host/tool"
)

func call(t *testing.T, name string, args map[string]any) tool.Result {
	t.Helper()
	set, err := tool.NewSet(power.Tools()...)
	must.Succeed(t, err)
	found, _ := set.Get(name)
	r, err := found.Call(t.Context(), tool.Call{Args: args})
	must.Succeed(t, err)
	return r
}

// startLogind starts a service with the methods of logind that the tools use. can answers CanSuspend and so on.
func startLogind(t *testing.T, address, can string) *desktoptest.Service {
	t.Helper()
	return desktoptest.StartService(t, address, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", func(note func(...any)) map[string]any {
		methods := map[string]any{}
		for _, name := range []string{"Suspend", "Hibernate", "Reboot", "PowerOff"} {
			methods["Can"+name] = func() (string, *dbus.Error) { return can, nil }
			methods[name] = func(interactive bool) *dbus.Error { note(name, interactive); return nil }
		}
		return methods
	})
}

func TestPower(t *testing.T) {
	address := desktoptest.StartBus(t)
	s := startLogind(t, address, "challenge")
	for _, action := range []string{"suspend", "hibernate", "restart", "power_off"} {
		if r := call(t, power.PowerName, map[string]any{"action": action}); !r.OK || r.Undo != nil {
			t.Errorf("%s: %+v", action, r)
		}
	}
	if diff := cmp.Diff([][]any{{"Suspend", true}, {"Hibernate", true}, {"Reboot", true}, {"PowerOff", true}}, s.Calls()); diff != "" {
		t.Error(diff)
	}
}

// TestUnsupported: a computer that can't hibernate says so, and nothing is called.
func TestUnsupported(t *testing.T) {
	s := startLogind(t, desktoptest.StartBus(t), "na")
	if r := call(t, power.PowerName, map[string]any{"action": "hibernate"}); r.Error == nil || r.Error.Code != "power_unsupported" || len(s.Calls()) > 0 {
		t.Errorf("%+v, %v", r, s.Calls())
	}
}

// TestGently: a desktop that locks or ends its session itself is asked before logind.
func TestGently(t *testing.T) {
	for _, tt := range []struct {
		name, service, path, method string
		tool                        string
		args                        map[string]any
		want                        []any
	}{
		{name: "GNOME locks", service: "org.gnome.ScreenSaver", path: "/org/gnome/ScreenSaver", method: "Lock", tool: power.LockName, args: map[string]any{}, want: []any{"Lock"}},
		{name: "another desktop locks", service: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver", method: "Lock", tool: power.LockName, args: map[string]any{}, want: []any{"Lock"}},
		{name: "GNOME logs out", service: "org.gnome.SessionManager", path: "/org/gnome/SessionManager", method: "Logout", tool: power.PowerName, args: map[string]any{"action": "log_out"}, want: []any{"Logout", uint32(0)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := desktoptest.StartService(t, desktoptest.StartBus(t), tt.service, tt.path, tt.service, func(note func(...any)) map[string]any {
				if len(tt.want) > 1 {
					return map[string]any{tt.method: func(mode uint32) *dbus.Error { note(tt.method, mode); return nil }}
				}
				return map[string]any{tt.method: func() *dbus.Error { note(tt.method); return nil }}
			})
			if r := call(t, tt.tool, tt.args); !r.OK {
				t.Fatal(r.Error)
			}
			if diff := cmp.Diff([][]any{tt.want}, s.Calls()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSession: without such a desktop, logind locks and ends the session of the caller.
func TestSession(t *testing.T) {
	address := desktoptest.StartBus(t)
	s := desktoptest.StartService(t, address, "org.freedesktop.login1", "/org/freedesktop/login1/session/auto", "org.freedesktop.login1.Session", func(note func(...any)) map[string]any {
		return map[string]any{
			"Lock":      func() *dbus.Error { note("Lock"); return nil },
			"Terminate": func() *dbus.Error { note("Terminate"); return nil },
		}
	})
	for name, args := range map[string]map[string]any{power.LockName: {}, power.PowerName: {"action": "log_out"}} {
		if r := call(t, name, args); !r.OK {
			t.Errorf("%s: %v", name, r.Error)
		}
	}
	if len(s.Calls()) != 2 {
		t.Errorf("called: %v", s.Calls())
	}
}

// TestMissing: no system bus, and a bus without logind.
func TestMissing(t *testing.T) {
	desktoptest.StartBus(t)
	if r := call(t, power.PowerName, map[string]any{"action": "suspend"}); r.Error == nil || r.Error.Code != "no_logind" {
		t.Errorf("%+v", r)
	}
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent")
	if r := call(t, power.LockName, map[string]any{}); r.Error == nil || r.Error.Code != "no_system_bus" {
		t.Errorf("%+v", r)
	}
}
