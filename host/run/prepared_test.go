package run_test

import (
	"context"
	"testing"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// changing is a tool whose forecast a test changes.
type changing struct {
	tool.Tool
	forecast *tool.Forecast
	fault    *error
}

func (c changing) Forecast(context.Context, tool.Call) (tool.Forecast, error) {
	return *c.forecast, *c.fault
}

// TestIsCurrent changes the state of the machine after a plan was prepared.
func TestIsCurrent(t *testing.T) {
	gone := tool.NewError(tool.ValidationError, "not_there", message.Verbatim("it is not there"))
	tests := []struct {
		name   string
		change func(forecast *tool.Forecast, fault *error, precheck **tool.Error)
		skip   []string
		want   bool
	}{
		{"nothing", func(*tool.Forecast, *error, **tool.Error) {}, nil, true},
		{"more would be deleted", func(f *tool.Forecast, _ *error, _ **tool.Error) { f.Count++ }, nil, false},
		{"another thing would be deleted", func(f *tool.Forecast, _ *error, _ **tool.Error) { f.Identity = "other" }, nil, false},
		{"it can't be undone any more", func(f *tool.Forecast, _ *error, _ **tool.Error) { f.Reversible = false }, nil, false},
		{"the call can't succeed", func(_ *tool.Forecast, fault *error, _ **tool.Error) { *fault = gone }, nil, false},
		{"the path is not granted any more", func(_ *tool.Forecast, _ *error, precheck **tool.Error) { *precheck = gone }, nil, false},
		{"an action that is done", func(f *tool.Forecast, _ *error, _ **tool.Error) { f.Count++ }, []string{"b"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			forecast, fault, decisions := tool.Forecast{Count: 1, Identity: "it", Reversible: true}, error(nil), 0
			var precheck *tool.Error
			d, _ := door(t, run.DispatcherOptions{
				Decide:   func(policy.Request) policy.Decision { decisions++; return allow },
				Precheck: func(context.Context, tool.Spec, tool.Call) *tool.Error { return precheck },
			}, newTool(echo, named("a")), changing{newTool(echo, writes, named("b")), &forecast, &fault})
			prepared := d.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b", "a")))
			decisions = 0
			tt.change(&forecast, &fault, &precheck)
			if got := d.IsCurrent(t.Context(), "r1", prepared, tt.skip); got != tt.want || decisions != 0 {
				t.Errorf("current: %t after %d decisions, want %t after none", got, decisions, tt.want)
			}
		})
	}
}

// TestRunTakesPrepared counts how often each action is decided about, and shows that a
// run without a verdict on an action evaluates it.
func TestRunTakesPrepared(t *testing.T) {
	decisions := map[string]int{}
	e, _, _ := engine(t, run.DispatcherOptions{Decide: func(r policy.Request) policy.Decision {
		decisions[r.Tool]++
		return allow
	}}, run.EngineOptions{}, nil)
	prepared := e.Prepare(t.Context(), "r1", planOf(t, act("a"), act("b", "a")))
	prepared.Verdicts = prepared.Verdicts[:1]
	o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: prepared})
	if o.Status != trace.Done || decisions["a"] != 2 || decisions["b"] != 3 {
		t.Errorf("%s after %v decisions, want 2 about a and 3 about b", o.Status, decisions)
	}
}
