// Package brightness has the tool for the brightness of the built-in display. It reads the backlight
// from sysfs and changes it by logind, which permits that to the user of the session.
package brightness

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"errand/host/desktop/bus"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Name is the name of the tool.
const Name = "desktop.set_brightness"

const schema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "level": {"type": "string", "pattern": "^[+-]?[0-9]{1,3}$", "description": "percent: 30 sets the brightness, +10 and -10 change it"},
    "if_level": {"type": "string", "pattern": "^[0-9]{1,3}$", "description": "change it only while it has this value"}
  },
  "required": ["level"],
  "additionalProperties": false
}`

// minPercent leaves the screen readable.
const minPercent = 1

// backlight is a light of the kernel.
type backlight struct {
	name         string
	value, limit int
}

func (b backlight) percent() int { return (b.value*100 + b.limit/2) / b.limit }

// dimmer changes the backlights in a folder of sysfs.
type dimmer struct{ dir string }

// Tools returns desktop.set_brightness. dir is the folder with the backlights, /sys/class/backlight.
func Tools(dir string) []tool.Tool {
	d := dimmer{dir}
	return []tool.Tool{dimTool{tool.Func(tool.Spec{
		Name: Name, Description: "Set or change the brightness of the built-in display.", ArgsSchema: []byte(schema), TimeoutMS: 10_000,
		RetryProfile: tool.RetryNone, SideEffectClass: tool.Write, Effect: tool.EffectInput, Reversible: true,
		CanAchieve: []string{"set_brightness"}, Effects: []string{"brightness_set"}, Source: "builtin",
		Display: display.Tool{
			Summary: display.OneOf("level"), Internal: []string{"if_level"}, View: display.View{Kind: display.Sentence, Params: []string{"level"}},
		}.WithName(Name),
	}, d.set), d}}
}

// find returns the backlight that the display uses: those of the firmware know best, raw ones least.
func (d dimmer) find() (backlight, *tool.Error) {
	entries, _ := os.ReadDir(d.dir)
	var best backlight
	rank := -1
	for _, e := range entries {
		value, err := d.number(e.Name(), "brightness")
		limit, limitErr := d.number(e.Name(), "max_brightness")
		kind, _ := os.ReadFile(filepath.Join(d.dir, e.Name(), "type"))
		r := slices.Index([]string{"raw", "platform", "firmware"}, strings.TrimSpace(string(kind)))
		if err == nil && limitErr == nil && limit > 0 && r >= rank {
			best, rank = backlight{e.Name(), value, limit}, r
		}
	}
	if best.name == "" {
		return best, tool.UnavailableError("no_backlight", message.New("desktop.no_backlight"))
	}
	return best, nil
}

func (d dimmer) number(light, file string) (int, error) {
	b, err := os.ReadFile(filepath.Join(d.dir, light, file))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(b)))
}

// set sets the brightness. The undo restores the old one while nothing else changes it.
func (d dimmer) set(ctx context.Context, call tool.Call) (tool.Result, error) {
	level, _ := call.Args["level"].(string)
	light, fault := d.find()
	if fault != nil {
		return tool.Result{Error: fault}, nil
	}
	before := light.percent()
	if expected, limited := call.Args["if_level"].(string); limited && expected != strconv.Itoa(before) {
		return tool.Fail(tool.ExecutionError, "brightness_changed", message.New("desktop.brightness_changed", "level", before)), nil
	}
	n, err := strconv.Atoi(level)
	if err != nil {
		return tool.Fail(tool.ValidationError, "bad_level", message.New("desktop.bad_level", "level", level)), nil
	}
	if strings.ContainsAny(level[:1], "+-") {
		n += before
	}
	n = min(max(n, minPercent), 100)
	c, err := bus.System(ctx)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	defer c.Close()
	value := max(1, (n*light.limit+50)/100)
	_, err = c.Object("org.freedesktop.login1", "/org/freedesktop/login1/session/auto").
		Call(ctx, "org.freedesktop.login1.Session.SetBrightness", "backlight", light.name, uint32(value))
	switch {
	case bus.IsMissing(err):
		return tool.Result{Error: tool.UnavailableError("no_logind", message.New("desktop.no_logind", "cause", err))}, nil
	case err != nil:
		return tool.Fail(tool.ExecutionError, "brightness_failed", message.New("desktop.brightness_failed", "cause", err)), nil
	}
	r := tool.OK(map[string]any{"level": strconv.Itoa(n), "before": strconv.Itoa(before)})
	if now, fault := d.find(); fault == nil && n != before {
		r.Undo = &tool.Inverse{Tool: Name, Args: map[string]any{"level": strconv.Itoa(before), "if_level": strconv.Itoa(now.percent())}}
	}
	return r, nil
}

// dimTool can tell whether a call that died had its effect, if it sets a level.
type dimTool struct {
	tool.Tool
	d dimmer
}

// Reconcile implements [tool.Reconciler].
func (t dimTool) Reconcile(_ context.Context, call tool.Call) (tool.Reconciled, error) {
	level, _ := call.Args["level"].(string)
	light, fault := t.d.find()
	switch {
	case fault != nil || strings.ContainsAny(level, "+-"):
		return tool.Reconciled{Effect: tool.Unknown}, nil
	case strconv.Itoa(light.percent()) != level:
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return tool.Reconciled{Effect: tool.Committed, Result: tool.OK(map[string]any{"level": level})}, nil
}
