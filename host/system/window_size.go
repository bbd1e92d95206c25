package system

import (
	"context"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
	"errand/planner/plan"
)

// Names of the tools that change the size of windows.
const (
	MinimizeAppName = "system.apps.minimize"
	MaximizeAppName = "system.apps.maximize"
)

const maximizeSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "app_name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "catalogue id of the app, or the id of an installed .desktop file"},
    "restore": {"type": "boolean", "description": "give the window its former size back"}
  },
  "required": ["app_name"],
  "additionalProperties": false
}`

const minimizeSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "app_name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "catalogue id of the app, or the id of an installed .desktop file"},
    "part": {"enum": ["window", "windows"], "description": "in place of an app: the window in front, or all windows"}
  },
  "minProperties": 1,
  "maxProperties": 1,
  "additionalProperties": false
}`

// windowState is what a window manager says of a window.
type windowState struct{ minimized, maximized bool }

func minimizeTool(o Options) tool.Tool {
	s := onWindows(tool.Spec{
		Name:        MinimizeAppName,
		Description: "Minimize the windows of an app, the window in front or all windows. Only windows of X11 programs.",
		Effect:      tool.EffectInput, CanAchieve: []string{"minimize_app", "minimize_window", "minimize_windows"}, Effects: []string{"app_minimized"}, Reversible: true,
	})
	s.ArgsSchema, s.Display.Summary = []byte(minimizeSchema), [][]string{{"app_name"}, {"part"}}
	s.Display.View = display.View{Kind: display.Sentence, Params: []string{"app_name"}}
	return repeatable{tool.Func(s, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		if part, _ := call.Args["part"].(string); part != "" {
			return minimizePart(ctx, part), nil
		}
		return o.minimize(ctx, call), nil
	})}
}

// minimizePart minimizes the window in front, or all windows. A window manager may keep some of all, such as the
// windows of the desktop itself.
func minimizePart(ctx context.Context, part string) tool.Result {
	all := desktop(ctx)
	chosen := all.list
	if part == plan.FrontWindow && all.front >= 0 {
		chosen = all.list[all.front : all.front+1]
	}
	if len(chosen) == 0 || part == plan.FrontWindow && all.front < 0 {
		return tool.Fail(tool.ExecutionError, "no_window", message.New("system.no_window_in_front"))
	}
	for _, w := range chosen {
		if err := minimizeWindow(ctx, w.id); err != nil {
			return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_failed", "app", w.name(), "cause", err))
		}
	}
	front := chosen[len(chosen)-1]
	if !await(ctx, switchWait, func() bool { return readWindowState(front.id).minimized }) {
		return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_ignored", "app", front.name()))
	}
	return tool.OK(map[string]any{"app_name": front.name()})
}

func maximizeTool(o Options) tool.Tool {
	s := onWindows(tool.Spec{
		Name:        MaximizeAppName,
		Description: "Maximize the window of an app, or give it its former size back. Only windows of X11 programs.",
		Effect:      tool.EffectInput, CanAchieve: []string{"maximize_app"}, Effects: []string{"app_maximized"}, Reversible: true,
	})
	s.ArgsSchema, s.Display.Internal = []byte(maximizeSchema), []string{"restore"}
	s.Display.View = display.View{Kind: display.Sentence, Params: []string{"app_name"}, Variant: "restored"}
	return repeatable{tool.Func(s, func(ctx context.Context, call tool.Call) (tool.Result, error) { return o.maximize(ctx, call), nil })}
}

// minimize minimizes all windows of an app. The undo brings the newest one back.
func (o Options) minimize(ctx context.Context, call tool.Call) tool.Result {
	app, _ := call.Args["app_name"].(string)
	_, found, fault := o.findWindows(ctx, app)
	if fault != nil {
		return tool.Result{Error: fault}
	}
	before := true
	for _, w := range found {
		before = before && readWindowState(w.id).minimized
		if err := minimizeWindow(ctx, w.id); err != nil {
			return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_failed", "app", app, "cause", err))
		}
	}
	for _, w := range found {
		if !await(ctx, switchWait, func() bool { return readWindowState(w.id).minimized }) {
			return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_ignored", "app", app))
		}
	}
	r := tool.OK(map[string]any{"app_name": app})
	if !before {
		r.Undo = &tool.Inverse{Tool: SwitchToAppName, Args: map[string]any{"app_name": app}}
	}
	return r
}

// maximize maximizes the newest window of an app, or ends that, and shows it.
func (o Options) maximize(ctx context.Context, call tool.Call) tool.Result {
	app, _ := call.Args["app_name"].(string)
	restore, _ := call.Args["restore"].(bool)
	_, found, fault := o.findWindows(ctx, app)
	if fault != nil {
		return tool.Result{Error: fault}
	}
	id := found[len(found)-1].id
	before := readWindowState(id)
	if before.minimized {
		if err := activateWindow(ctx, id); err != nil {
			return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_failed", "app", app, "cause", err))
		}
	}
	if err := maximizeWindow(ctx, id, !restore); err != nil {
		return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_failed", "app", app, "cause", err))
	}
	if !await(ctx, switchWait, func() bool { return readWindowState(id) == windowState{maximized: !restore} }) {
		return tool.Fail(tool.ExecutionError, "window_failed", message.New("system.window_ignored", "app", app))
	}
	r := tool.OK(map[string]any{"app_name": app, "restored": restore})
	if before.maximized == restore {
		r.Undo = &tool.Inverse{Tool: MaximizeAppName, Args: map[string]any{"app_name": app, "restore": !restore}}
	}
	return r
}
