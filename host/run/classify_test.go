package run_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// knowing is a tool that says what its calls come to.
type knowing struct {
	tool.Tool
	declared func(tool.Call) tool.Effect
	classify func(context.Context, tool.Call) (tool.Effect, error)
}

func (k knowing) DeclaredEffect(c tool.Call) tool.Effect { return k.declared(c) }
func (k knowing) Classify(ctx context.Context, c tool.Call) (tool.Effect, error) {
	return k.classify(ctx, c)
}

func commits(s *tool.Spec) { s.SideEffectClass, s.Effect = tool.Write, tool.EffectCommit }

// byEffect allows reads, asks about what changes something, and denies files.
func byEffect(r policy.Request) policy.Decision {
	switch {
	case r.Effect == "file":
		return policy.Decision{Rule: "file"}
	case r.Class == "read":
		return allow
	}
	return policy.Decision{Verdict: policy.Ask, Rule: "write"}
}

// TestClassified: a call is judged by what it would come to when its turn has
// come, and the record says so.
func TestClassified(t *testing.T) {
	is := func(e tool.Effect) func(tool.Call) tool.Effect { return func(tool.Call) tool.Effect { return e } }
	sees := func(e tool.Effect) func(context.Context, tool.Call) (tool.Effect, error) {
		return func(context.Context, tool.Call) (tool.Effect, error) { return e, nil }
	}
	yes := func(context.Context, run.Ask) (bool, error) { return true, nil }
	tests := []struct {
		name     string
		declared func(tool.Call) tool.Effect
		classify func(context.Context, tool.Call) (tool.Effect, error)
		approve  func(context.Context, run.Ask) (bool, error)
		want     trace.Status
		code     string
		class    tool.Effect // on the step
		called   bool
	}{
		{"less than declared runs unasked", is("commit"), sees("navigate"), nil, trace.Done, "", "navigate", true},
		{"as declared, asked", is("commit"), sees("commit"), yes, trace.Done, "", "commit", true},
		{"as declared, nobody to ask", is("commit"), sees("commit"), nil, trace.NeedsApproval, "needs_approval", "commit", false},
		{"more than declared asks", is("navigate"), sees("commit"), nil, trace.NeedsApproval, "needs_approval", "commit", false},
		{"more than declared, approved as what it is", is("navigate"), sees("commit"), func(_ context.Context, a run.Ask) (bool, error) {
			return a.Effect == tool.EffectCommit && a.Call.Effect == tool.EffectCommit, nil
		}, trace.Done, "", "commit", true},
		{"more than declared, denied", is("navigate"), sees("file"), yes, trace.Denied, "file", "file", false},
		{"denied as declared is not looked at", is("file"), func(context.Context, tool.Call) (tool.Effect, error) { panic("looked") }, yes, trace.Denied, "file", "file", false},
		{"can't be made", is("commit"), func(context.Context, tool.Call) (tool.Effect, error) {
			return "", tool.NewError(tool.ToolUnavailable, "no_page", message.Verbatim("no page"))
		}, yes, trace.Failed, "no_page", "commit", false},
		{"fails", is("commit"), func(context.Context, tool.Call) (tool.Effect, error) { return "", errors.New("oh") }, yes, trace.Failed, "failed", "commit", false},
		{"breaks", is("commit"), func(context.Context, tool.Call) (tool.Effect, error) { panic("oh") }, yes, trace.Failed, "classify_failed", "commit", false},
		{"says nonsense", is("commit"), sees("explode"), yes, trace.Failed, "classify_failed", "commit", false},
		{"declares nonsense", is(""), sees("read"), yes, trace.Failed, "classify_failed", "", false},
		{"breaks while it declares", func(tool.Call) tool.Effect { panic("oh") }, sees("read"), yes, trace.Failed, "classify_failed", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got tool.Call
			called := false
			d, log := door(t, run.DispatcherOptions{Decide: byEffect, Approve: tt.approve}, knowing{newTool(func(_ context.Context, c tool.Call) (tool.Result, error) {
				called, got = true, c
				return tool.OK(nil), nil
			}, commits), tt.declared, tt.classify})
			result, step := d.Dispatch(t.Context(), call(hi))
			code := ""
			if result.Error != nil {
				code = result.Error.Code
			}
			if step.Status != tt.want || code != tt.code || called != tt.called || step.EffectClass != tt.class || recorded(t, log).EffectClass != tt.class {
				t.Errorf("%s %q, called %t, class %q; want %s %q %t %q", step.Status, code, called, step.EffectClass, tt.want, tt.code, tt.called, tt.class)
			}
			if called && got.Effect != tt.class {
				t.Errorf("the tool was allowed %q", got.Effect)
			}
			if read := tt.class == tool.EffectNavigate; called && read == (step.EffectKey != "") {
				t.Errorf("effect key %q of what %s", step.EffectKey, tt.class)
			}
		})
	}
}

// TestClassifyEnds: a look that does not end holds nobody up.
func TestClassifyEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		d, _ := door(t, run.DispatcherOptions{Decide: byEffect}, knowing{
			newTool(echo, commits),
			func(tool.Call) tool.Effect { return tool.EffectNavigate },
			func(context.Context, tool.Call) (tool.Effect, error) { <-stop; return tool.EffectNavigate, nil },
		})
		began := time.Now()
		result, _ := d.Dispatch(t.Context(), call(hi))
		if result.Error == nil || result.Error.Class != tool.ToolTimeout || time.Since(began) > 4*time.Second {
			t.Errorf("%v after %v", result.Error, time.Since(began))
		}
		close(stop)
	})
}

// TestClassifiedInPlan: a plan is judged by what its calls declare, because what
// they will meet is not there yet. What then turns out to be more than was
// approved waits.
func TestClassifiedInPlan(t *testing.T) {
	var lookup []string
	live := tool.EffectCommit
	press := knowing{
		newTool(echo, commits, named("press")),
		func(c tool.Call) tool.Effect {
			if c.Args["text"] == "link" {
				return tool.EffectNavigate
			}
			return tool.EffectInput
		},
		func(_ context.Context, c tool.Call) (tool.Effect, error) {
			lookup = append(lookup, c.ActionID)
			return live, nil
		},
	}
	p := func(text string) plan.Plan {
		return planOf(t, plan.Action{ActionID: text, Tool: "press", Args: map[string]any{"text": text}, Confidence: 1})
	}
	asked := []string{}
	d, _ := door(t, run.DispatcherOptions{Decide: byEffect, Approve: func(_ context.Context, a run.Ask) (bool, error) {
		asked = append(asked, string(a.Effect))
		return true, nil
	}}, press)

	v := d.Prepare(t.Context(), "r1", p("link")).Verdicts
	if v[0].Decision.Verdict != policy.Allow || v[0].Effect != tool.EffectNavigate || v[0].Class() != tool.Read || v[0].Spec.Effect != tool.EffectCommit || len(lookup) != 0 {
		t.Errorf("preview of a link: %+v, looked at %v", v[0], lookup)
	}
	e := run.NewEngine(d, run.EngineOptions{})
	out := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", p("key"))})
	if out.Status != trace.NeedsApproval || !slices.Equal(asked, []string{"input"}) {
		t.Errorf("more than what was approved: %s, asked about %v", out.Status, asked)
	}
	live, asked = tool.EffectInput, nil
	out = e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", p("key"))})
	if out.Status != trace.Done || !slices.Equal(asked, []string{"input"}) || out.Steps[0].EffectClass != tool.EffectInput {
		t.Errorf("what was approved: %s, asked about %v", out.Status, asked)
	}
}
