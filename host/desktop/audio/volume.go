// Package audio has the tools for the volume of the default output. They use the program of the
// audio server: pactl for PulseAudio and PipeWire, or wpctl for PipeWire.
package audio

import (
	"context"
	"math"
	"strconv"
	"strings"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// Names of the tools.
const (
	VolumeName = "desktop.set_volume"
	MuteName   = "desktop.mute"
	LevelName  = "desktop.volume"
)

const volumeSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "level": {"type": "string", "pattern": "^[+-]?[0-9]{1,3}$", "description": "percent: 30 sets the volume, +10 and -10 change it"},
    "if_level": {"type": "string", "pattern": "^[0-9]{1,3}$", "description": "change it only while it has this value"}
  },
  "required": ["level"],
  "additionalProperties": false
}`

const levelSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {},
  "additionalProperties": false
}`

const muteSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {"action": {"enum": ["mute", "unmute"]}},
  "required": ["action"],
  "additionalProperties": false
}`

// Tools returns desktop.set_volume, desktop.mute and desktop.volume. lookPath finds a program.
func Tools(lookPath func(name string) (string, error)) []tool.Tool {
	m := mixers{lookPath}
	return []tool.Tool{
		volumeTool{tool.Func(ofOutput(tool.Spec{
			Name: VolumeName, Description: "Set or change the volume of the default output, at most 100 percent.", ArgsSchema: []byte(volumeSchema),
			CanAchieve: []string{"set_volume"}, Effects: []string{"volume_set"},
			Display: display.Tool{Summary: display.OneOf("level"), Internal: []string{"if_level"}, View: display.View{Kind: display.Sentence, Params: []string{"level"}, Variant: "muted"}},
		}), m.setVolume), m},
		muteTool{tool.Func(ofOutput(tool.Spec{
			Name: MuteName, Description: "Mute the default output, or end that.", ArgsSchema: []byte(muteSchema),
			CanAchieve: []string{"mute_sound", "unmute_sound"}, Effects: []string{"sound_muted"},
			Display: display.Tool{Summary: display.OneOf("action"), View: display.View{Kind: display.Sentence, Params: []string{"action"}}},
		}), m.mute), m},
		tool.Func(tool.Spec{
			Name: LevelName, Description: "Tell the volume of the default output.", ArgsSchema: []byte(levelSchema), TimeoutMS: 5_000,
			RetryProfile: tool.RetryTransient, SideEffectClass: tool.Read, Effect: tool.EffectRead,
			CanAchieve: []string{"read_volume"}, Effects: []string{"volume_known"}, Source: "builtin",
			Display: display.Tool{View: display.View{Kind: display.Sentence, Params: []string{"level"}, Variant: "muted"}}.WithName(LevelName),
		}, m.tellVolume),
	}
}

// ofOutput completes the spec of a tool for the default output.
func ofOutput(s tool.Spec) tool.Spec {
	s.TimeoutMS, s.RetryProfile, s.SideEffectClass, s.Effect, s.Reversible, s.Source = 5_000, tool.RetryNone, tool.Write, tool.EffectInput, true, "builtin"
	s.Display = s.Display.WithName(s.Name)
	return s
}

// setVolume sets the volume. The undo restores the old one while nothing else changes it.
func (m mixers) setVolume(ctx context.Context, call tool.Call) (tool.Result, error) {
	level, _ := call.Args["level"].(string)
	mix, err := m.find(ctx)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	before, err := mix.state(ctx)
	if err != nil {
		return failed("volume_unknown", message.New("desktop.volume_unknown", "cause", err), err), nil
	}
	if expected, limited := call.Args["if_level"].(string); limited && expected != strconv.Itoa(before.percent) {
		return tool.Fail(tool.ExecutionError, "volume_changed", message.New("desktop.volume_changed", "level", before.percent)), nil
	}
	n, err := strconv.Atoi(level)
	if err != nil {
		return tool.Fail(tool.ValidationError, "bad_level", message.New("desktop.bad_level", "level", level)), nil
	}
	if strings.ContainsAny(level[:1], "+-") {
		n += before.percent
	}
	if n = max(n, 0); n > 100 {
		n = max(100, min(before.percent, n)) // a volume that is above 100 % is not lowered by "louder"
	}
	if err := mix.setVolume(ctx, n); err != nil {
		return failed("volume_failed", message.New("desktop.volume_failed", "cause", err), err), nil
	}
	r := tool.OK(map[string]any{"level": strconv.Itoa(n), "before": strconv.Itoa(before.percent), "muted": before.muted})
	if n != before.percent {
		r.Undo = &tool.Inverse{Tool: VolumeName, Args: map[string]any{"level": strconv.Itoa(before.percent), "if_level": strconv.Itoa(n)}}
	}
	return r, nil
}

// tellVolume reads the volume.
func (m mixers) tellVolume(ctx context.Context, _ tool.Call) (tool.Result, error) {
	mix, err := m.find(ctx)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	now, err := mix.state(ctx)
	if err != nil {
		return failed("volume_unknown", message.New("desktop.volume_unknown", "cause", err), err), nil
	}
	return tool.OK(map[string]any{"level": strconv.Itoa(now.percent), "muted": now.muted}), nil
}

func (m mixers) mute(ctx context.Context, call tool.Call) (tool.Result, error) {
	action, _ := call.Args["action"].(string)
	mix, err := m.find(ctx)
	if err != nil {
		return tool.Result{Error: tool.AsError(err)}, nil
	}
	before, err := mix.state(ctx)
	if err != nil {
		return failed("volume_unknown", message.New("desktop.volume_unknown", "cause", err), err), nil
	}
	muted := action == "mute"
	if err := mix.setMuted(ctx, muted); err != nil {
		return failed("mute_failed", message.New("desktop.mute_failed", "cause", err), err), nil
	}
	r := tool.OK(map[string]any{"action": action})
	if before.muted != muted {
		inverse := map[bool]string{true: "unmute", false: "mute"}[muted]
		r.Undo = &tool.Inverse{Tool: MuteName, Args: map[string]any{"action": inverse}}
	}
	return r, nil
}

func failed(code string, m message.Message, err error) tool.Result {
	if fault := tool.AsError(err); fault.Class == tool.ToolTimeout {
		return tool.Result{Error: fault}
	}
	return tool.Fail(tool.ExecutionError, code, m)
}

// volumeTool can tell whether a call that died had its effect, if it sets a level.
type volumeTool struct {
	tool.Tool
	m mixers
}

// Reconcile implements [tool.Reconciler]. A change by a number of percent is not known afterwards.
func (t volumeTool) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	level, _ := call.Args["level"].(string)
	if strings.ContainsAny(level, "+-") {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	return t.m.reconcile(ctx, func(s state) bool { return strconv.Itoa(s.percent) == level }, map[string]any{"level": level})
}

// muteTool can tell whether a call that died had its effect.
type muteTool struct {
	tool.Tool
	m mixers
}

// Reconcile implements [tool.Reconciler].
func (t muteTool) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	action, _ := call.Args["action"].(string)
	return t.m.reconcile(ctx, func(s state) bool { return s.muted == (action == "mute") }, map[string]any{"action": action})
}

func (m mixers) reconcile(ctx context.Context, isDone func(state) bool, payload map[string]any) (tool.Reconciled, error) {
	mix, err := m.find(ctx)
	if err != nil {
		return tool.Reconciled{Effect: tool.Unknown}, nil
	}
	now, err := mix.state(ctx)
	switch {
	case err != nil:
		return tool.Reconciled{Effect: tool.Unknown}, nil
	case !isDone(now):
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return tool.Reconciled{Effect: tool.Committed, Result: tool.OK(payload)}, nil
}

// percentOf rounds a part of 1 to percent.
func percentOf(part float64) int { return int(math.Round(part * 100)) }
