package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// A plan of one action goes through the door; the record says what happened.
func Example() {
	ctx := context.Background()
	greet := tool.Func(tool.Spec{
		Name: "greet", SideEffectClass: tool.Read, Effect: tool.EffectRead,
		ArgsSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	}, func(_ context.Context, c tool.Call) (tool.Result, error) {
		return tool.OK(fmt.Sprintf("Hello, %s!", c.Args["name"])), nil
	})
	tools, err := tool.NewSet(greet)
	if err != nil {
		fmt.Println(err)
		return
	}
	clock := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	log := &trace.Memory{}
	d := run.NewDispatcher(run.DispatcherOptions{
		Tools: tools, Log: log, Now: clock,
		Decide: func(policy.Request) policy.Decision {
			return policy.Decision{Verdict: policy.Allow, Rule: "user_goal_tools", Reason: message.Verbatim("a person's own goal")}
		},
	})
	defer d.Close(ctx)

	p, err := plan.New(plan.Content{
		Origin: plan.UserGoal, GoalAchievedBy: "a1",
		Actions: []plan.Action{{ActionID: "a1", Tool: "greet", Args: map[string]any{"name": "Ann"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	record := trace.Run{RunID: "r1", Goal: "greet Ann", StartedAt: clock()}
	if err := log.Begin(ctx, record); err != nil {
		fmt.Println(err)
		return
	}
	record.Status = run.NewEngine(d, run.EngineOptions{}).Run(ctx, run.RunRequest{RunID: "r1", Prepared: d.Prepare(ctx, "r1", p)}).Status
	if err := log.End(ctx, record); err != nil {
		fmt.Println(err)
		return
	}
	rec, err := log.Record(ctx, "r1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range rec.Steps {
		fmt.Println(s.ToolName, s.Args, s.Verdict, s.Rule, s.Status, s.Payload)
	}
	// Output: greet map[name:Ann] allow user_goal_tools done Hello, Ann!
}
