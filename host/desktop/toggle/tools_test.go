package toggle_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/desktop/desktoptest"
	"errand/host/desktop/toggle"
	"errand/host/tool"
)

// properties are the objects of a service with their properties, which calls may set.
type properties struct {
	mu     sync.Mutex
	values map[dbus.ObjectPath]map[string]any
}

// start starts the service.
func (p *properties) start(t *testing.T, address, name string) {
	t.Helper()
	c := desktoptest.Connect(t, address, name)
	for path := range p.values {
		must.Succeed(t, c.ExportMethodTable(map[string]any{
			"Get": func(_, property string) (dbus.Variant, *dbus.Error) {
				p.mu.Lock()
				defer p.mu.Unlock()
				v, ok := p.values[path][property]
				if !ok {
					return dbus.Variant{}, dbus.MakeFailedError(errors.New("no property " + property))
				}
				return dbus.MakeVariant(v), nil
			},
			"Set": func(_, property string, v dbus.Variant) *dbus.Error {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.values[path][property] = v.Value()
				return nil
			},
		}, path, "org.freedesktop.DBus.Properties"))
	}
}

func (p *properties) get(path dbus.ObjectPath, property string) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.values[path][property]
}

const manager = dbus.ObjectPath("/org/freedesktop/NetworkManager")

func missing(name string) (string, error) { return "", errors.New(name + " is not installed") }

func call(t *testing.T, lookPath func(string) (string, error), name string, args map[string]any) tool.Result {
	t.Helper()
	for _, x := range toggle.Tools(lookPath) {
		if x.Spec().Name == name {
			r, err := x.Call(t.Context(), tool.Call{Args: args})
			must.Succeed(t, err)
			return r
		}
	}
	t.Fatalf("no tool %s", name)
	return tool.Result{}
}

// turn turns a part on or off and returns what the undo does, or the code of the error.
func turn(t *testing.T, lookPath func(string) (string, error), action, part string) any {
	t.Helper()
	r := call(t, lookPath, toggle.TurnName, map[string]any{"action": action, "part": part})
	switch {
	case r.Error != nil:
		return r.Error.Code
	case r.Undo == nil:
		return nil
	}
	return r.Undo.Args["action"]
}

// TestRadios: Wi-Fi and Bluetooth are turned by their services, and only what changed has an undo.
func TestRadios(t *testing.T) {
	address := desktoptest.StartBus(t)
	radio := &properties{values: map[dbus.ObjectPath]map[string]any{manager: {"WirelessEnabled": true, "WirelessHardwareEnabled": true}}}
	radio.start(t, address, "org.freedesktop.NetworkManager")
	adapters := &properties{values: map[dbus.ObjectPath]map[string]any{"/org/bluez/hci1": {"Powered": false}, "/org/bluez/hci2": {"Powered": false}}}
	adapters.start(t, address, "org.bluez")
	for _, tt := range []struct {
		action, part string
		want         any
	}{
		{"turn_off", "wifi", "turn_on"}, {"turn_off", "wifi", nil}, {"turn_on", "wifi", "turn_off"}, {"turn_on", "bluetooth", "turn_off"}, {"turn_on", "bluetooth", nil}, {"turn_off", "bluetooth", "turn_on"},
	} {
		if got := turn(t, missing, tt.action, tt.part); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.action, tt.part, got, tt.want)
		}
		on := tt.action == "turn_on"
		if tt.part == "wifi" && radio.get(manager, "WirelessEnabled") != on || tt.part == "bluetooth" && adapters.get("/org/bluez/hci2", "Powered") != on {
			t.Errorf("%s %s had no effect", tt.action, tt.part)
		}
	}
	x := toggle.Tools(missing)[0].(tool.Reconciler)
	for action, want := range map[string]tool.EffectState{"turn_on": tool.Committed, "turn_off": tool.Released} {
		got, err := x.Reconcile(t.Context(), tool.Call{Args: map[string]any{"action": action, "part": "wifi"}})
		if err != nil || got.Effect != want {
			t.Errorf("reconcile %s: %v, %v", action, got.Effect, err)
		}
	}
}

// TestBlockedRadio: a switch of the computer wins.
func TestBlockedRadio(t *testing.T) {
	address := desktoptest.StartBus(t)
	radio := &properties{values: map[dbus.ObjectPath]map[string]any{manager: {"WirelessEnabled": false, "WirelessHardwareEnabled": false}}}
	radio.start(t, address, "org.freedesktop.NetworkManager")
	if got := turn(t, missing, "turn_on", "wifi"); got != "radio_blocked" || radio.get(manager, "WirelessEnabled") != false {
		t.Errorf("%v", got)
	}
}

// TestMissingServices: without a service nothing happens, and the error says what is missing.
func TestMissingServices(t *testing.T) {
	desktoptest.StartBus(t)
	for part, want := range map[string]string{"wifi": "no_network_manager", "bluetooth": "no_bluetooth", "darkmode": "no_gsettings", "quiet": "no_gsettings", "lamp": "unknown_part"} {
		if got := turn(t, missing, "turn_on", part); got != want {
			t.Errorf("%s: %v, want %s", part, got, want)
		}
	}
}

// TestNetwork tells the connection in use.
func TestNetwork(t *testing.T) {
	const used = dbus.ObjectPath("/org/freedesktop/NetworkManager/ActiveConnection/7")
	for _, tt := range []struct {
		name       string
		connection dbus.ObjectPath
		kind       string
		want       map[string]any
	}{
		{"Wi-Fi", used, "802-11-wireless", map[string]any{"kind": "wifi", "name": "Home", "wifi": "on"}},
		{"a cable", used, "802-3-ethernet", map[string]any{"kind": "cable", "name": "Home", "wifi": "on"}},
		{"another kind", used, "vpn", map[string]any{"kind": "vpn", "name": "Home", "wifi": "on"}},
		{"none", "/", "", map[string]any{"kind": "", "name": "", "wifi": "on"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &properties{values: map[dbus.ObjectPath]map[string]any{
				manager: {"WirelessEnabled": true, "PrimaryConnection": tt.connection}, used: {"Id": "Home", "Type": tt.kind},
			}}
			p.start(t, desktoptest.StartBus(t), "org.freedesktop.NetworkManager")
			if diff := cmp.Diff(any(tt.want), call(t, missing, toggle.NetworkName, map[string]any{}).Payload); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSettings changes the settings of GNOME by a program that keeps them in files.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nf=" + dir + "/$2.$3\ncase $1 in get) cat $f;; set) echo \"$4\" > $f;; esac\n"
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "gsettings"), []byte(script), 0o700))
	look, banners := filepath.Join(dir, "org.gnome.desktop.interface.color-scheme"), filepath.Join(dir, "org.gnome.desktop.notifications.show-banners")
	must.Succeed(t, os.WriteFile(look, []byte("'default'\n"), 0o600))
	must.Succeed(t, os.WriteFile(banners, []byte("true\n"), 0o600))
	lookPath := func(name string) (string, error) { return filepath.Join(dir, name), nil }
	for _, tt := range []struct {
		action, part, file, text string
		want                     any
	}{
		{"turn_on", "darkmode", look, "'prefer-dark'\n", "turn_off"},
		{"turn_on", "darkmode", look, "'prefer-dark'\n", nil},
		{"turn_off", "darkmode", look, "'default'\n", "turn_on"},
		{"turn_on", "quiet", banners, "false\n", "turn_off"},
		{"turn_off", "quiet", banners, "true\n", "turn_on"},
	} {
		if got := turn(t, lookPath, tt.action, tt.part); got != tt.want || string(must.ReadFile(t, tt.file)) != tt.text {
			t.Errorf("%s %s: %v, %s", tt.action, tt.part, got, must.ReadFile(t, tt.file))
		}
	}
	must.Succeed(t, os.Remove(look))
	if got := turn(t, lookPath, "turn_on", "darkmode"); got != "turn_failed" {
		t.Errorf("no such setting: %v", got)
	}
}
