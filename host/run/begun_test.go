package run_test

import (
	"context"
	"slices"
	"testing"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// finding is a tool that says what became of a call.
type finding struct {
	tool.Tool
	effect tool.EffectState
}

func (f finding) Reconcile(context.Context, tool.Call) (tool.Reconciled, error) {
	return tool.Reconciled{Effect: f.effect}, nil
}

func TestFindBegun(t *testing.T) {
	claimed := func(id, name string, effect tool.EffectState) trace.Claim {
		return trace.Claim{Key: "r1:" + id, Effect: effect, Step: trace.Step{RunID: "r1", StepID: id, ToolName: name, ArgsHash: tool.HashArgs(hi)}}
	}
	other := claimed("a", "done", tool.Unknown)
	other.Step.ArgsHash = tool.HashArgs(map[string]any{"text": "another"})
	for name, tt := range map[string]struct {
		tool   string
		claims []trace.Claim
		want   bool
	}{
		"not claimed":                 {"done", nil, false},
		"another action":              {"done", []trace.Claim{claimed("b", "done", tool.Unknown)}, false},
		"another tool":                {"done", []trace.Claim{claimed("a", "undone", tool.Unknown)}, false},
		"other arguments":             {"done", []trace.Claim{other}, false},
		"its tool saw the effect":     {"done", []trace.Claim{claimed("a", "done", tool.Unknown)}, true},
		"its tool saw none":           {"undone", []trace.Claim{claimed("a", "undone", tool.Unknown)}, false},
		"its tool can't tell":         {"unclear", []trace.Claim{claimed("a", "unclear", tool.Unknown)}, true},
		"nothing can tell":            {"blind", []trace.Claim{claimed("a", "blind", tool.Unknown)}, true},
		"it was committed":            {"undone", []trace.Claim{claimed("a", "undone", tool.Committed)}, true},
		"it failed without an effect": {"done", []trace.Claim{claimed("a", "done", tool.Released)}, false},
	} {
		d, _ := door(t, run.DispatcherOptions{},
			finding{newTool(echo, writes, named("done")), tool.Committed}, finding{newTool(echo, writes, named("undone")), tool.Released},
			finding{newTool(echo, writes, named("unclear")), tool.Unknown}, newTool(echo, writes, named("blind")))
		got := d.FindBegun(t.Context(), "r1", planOf(t, plan.Action{ActionID: "a", Tool: tt.tool, Args: hi}), tt.claims)
		if slices.Contains(got, "a") != tt.want {
			t.Errorf("%s: begun %v, want %t", name, got, tt.want)
		}
	}
}
