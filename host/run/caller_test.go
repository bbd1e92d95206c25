package run_test

import (
	"context"
	"slices"
	"testing"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// everything is a tool with every optional interface. It notes for whom each
// method is called.
type everything struct {
	tool.Tool
	heard map[string]tool.Caller
}

func (e everything) note(ctx context.Context, method string) {
	e.heard[method], _ = tool.CallerFrom(ctx)
}

func (e everything) Call(ctx context.Context, _ tool.Call) (tool.Result, error) {
	e.note(ctx, "call")
	r := tool.OK(nil)
	r.Undo = &tool.Inverse{Tool: "t", Args: map[string]any{}}
	return r, nil
}

func (e everything) DeclaredEffect(tool.Call) tool.Effect { return tool.EffectFile }

func (e everything) Classify(ctx context.Context, _ tool.Call) (tool.Effect, error) {
	e.note(ctx, "classify")
	return tool.EffectFile, nil
}

func (e everything) Forecast(ctx context.Context, _ tool.Call) (tool.Forecast, error) {
	e.note(ctx, "forecast")
	return tool.Forecast{}, nil
}

func (e everything) Prepare(ctx context.Context) error {
	e.note(ctx, "prepare")
	return nil
}

func (e everything) Pin(ctx context.Context, args map[string]any) (map[string]any, error) {
	e.note(ctx, "pin")
	return args, nil
}

// TestCallerInContext: whatever is done for a call has the call's identity in
// its context.
func TestCallerInContext(t *testing.T) {
	heard := map[string]tool.Caller{}
	check := func(name string) func(context.Context, tool.Spec, tool.Call) *tool.Error {
		return func(ctx context.Context, _ tool.Spec, _ tool.Call) *tool.Error {
			heard[name], _ = tool.CallerFrom(ctx)
			return nil
		}
	}
	from := newTool(nil, writes, func(s *tool.Spec) { s.Source = "plugin:notes" })
	d, _ := door(t, run.DispatcherOptions{Precheck: check("precheck"), Reach: check("reach"), BeforeCall: check("before")}, everything{from, heard})
	if result, _ := d.Dispatch(t.Context(), call(hi)); !result.OK {
		t.Fatal(result.Error)
	}
	want := tool.Caller{RunID: "r1", ActionID: "a1", Origin: "user_goal", Tool: "t", Plugin: "notes", Effect: tool.EffectFile}
	for _, name := range []string{"precheck", "reach", "before", "classify", "forecast", "prepare", "call", "pin"} {
		if heard[name] != want {
			t.Errorf("%s is done for %+v, want %+v", name, heard[name], want)
		}
	}
}

// TestBeforeCall: its error is the result of a call, and of a look at what the
// call would meet; the tool is not asked.
func TestBeforeCall(t *testing.T) {
	for _, looks := range []bool{false, true} {
		heard := map[string]tool.Caller{}
		var at tool.Tool = everything{newTool(nil, writes), heard}
		if !looks {
			at = struct{ tool.Tool }{at} // without its optional interfaces
		}
		refuse := func(context.Context, tool.Spec, tool.Call) *tool.Error {
			return tool.NewError(tool.ExecutionError, "page_gone", message.Verbatim("the page is gone"))
		}
		d, log := door(t, run.DispatcherOptions{BeforeCall: refuse}, at)
		result, step := d.Dispatch(t.Context(), call(hi))
		if result.OK || step.Status != trace.Failed || step.ErrorCode != "page_gone" || recorded(t, log).ErrorCode != "page_gone" {
			t.Errorf("looks %t: %+v, %+v", looks, result, step)
		}
		if !looks && step.Effect != tool.Released {
			t.Errorf("effect %s, want %s", step.Effect, tool.Released)
		}
		for _, method := range []string{"classify", "call"} {
			if _, asked := heard[method]; asked {
				t.Errorf("looks %t: %s was asked", looks, method)
			}
		}
		if v := d.Prepare(t.Context(), "r1", planOf(t, plan.Action{ActionID: "a1", Tool: "t", Args: hi})).Verdicts; slices.ContainsFunc(v, func(v run.Verdict) bool { return v.Error != nil }) {
			t.Errorf("a preview fails: %+v", v)
		}
	}
}
