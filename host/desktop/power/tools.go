// Package power has the tools that lock the screen, end the session, and put the computer to sleep or
// turn it off. They call logind and the desktop's own services over D-Bus.
package power

import (
	"context"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Names of the tools.
const (
	LockName  = "desktop.lock"
	PowerName = "desktop.power"
)

const (
	lockSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {},
  "additionalProperties": false
}`
	powerSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"action": {"enum": ["suspend", "hibernate", "log_out", "restart", "power_off"]}},
  "required": ["action"],
  "additionalProperties": false
}`
)

// Names of logind. The session "auto" is the caller's, else the one that its user sees.
const (
	logind      = "org.freedesktop.login1"
	managerPath = "/org/freedesktop/login1"
	sessionPath = "/org/freedesktop/login1/session/auto"
)

// service is a method of a desktop that does what logind does less gently.
type service struct {
	name, path, method string
	args               []any
}

// lockers lock the screen of their desktop. logind only asks a desktop to lock it.
var lockers = []service{
	{"org.gnome.ScreenSaver", "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver.Lock", nil},
	{"org.cinnamon.ScreenSaver", "/org/cinnamon/ScreenSaver", "org.cinnamon.ScreenSaver.Lock", []any{""}},
	{"org.mate.ScreenSaver", "/org/mate/ScreenSaver", "org.mate.ScreenSaver.Lock", nil},
	{"org.xfce.ScreenSaver", "/org/xfce/ScreenSaver", "org.xfce.ScreenSaver.Lock", nil},
	{"org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver.Lock", nil},
}

// sessions end the session of their desktop so that programs can save their work.
var sessions = []service{
	{"org.gnome.SessionManager", "/org/gnome/SessionManager", "org.gnome.SessionManager.Logout", []any{uint32(0)}},
	{"org.kde.Shutdown", "/Shutdown", "org.kde.Shutdown.logout", nil},
	{"org.xfce.SessionManager", "/org/xfce/SessionManager", "org.xfce.Session.Manager.Logout", []any{false, true}},
}

// methods are the members of logind's manager by action. Each has a member that says whether it is possible.
var methods = map[string]string{"suspend": "Suspend", "hibernate": "Hibernate", "restart": "Reboot", "power_off": "PowerOff"}

// Tools returns desktop.lock and desktop.power.
func Tools() []tool.Tool {
	return []tool.Tool{
		locker{tool.Func(tool.Spec{
			Name: LockName, Description: "Lock the screen.", ArgsSchema: []byte(lockSchema), TimeoutMS: 10_000,
			RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectInput, CanAchieve: []string{"lock_screen"}, Effects: []string{"screen_locked"},
			Source: "builtin", Display: display.Tool{View: display.View{Kind: display.Nothing}}.WithName(LockName),
		}, lock)},
		tool.Func(tool.Spec{
			Name: PowerName, Description: "Put the computer to sleep, restart it, turn it off, or log out of the desktop.", ArgsSchema: []byte(powerSchema), TimeoutMS: 30_000,
			RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectCommit,
			CanAchieve: []string{"suspend_computer", "hibernate_computer", "restart_computer", "power_off_computer", "log_out_session"}, Effects: []string{"power_changed"},
			Source: "builtin", Display: display.Tool{Summary: display.OneOf("action"), View: display.View{Kind: display.Nothing}}.WithName(PowerName),
		}, setPower),
	}
}

// locker is a tool whose calls may be repeated.
type locker struct{ tool.Tool }

// Reconcile implements [tool.Reconciler].
func (locker) Reconcile(context.Context, tool.Call) (tool.Reconciled, error) {
	return tool.Reconciled{Effect: tool.Released}, nil
}

func lock(ctx context.Context, _ tool.Call) (tool.Result, error) {
	if done, err := callFirst(ctx, lockers); done {
		return outcome("lock", err), nil
	}
	c, err := bus.System(ctx)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer c.Close()
	_, err = c.Object(logind, sessionPath).Call(ctx, logind+".Session.Lock")
	return outcome("lock", err), nil
}

func setPower(ctx context.Context, call tool.Call) (tool.Result, error) {
	action, _ := call.Args["action"].(string)
	if action == "log_out" {
		if done, err := callFirst(ctx, sessions); done {
			return outcome(action, err), nil
		}
	}
	c, err := bus.System(ctx)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer c.Close()
	if action == "log_out" {
		_, err := c.Object(logind, sessionPath).Call(ctx, logind+".Session.Terminate")
		return outcome(action, err), nil
	}
	member, ok := methods[action]
	if !ok {
		return tool.Fail(tool.ValidationError, "bad_action", message.New("desktop.bad_power_action", "action", action)), nil
	}
	manager := c.Object(logind, managerPath)
	can, err := manager.Call(ctx, logind+".Manager.Can"+member)
	if err != nil {
		return outcome(action, err), nil
	}
	if len(can) == 1 && (can[0] == "no" || can[0] == "na") {
		return tool.Result{Error: tool.UnavailableError("power_unsupported", message.New("desktop.power_unsupported", "action", action))}, nil
	}
	_, err = manager.Call(ctx, logind+".Manager."+member, true) // the desktop may ask for a password
	return outcome(action, err), nil
}

// callFirst calls the first service that runs on the session bus. It returns false if none does.
func callFirst(ctx context.Context, all []service) (bool, error) {
	c, err := bus.Session(ctx)
	if err != nil {
		return false, nil // logind may know the session
	}
	defer c.Close()
	for _, s := range all {
		names, err := c.Names(ctx, s.name)
		if err != nil || len(names) == 0 || names[0] != s.name {
			continue
		}
		_, err = c.Object(s.name, s.path).Call(ctx, s.method, s.args...)
		return true, err
	}
	return false, nil
}

func outcome(action string, err error) tool.Result {
	switch {
	case err == nil:
		return tool.OK(map[string]any{"action": action})
	case bus.IsMissing(err):
		return tool.Result{Error: tool.UnavailableError("no_logind", message.New("desktop.no_logind", "cause", err))}
	}
	return tool.Fail(tool.ExecutionError, "power_failed", message.New("desktop.power_failed", "action", action, "cause", err))
}
