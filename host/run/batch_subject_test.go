package run

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// TestBatchChangesOneFile checks that calls of one batch change the same file one after the other, and
// that a call with the key of an earlier one is not made.
func TestBatchChangesOneFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const path = "/d/list"
		var mu sync.Mutex
		content := ""
		spec := tool.Spec{Name: "t", ArgsSchema: []byte(`{}`), SideEffectClass: tool.Write, Effect: tool.EffectFile}
		set, err := tool.NewSet(tool.Func(spec, func(_ context.Context, call tool.Call) (tool.Result, error) {
			mu.Lock()
			content += call.Args["text"].(string)
			mu.Unlock()
			time.Sleep(time.Second) // it has changed the file and has not ended
			return tool.OK(nil), nil
		}))
		must.Succeed(t, err)
		log := &trace.Memory{}
		must.Succeed(t, log.Begin(t.Context(), trace.Run{RunID: "r"}))
		allow := policy.Decision{Verdict: policy.Allow, Rule: "ok", Reason: message.Verbatim("ok")}
		d := NewDispatcher(DispatcherOptions{
			Tools: set, Log: log, Decide: func(policy.Request) policy.Decision { return allow }, Granted: func(Ask) policy.Decision { return allow },
			Locate: func(tool.Spec, tool.Call) []tool.Place { return []tool.Place{{Path: path, Real: path, Entry: path}} },
			Inspect: func(context.Context, tool.Spec, tool.Call) ([]tool.FileState, *tool.Error) {
				time.Sleep(time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				return []tool.FileState{{Path: path, Real: path, Kind: tool.FileRegular, SHA256: content + "."}}, nil
			},
		})
		action := func(id, text string) plan.Action {
			return plan.Action{ActionID: id, Tool: "t", Args: map[string]any{"path": path, "text": text}, DependsOn: []string{}, Confidence: 1, IdempotencyScope: "t:" + text}
		}
		p, err := plan.New(plan.Content{
			Origin: plan.UserGoal, Inputs: plan.Inputs{RawText: "go"}, Language: "en", GoalAchievedBy: "a3",
			Actions: []plan.Action{action("a1", "x"), action("a2", "x"), action("a3", "y")},
		})
		must.Succeed(t, err)
		o := NewEngine(d, EngineOptions{Parallel: 3}).Run(t.Context(), RunRequest{RunID: "r", Prepared: d.Prepare(t.Context(), "r", p)})
		for _, s := range o.Steps {
			if s.Status != trace.Done {
				t.Errorf("%s: %s (%v)", s.StepID, s.Status, s.Error)
			}
		}
		if content != "xy" {
			t.Errorf("the file has %q, want each line once", content)
		}
	})
}
