package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/run"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// model is a planner that answers what its function says, as a language model
// would.
type model func(rc *run.RunContext) (run.AssistantAction, error)

func (m model) Plan(_ context.Context, rc *run.RunContext) (run.AssistantAction, error) { return m(rc) }

// callTracker asks for tools by name, each turn with ids of its own.
func callTracker(rc *run.RunContext, names ...string) run.AssistantAction {
	var all []plan.Action
	for i, n := range names {
		all = append(all, plan.Action{ActionID: fmt.Sprintf("t%d.%d", rc.Turn, i+1), Tool: n, Args: map[string]any{"text": fmt.Sprint(n, rc.Turn)}})
	}
	return run.ToolCalls(all...)
}

func TestRunTask(t *testing.T) {
	always := func(names ...string) model {
		return func(rc *run.RunContext) (run.AssistantAction, error) { return callTracker(rc, names...), nil }
	}
	tests := []struct {
		name    string
		planner run.Planner
		limits  run.Limits
		script  script
		decide  map[string]policy.Verdict
		stop    trace.StopReason
		status  trace.Status
		state   trace.RunState
		steps   int
		took    time.Duration // at most a second more
	}{
		{"S3-T01 a model that always calls a tool", always("a"), run.Limits{MaxSteps: 12}, nil, nil, trace.StopMaxSteps, trace.Failed, trace.StateStop, 12, 0},
		{"S3-T02 a tool that blocks beyond the wall time", always("a"), run.Limits{MaxWallTime: 300 * time.Millisecond}, script{"a": untilDone}, nil, trace.StopMaxWallTime, trace.Failed, trace.StateStop, 1, 300 * time.Millisecond},
		{"S3-T03 a tool that fails", always("a"), run.Limits{MaxFailures: 3}, script{"a": fails}, nil, trace.StopMaxFailures, trace.Failed, trace.StateStop, 3, 0},
		{"S3-T04 answers without calls", always(), run.Limits{MaxNoOps: 3}, nil, nil, trace.StopNoOpLoop, trace.Failed, trace.StateStop, 0, 0},
		{"the same call with the same result", model(func(*run.RunContext) (run.AssistantAction, error) {
			return run.ToolCalls(plan.Action{ActionID: "x", Tool: "a", Args: hi}), nil
		}), run.Limits{MaxNoOps: 3}, script{"a": fails}, nil, trace.StopNoOpLoop, trace.Failed, trace.StateStop, 3, 0},
		{"S3-T05 a call that policy denies", always("a"), agentLimits(), nil, map[string]policy.Verdict{"a": policy.Deny}, trace.StopPolicyDenied, trace.Denied, trace.StateStop, 1, 0},
		{"a call that nobody can approve", always("a"), agentLimits(), nil, map[string]policy.Verdict{"a": policy.Ask}, trace.StopAwaitingApproval, trace.NeedsApproval, trace.StateStop, 1, 0},
		{"S3-H32 a tool that does not exist", always("nothing"), run.Limits{MaxFailures: 2}, nil, nil, trace.StopMaxFailures, trace.Failed, trace.StateStop, 2, 0},
		{"S3-H40 a planner that breaks", model(func(*run.RunContext) (run.AssistantAction, error) { panic("oh") }), run.Limits{}, nil, nil, trace.StopError, trace.Failed, trace.StateError, 0, 0},
		{"a planner that fails", model(func(*run.RunContext) (run.AssistantAction, error) { return run.AssistantAction{}, errors.New("no") }), run.Limits{}, nil, nil, trace.StopError, trace.Failed, trace.StateError, 0, 0},
		{"no planner", nil, run.Limits{}, nil, nil, trace.StopError, trace.Failed, trace.StateError, 0, 0},
		{"calls in a circle", model(func(*run.RunContext) (run.AssistantAction, error) {
			return run.ToolCalls(plan.Action{ActionID: "x", Tool: "a", DependsOn: []string{"y"}}, plan.Action{ActionID: "y", Tool: "a", DependsOn: []string{"x"}}), nil
		}), run.Limits{}, nil, nil, trace.StopError, trace.Failed, trace.StateError, 0, 0},
		{"a call without an id", model(func(*run.RunContext) (run.AssistantAction, error) {
			return run.ToolCalls(plan.Action{ActionID: "x", Tool: "a"}, plan.Action{Tool: "a"}), nil
		}), run.Limits{MaxSteps: 2}, nil, nil, trace.StopError, trace.Failed, trace.StateError, 0, 0},
		{"two calls and words", model(func(rc *run.RunContext) (run.AssistantAction, error) {
			if rc.Turn < 3 {
				return callTracker(rc, "a"), nil
			}
			return run.Respond("that was it"), nil
		}), agentLimits(), nil, nil, trace.StopCompleted, trace.Done, trace.StateStop, 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, _, _ := engine(t, run.DispatcherOptions{Decide: verdicts(tt.decide)}, run.EngineOptions{}, tt.script)
				start := time.Now()
				o := e.RunTask(t.Context(), run.Task{RunID: "r1", Origin: plan.Agent, Planner: tt.planner, Limits: tt.limits})
				if took := time.Since(start); took < tt.took || took > tt.took+time.Second {
					t.Errorf("it took %v, want %v", took, tt.took)
				}
				if o.StopReason != tt.stop || o.Status != tt.status || o.State != tt.state || len(o.Steps) != tt.steps {
					t.Errorf("%s, %s in %s after %d steps (%v); want %s, %s in %s after %d",
						o.StopReason, o.Status, o.State, len(o.Steps), o.Error, tt.stop, tt.status, tt.state, tt.steps)
				}
				if (o.Error == nil) != (tt.status == trace.Done) {
					t.Errorf("error %v with status %s", o.Error, o.Status)
				}
			})
		})
	}
}

// TestLimitsHoldWithinAnAnswer: a planner that asks for many calls at once gets
// no more of them than one that asks one by one.
func TestLimitsHoldWithinAnAnswer(t *testing.T) {
	e, _, j := engine(t, run.DispatcherOptions{}, run.EngineOptions{Parallel: 4}, nil)
	o := e.RunTask(t.Context(), run.Task{RunID: "r1", Origin: plan.Agent, Limits: run.Limits{MaxSteps: 5}, Planner: model(func(rc *run.RunContext) (run.AssistantAction, error) {
		return callTracker(rc, "a", "b", "c", "d", "a", "b", "c", "d"), nil
	})})
	if len(j.entries) != 5 || o.StopReason != trace.StopMaxSteps {
		t.Errorf("%d calls (%v), stopped by %s", len(j.entries), j.entries, o.StopReason)
	}
}

func TestParallelCallsKeepTheirOrder(t *testing.T) {
	t.Run("S3-H35 ten calls in one answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			e, _, j := engine(t, run.DispatcherOptions{}, run.EngineOptions{Parallel: 3}, script{"a": takes(30 * time.Millisecond), "b": takes(10 * time.Millisecond)})
			var got string
			o := e.RunTask(t.Context(), run.Task{RunID: "r1", Origin: plan.Agent, Planner: model(func(rc *run.RunContext) (run.AssistantAction, error) {
				if rc.Turn == 1 {
					return callTracker(rc, "a", "b", "a", "b", "a", "b", "a", "b", "a", "b"), nil
				}
				for _, r := range rc.Results {
					got += " " + r.ActionID
				}
				return run.Respond("done"), nil
			})})
			want := ""
			for i := range 10 {
				want += fmt.Sprintf(" t1.%d", i+1)
			}
			if got != want || j.most != 3 || o.Status != trace.Done {
				t.Errorf("results %s, at most %d at once, %s", got, j.most, o.Status)
			}
		})
	})
}

// TestOnlyAndDone: a part of a plan, and what is left of one.
func TestOnlyAndDone(t *testing.T) {
	p := func(t *testing.T) plan.Plan { return planOf(t, act("a"), act("b", "a"), act("c"), act("d", "c")) }
	done := map[string]trace.Step{"a": {StepID: "a", Status: trace.Done}}
	tests := []struct {
		name  string
		only  []string
		done  map[string]trace.Step
		calls []string
		steps string
		want  trace.Status
	}{
		{"only what was approved", []string{"a", "c"}, nil, []string{"a", "c"}, "a done, c done", trace.Done},
		{"what is done is not made again", nil, done, []string{"b", "c", "d"}, "b done, c done, d done", trace.Done},
		{"S0-H36 a dependency that nobody approved", []string{"b"}, nil, nil, "b skipped", trace.Failed},
		{"a dependency that is done", []string{"b"}, done, []string{"b"}, "b done", trace.Done},
		{"nothing is left", []string{"a"}, done, nil, "", trace.Done},
		{"S3-H40 none of it was approved", []string{}, nil, nil, "", trace.Failed},
		{"S3-H40 what was approved is none of it", []string{"z"}, nil, nil, "", trace.Failed},
		{"what failed before is not done", []string{"a"}, map[string]trace.Step{"a": {StepID: "a", Status: trace.Failed}}, []string{"a"}, "a done", trace.Done},
		{"nor does what depends on it go on", []string{"b"}, map[string]trace.Step{"a": {StepID: "a", Status: trace.Failed}}, nil, "b skipped", trace.Failed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, _, j := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, nil)
			o := e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", p(t)), Only: tt.only, Done: tt.done})
			if d := cmp.Diff(tt.calls, j.entries); d != "" {
				t.Errorf("calls (-want +got):\n%s", d)
			}
			if completed := o.StopReason == trace.StopCompleted; completed != (tt.want == trace.Done) {
				t.Errorf("stopped by %s", o.StopReason)
			}
			if statuses(o.Steps) != tt.steps || o.Status != tt.want {
				t.Errorf("%s: %s; want %s: %s", o.Status, statuses(o.Steps), tt.want, tt.steps)
			}
		})
	}
}

func TestHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var beats []string
		listen := func(e run.Event) {
			if e.Kind == run.StepRunning {
				beats = append(beats, fmt.Sprintf("%s %d", e.ActionID, e.ElapsedMS))
			}
		}
		e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{Progress: listen, Heartbeat: 300 * time.Millisecond}, script{"a": takes(900 * time.Millisecond)})
		e.Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: e.Prepare(t.Context(), "r1", planOf(t, act("a")))})
		if got := strings.Join(beats, ", "); got != "a 300, a 600" && got != "a 300, a 600, a 900" {
			t.Errorf("heartbeats: %s", got)
		}
	})
}

// TestStep is one turn by itself, as a caller of its own loop takes it.
func TestStep(t *testing.T) {
	e, _, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, script{"b": fails})
	rc := &run.RunContext{RunID: "r1", Origin: plan.Agent}
	got := e.Step(t.Context(), rc, run.ToolCalls(plan.Action{ActionID: "x", Tool: "a", Args: hi}, plan.Action{ActionID: "y", Tool: "b", Args: hi}))
	if got.State != trace.StateObserve || got.Stop != "" || len(got.Results) != 2 || !got.Results[0].OK || got.Results[1].ErrorCode != "broken" {
		t.Errorf("after the calls: %+v", got)
	}
	if got = e.Step(t.Context(), rc, run.Respond("bye")); got.State != trace.StateRespond || got.Stop != trace.StopCompleted {
		t.Errorf("after the words: %+v", got)
	}
}

// agentLimits returns the limits of an agent run: 12 steps, 90 s, 3 failures, 3
// no-ops.
func agentLimits() run.Limits {
	return run.Limits{MaxSteps: 12, MaxWallTime: 90 * time.Second, MaxFailures: 3, MaxNoOps: 3}
}
