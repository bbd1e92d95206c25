package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
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
	record.Status = run.NewEngine(d, run.EngineOptions{}).Run(ctx, run.RunRequest{RunID: "r1", Plan: p}).Status
	if err := log.End(ctx, record); err != nil {
		fmt.Println(err)
		return
	}
	rec, err := log.Record(ctx, "r1")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := trace.Print(os.Stdout, rec, trace.PrintOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// greet Ann
	//    done · 2026-03-01 12:00:00 UTC · 0 ms · 1 step
	//    run r1
	//
	// 1. greet · done · 0 ms
	//    with     name: Ann
	//    policy   allowed by user_goal_tools: a person's own goal
	//    result   Hello, Ann!
}
