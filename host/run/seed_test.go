package run_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// TestSeedApply are acceptance lines of the planner contract and the agent plan
// about what is carried out.
func TestSeedApply(t *testing.T) {
	t.Run("S2-H20 the second of three is asked to come back later", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			refusals, made := 0, map[string]int{}
			counted := func(name string, f func(context.Context, tool.Call) (tool.Result, error)) tool.Tool {
				return newTool(func(ctx context.Context, c tool.Call) (tool.Result, error) {
					made[name]++
					return f(ctx, c)
				}, writes, named(name), rateLimited, func(s *tool.Spec) { s.TimeoutMS = 60_000 })
			}
			busy := func(context.Context, tool.Call) (tool.Result, error) {
				refusals++
				e := tool.NewError(tool.ToolUnavailable, "rate_limited", message.Verbatim("429 Too Many Requests"))
				e.RetryAfterMS = 1000
				return tool.Result{Error: e}, nil
			}
			d, _ := door(t, run.DispatcherOptions{Jitter: func() time.Duration { return 100 * time.Millisecond }},
				counted("a", echo), counted("b", busy), counted("c", echo))
			start := time.Now()
			p := planOf(t, act("a"), act("b", "a"), act("c"))
			o := run.NewEngine(d, run.EngineOptions{}).Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: d.Prepare(t.Context(), "r1", p)})
			if took := time.Since(start); took != 2*1100*time.Millisecond || refusals != 3 {
				t.Errorf("refused %d times in %v; want three times, a second and its jitter apart", refusals, took)
			}
			if got := statuses(o.Steps); got != "a done, b failed, c done" || o.StopReason != trace.StopError {
				t.Errorf("%s, stopped by %s", got, o.StopReason)
			}
			done := map[string]trace.Step{"a": o.Steps[0], "c": o.Steps[2]}
			run.NewEngine(d, run.EngineOptions{}).Run(t.Context(), run.RunRequest{RunID: "r1", Prepared: d.Prepare(t.Context(), "r1", p), Done: done})
			if made["a"] != 1 || made["c"] != 1 || made["b"] != 6 {
				t.Errorf("calls after a second try: %v", made)
			}
		})
	})
	t.Run("S3-T05 what policy denies", func(t *testing.T) {
		e, log, j := engine(t, run.DispatcherOptions{Decide: func(policy.Request) policy.Decision {
			return policy.Decision{Rule: "no_writes", Reason: message.Verbatim("nothing is written here"), Flags: []string{"floor"}}
		}}, run.EngineOptions{}, nil)
		var got run.ToolResult
		e.RunTask(t.Context(), run.Task{RunID: "r1", Origin: plan.Agent, Limits: agentLimits(), Planner: model(func(rc *run.RunContext) (run.AssistantAction, error) {
			return callTracker(rc, "a"), nil
		})})
		rc := &run.RunContext{RunID: "r1", Origin: plan.Agent}
		if r := e.Step(t.Context(), rc, run.ToolCalls(plan.Action{ActionID: "x", Tool: "a", Args: hi})); r.Stop == trace.StopPolicyDenied && len(r.Results) == 1 {
			got = r.Results[0]
		}
		if got.OK || got.Retriable || got.Error == nil || got.Error.Class != tool.PolicyDenied || len(j.entries) > 0 {
			t.Errorf("result %+v after %d calls", got, len(j.entries))
		}
		rec, err := log.Record(t.Context(), "r1")
		if err != nil || len(rec.Steps) != 2 {
			t.Fatalf("%d steps (%v)", len(rec.Steps), err)
		}
		for _, s := range rec.Steps {
			if s.Status != trace.Denied || s.Rule != "no_writes" || s.Reason.IsZero() || !slices.Equal(s.PolicyFlags, []string{"floor", "no_writes"}) || s.Attempts != 0 {
				t.Errorf("recorded %+v", s)
			}
		}
	})
	t.Run("S3-T07 three steps with two tools", func(t *testing.T) {
		e, log, _ := engine(t, run.DispatcherOptions{}, run.EngineOptions{}, nil)
		o := e.RunTask(t.Context(), run.Task{RunID: "r1", Origin: plan.Agent, Limits: agentLimits(), Planner: model(func(rc *run.RunContext) (run.AssistantAction, error) {
			if rc.Turn == 4 {
				return run.Respond("all three are done"), nil
			}
			return callTracker(rc, []string{"a", "b", "a"}[rc.Turn-1]), nil
		})})
		if o.StopReason != trace.StopCompleted || o.Response != "all three are done" || len(o.Steps) != 3 {
			t.Fatalf("%s after %d steps: %q", o.StopReason, len(o.Steps), o.Response)
		}
		rec, err := log.Record(t.Context(), "r1")
		must.Succeed(t, err)
		for _, s := range rec.Steps {
			if s.RunID != "r1" || s.StepID == "" || s.ToolName == "" || len(s.ArgsHash) != 64 || s.Status != trace.Done || s.Artifacts == nil || s.PolicyFlags == nil {
				t.Errorf("recorded %+v", s)
			}
		}
	})
}
