package run

import (
	"context"
	"slices"
	"testing"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// turns answers with one call a turn.
type turns []plan.Action

func (p turns) Plan(_ context.Context, rc *RunContext) (AssistantAction, error) {
	if rc.Turn > len(p) {
		return Respond("done"), nil
	}
	return ToolCalls(p[rc.Turn-1]), nil
}

// TestTaskNamesSites: a call of a task belongs to the page that an earlier call opened, in this
// attempt or in an earlier one. Where no call says which page that is, the call is not made.
func TestTaskNamesSites(t *testing.T) {
	open := func(url string) plan.Action {
		return plan.Action{ActionID: "open" + url, Tool: "open", Args: map[string]any{"url": url}}
	}
	fill, blank := plan.Action{ActionID: "fill", Tool: "fill", Args: map[string]any{}}, plan.Action{ActionID: "blank", Tool: "open", Args: map[string]any{}}
	opened := func(url string, s trace.Status) trace.Step {
		return trace.Step{RunID: "r", StepID: "before", ToolName: "open", Args: map[string]any{"url": url}, Status: s}
	}
	for _, tt := range []struct {
		name    string
		earlier []trace.Step
		calls   turns
		site    string // that the tool gets
		code    string // of the last step
	}{
		{"opened in this attempt", nil, turns{open("https://shop.example/"), fill}, "https://shop.example", ""},
		{"opened twice", nil, turns{open("https://a.example/"), open("https://b.example/"), fill}, "https://b.example", ""},
		{"opened in an earlier attempt", []trace.Step{opened("https://shop.example/", trace.Done)}, turns{fill}, "https://shop.example", ""},
		{"not opened in an earlier attempt", []trace.Step{opened("https://a.example/", trace.Done), opened("https://b.example/", trace.Failed)}, turns{fill}, "https://a.example", ""},
		{"of another run", []trace.Step{{RunID: "other", StepID: "before", ToolName: "open", Args: map[string]any{"url": "https://a.example/"}, Status: trace.Done}}, turns{open("https://b.example/"), fill}, "https://b.example", ""},
		{"an empty page", nil, turns{blank, fill}, "", "page_unknown"},
		{"an empty page after another", nil, turns{open("https://a.example/"), blank, fill}, "", "page_unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			made := func(name string, use tool.PageUse, e tool.Effect) tool.Tool {
				spec := tool.Spec{Name: name, ArgsSchema: []byte(`{}`), SideEffectClass: e.Class(), Effect: e, Page: use}
				return tool.Func(spec, func(_ context.Context, call tool.Call) (tool.Result, error) {
					if name == "fill" {
						got = append(got, call.Site)
					}
					return tool.OK(nil), nil
				})
			}
			set, err := tool.NewSet(made("open", tool.OpensPage, tool.EffectNavigate), made("fill", tool.UsesPage, tool.EffectInput))
			must.Succeed(t, err)
			log := &trace.Memory{}
			must.Succeed(t, log.Begin(t.Context(), trace.Run{RunID: "r"}))
			d := NewDispatcher(DispatcherOptions{Tools: set, Log: log, EarlierSteps: tt.earlier, Decide: func(policy.Request) policy.Decision {
				return policy.Decision{Verdict: policy.Allow, Rule: "ok", Reason: message.Verbatim("ok")}
			}})
			out := NewEngine(d, EngineOptions{}).RunTask(t.Context(), Task{RunID: "r", Origin: plan.UserGoal, Planner: tt.calls, Limits: Limits{MaxFailures: 1}})
			last := out.Steps[len(out.Steps)-1]
			if last.StepID != "fill" || last.ErrorCode != tt.code || last.Site != tt.site {
				t.Fatalf("step %s: code %q, site %q; want %q, %q", last.StepID, last.ErrorCode, last.Site, tt.code, tt.site)
			}
			want := []string{tt.site}
			if tt.code != "" {
				want = nil
			}
			if !slices.Equal(got, want) {
				t.Errorf("the tool got %q, want %q", got, want)
			}
		})
	}
}
