package toggle

import (
	"context"
	"strconv"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/planner/message"
)

// Names of NetworkManager and BlueZ.
const (
	manager     = "org.freedesktop.NetworkManager"
	managerPath = "/org/freedesktop/NetworkManager"
	bluez       = "org.bluez"
	adapter     = "org.bluez.Adapter1"
)

// maxAdapters is the number of Bluetooth adapters that are looked for.
const maxAdapters = 4

// wifi is the radio of NetworkManager.
type wifi struct{}

func (wifi) isOn(ctx context.Context) (on bool, err error) {
	err = onSystem(ctx, func(c *bus.Conn) error {
		v, err := c.Object(manager, managerPath).Get(ctx, manager, "WirelessEnabled")
		on, _ = v.(bool)
		return serviceError("no_network_manager", "desktop.no_network_manager", err)
	})
	return on, err
}

func (wifi) turn(ctx context.Context, on bool) error {
	return onSystem(ctx, func(c *bus.Conn) error {
		o := c.Object(manager, managerPath)
		if v, err := o.Get(ctx, manager, "WirelessHardwareEnabled"); err == nil && on && v == false {
			return tool.NewError(tool.ExecutionError, "radio_blocked", message.New("desktop.radio_blocked"))
		}
		return serviceError("no_network_manager", "desktop.no_network_manager", o.Set(ctx, manager, "WirelessEnabled", on))
	})
}

// bluetooth are the adapters of BlueZ. It is on if one of them is.
type bluetooth struct{}

func (bluetooth) isOn(ctx context.Context) (on bool, err error) {
	err = onSystem(ctx, func(c *bus.Conn) error {
		return eachAdapter(ctx, c, func(_ bus.Object, powered bool) error {
			on = on || powered
			return nil
		})
	})
	return on, err
}

func (bluetooth) turn(ctx context.Context, on bool) error {
	return onSystem(ctx, func(c *bus.Conn) error {
		return eachAdapter(ctx, c, func(o bus.Object, powered bool) error {
			if powered == on {
				return nil
			}
			return o.Set(ctx, adapter, "Powered", on)
		})
	})
}

// eachAdapter calls do with each adapter, at least one.
func eachAdapter(ctx context.Context, c *bus.Conn, do func(o bus.Object, powered bool) error) error {
	found := false
	var missing error
	for i := range maxAdapters {
		o := c.Object(bluez, "/org/bluez/hci"+strconv.Itoa(i))
		v, err := o.Get(ctx, adapter, "Powered")
		powered, isBool := v.(bool)
		if err != nil || !isBool {
			missing = err
			continue
		}
		found = true
		if err := do(o, powered); err != nil {
			return serviceError("no_bluetooth", "desktop.no_bluetooth", err)
		}
	}
	if !found {
		return tool.UnavailableError("no_bluetooth", message.New("desktop.no_bluetooth", "cause", missing))
	}
	return nil
}

// onSystem calls do with a connection to the system bus.
func onSystem(ctx context.Context, do func(c *bus.Conn) error) error {
	c, err := bus.System(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(c)
}

// serviceError is the error of a call of a service: it is not there, or it refuses.
func serviceError(code, missing string, err error) error {
	switch {
	case err == nil:
		return nil
	case bus.IsMissing(err):
		return tool.UnavailableError(code, message.New(missing, "cause", err))
	}
	return tool.NewError(tool.ExecutionError, "turn_failed", message.New("desktop.turn_failed", "cause", err))
}

// tellNetwork tells the connection in use. The name of a network is text of others, for the user only.
func tellNetwork(ctx context.Context, _ tool.Call) (tool.Result, error) {
	out := map[string]any{"kind": "", "name": "", "wifi": "off"}
	err := onSystem(ctx, func(c *bus.Conn) error {
		o := c.Object(manager, managerPath)
		on, err := o.Get(ctx, manager, "WirelessEnabled")
		if err != nil {
			return serviceError("no_network_manager", "desktop.no_network_manager", err)
		}
		if on == true {
			out["wifi"] = "on"
		}
		path, _ := o.Get(ctx, manager, "PrimaryConnection")
		active, _ := path.(string)
		if active == "" || active == "/" {
			return nil
		}
		used := c.Object(manager, active)
		name, err := used.Get(ctx, manager+".Connection.Active", "Id")
		kind, _ := used.Get(ctx, manager+".Connection.Active", "Type")
		if err == nil {
			out["name"], out["kind"] = name, kind
			if known := kinds[kind]; known != "" {
				out["kind"] = known
			}
		}
		return nil
	})
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	return tool.OK(out), nil
}

// kinds are the kinds of connections that have words of their own.
var kinds = map[any]string{"802-11-wireless": "wifi", "802-3-ethernet": "cable"}
