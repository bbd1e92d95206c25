package system

import (
	"context"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/installed"
	"errand/planner/message"
)

// Names of the tools for apps that run.
const (
	CloseAppName    = "system.apps.close"
	SwitchToAppName = "system.apps.switch"
)

const windowSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "app_name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "catalogue id of the app, or the id of an installed .desktop file"}
  },
  "required": ["app_name"],
  "additionalProperties": false
}`

// How long windows get to close and to come to the front. An app may ask about unsaved changes first.
const (
	closeWait  = 5 * time.Second
	switchWait = 2 * time.Second
)

// onWindows completes the spec of a tool that takes the name of an app.
func onWindows(s tool.Spec) tool.Spec {
	s.ArgsSchema, s.TimeoutMS, s.RetryProfile = []byte(windowSchema), 15_000, tool.RetryNone
	s.SideEffectClass, s.Source = tool.Write, "builtin"
	s.Display = display.Tool{Summary: [][]string{{"app_name"}}, View: display.View{Kind: display.Sentence, Params: []string{"app_name"}}}.WithName(s.Name)
	return s
}

func closeTool(o Options) tool.Tool {
	return tool.Func(onWindows(tool.Spec{
		Name:        CloseAppName,
		Description: "Ask the windows of an app to close, as their close buttons do. Only windows of X11 programs.",
		Effect:      tool.EffectInput, CanAchieve: []string{"close_app"}, Effects: []string{"app_closed"},
	}), func(ctx context.Context, call tool.Call) (tool.Result, error) { return o.closeApp(ctx, call), nil })
}

func switchTool(o Options) tool.Tool {
	return repeatable{tool.Func(onWindows(tool.Spec{
		Name:        SwitchToAppName,
		Description: "Bring the window of an app to the front. Only windows of X11 programs.",
		Effect:      tool.EffectNavigate, CanAchieve: []string{"switch_to_app"}, Effects: []string{"app_in_front"},
	}), func(ctx context.Context, call tool.Call) (tool.Result, error) { return o.switchTo(ctx, call), nil })}
}

// repeatable is a tool whose calls may be repeated.
type repeatable struct{ tool.Tool }

// Reconcile implements [tool.Reconciler].
func (repeatable) Reconcile(context.Context, tool.Call) (tool.Reconciled, error) {
	return tool.Reconciled{Effect: tool.Released}, nil
}

func (o Options) closeApp(ctx context.Context, call tool.Call) tool.Result {
	app, _ := call.Args["app_name"].(string)
	names, found, fault := o.findWindows(ctx, app)
	if fault != nil {
		return tool.Result{Error: fault}
	}
	for _, w := range found {
		if err := closeWindow(ctx, w.id); err != nil {
			return tool.Fail(tool.ExecutionError, "close_failed", message.New("system.close_failed", "app", app, "cause", err))
		}
	}
	left := len(found)
	await(ctx, closeWait, func() bool {
		left = len(windowsOf(ctx, names, desktop(ctx).list))
		return left == 0
	})
	if left > 0 {
		return tool.Result{Error: tool.NewError(tool.ExecutionError, "still_open", message.New("system.still_open", "app", app, "count", left)).
			WithHint(message.New("system.may_ask_to_save"))}
	}
	return tool.OK(map[string]any{"app_name": app, "closed": float64(len(found))})
}

func (o Options) switchTo(ctx context.Context, call tool.Call) tool.Result {
	app, _ := call.Args["app_name"].(string)
	_, found, fault := o.findWindows(ctx, app)
	if fault != nil {
		return tool.Result{Error: fault}
	}
	id := found[len(found)-1].id // the newest
	if err := activateWindow(ctx, id); err != nil {
		return tool.Fail(tool.ExecutionError, "switch_failed", message.New("system.switch_failed", "app", app, "cause", err))
	}
	isFront := await(ctx, switchWait, func() bool {
		now := desktop(ctx)
		return now.front >= 0 && now.list[now.front].id == id
	})
	if !isFront {
		return tool.Fail(tool.ExecutionError, "switch_failed", message.New("system.not_in_front", "app", app))
	}
	return tool.OK(map[string]any{"app_name": app})
}

// findWindows returns the names and the windows of an app, at least one.
func (o Options) findWindows(ctx context.Context, app string) (names []string, found []window, _ *tool.Error) {
	if installed.IsID(app) {
		entry, err := o.Installed(app)
		if err != nil {
			return nil, nil, tool.NewError(tool.ToolUnavailable, "app_not_installed", message.New("system.entry_unusable", "app", app, "cause", err))
		}
		names = entry.Names
	} else if i := slices.IndexFunc(o.Apps(), func(a App) bool { return a.ID == app }); i >= 0 {
		names = o.Apps()[i].programs()
	} else {
		return nil, nil, tool.NewError(tool.ToolUnavailable, "unknown_app", message.New("system.unknown_app", "app", app))
	}
	all := desktop(ctx)
	if found = windowsOf(ctx, names, all.list); len(found) > 0 {
		return names, found, nil
	}
	if len(all.list) == 0 {
		return nil, nil, tool.NewError(tool.ToolUnavailable, "no_windows", message.New("system.no_windows", "app", app)).
			WithHint(message.New("system.windows_need_x11"))
	}
	return nil, nil, tool.NewError(tool.ExecutionError, "no_window", message.New("system.no_window", "app", app)).
		WithHint(message.New("system.windows_need_x11"))
}

// windowsOf returns the windows whose process or class has one of the names.
func windowsOf(ctx context.Context, names []string, list []window) []window {
	var out []window
	for _, w := range list {
		own := []string{w.class, w.instance}
		if w.pid > 0 {
			own = append(own, processName(ctx, w.pid))
		}
		if slices.ContainsFunc(own, func(name string) bool { return isNamed(name, names) }) {
			out = append(out, w)
		}
	}
	return out
}

// isNamed reports whether a process or a class has one of the names: as it is ("kcalc"), as the end of
// a reverse domain ("org.gnome.Calculator"), or with a version ("gimp-2.10").
func isNamed(name string, names []string) bool {
	name = program(name)
	if strings.Count(name, ".") >= 2 && !strings.ContainsAny(name, " /") && slices.Contains(names, name[strings.LastIndexByte(name, '.')+1:]) {
		return true
	}
	bare, version, _ := strings.Cut(name, "-")
	isVersion := version != "" && strings.Trim(version, "0123456789.") == ""
	return name != "" && slices.Contains(names, name) || isVersion && slices.Contains(names, bare)
}

// await calls done until it is true, the time is over or ctx ends, and reports whether it was true.
func await(ctx context.Context, limit time.Duration, done func() bool) bool {
	end := time.NewTimer(limit)
	defer end.Stop()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if done() {
			return true
		}
		select {
		case <-again.C:
		case <-end.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}
