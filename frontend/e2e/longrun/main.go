// Longrun writes the record of a run of many steps, which no goal in words makes,
// so that the window can be tried with one.
//
//	longrun FOLDER STEPS
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"errand/host/store/sqlite"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "longrun:", err)
		os.Exit(1)
	}
}

func write(args []string) (err error) {
	if len(args) != 2 {
		return errors.New("usage: longrun FOLDER STEPS")
	}
	many, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	ctx := context.Background()
	s, err := sqlite.Open(ctx, args[0], sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()

	const goal = "make a folder for each of them"
	run := trace.Run{RunID: "longrun", Goal: goal, Status: trace.Running, StartedAt: time.Now().Add(-time.Hour), Actions: many, State: trace.StateInit}
	if run.Interpretation, run.Result, err = planned(goal, many); err != nil {
		return err
	}
	if err := s.Begin(ctx, run); err != nil {
		return err
	}
	for i := range many {
		step := trace.Step{
			RunID: run.RunID, StepID: id(i), ToolName: "text.upper", Args: map[string]any{"text": name(i)},
			Status: trace.Done, Verdict: "allow", Rule: "policy.read", StartedAt: run.StartedAt, DurationMS: int64(7 + i%90), Attempts: 1,
		}
		if _, err := s.Append(ctx, step); err != nil {
			return err
		}
	}
	run.Status, run.State, run.StopReason, run.DurationMS = trace.Done, trace.StateStop, trace.StopCompleted, 61_000
	return s.End(ctx, run)
}

func id(i int) string   { return fmt.Sprintf("a%d", i+1) }
func name(i int) string { return fmt.Sprintf("number %04d of them", i+1) }

// planned is what the program writes down of how it read and planned the goal.
func planned(goal string, many int) (interpretation, result json.RawMessage, err error) {
	c := plan.Content{Origin: plan.UserGoal, Language: "en", Inputs: plan.Inputs{RawText: goal}, GoalAchievedBy: id(many - 1)}
	for i := range many {
		c.Actions = append(c.Actions, plan.Action{
			ActionID: id(i), Tool: "text.upper", Args: map[string]any{"text": name(i)}, Preview: message.Verbatim("Write " + name(i) + " in capitals"),
			Confidence: 1, RiskLevel: plan.Low, ReadOnly: true,
		})
	}
	p, err := plan.New(c)
	if err != nil {
		return nil, nil, err
	}
	if result, err = json.Marshal(plan.NewSuccess(p, plan.Proof{Kind: plan.ByCuts})); err != nil {
		return nil, nil, err
	}
	return json.RawMessage(`{"status":"ok","language":"en","goals":[],"questions":[]}`), result, nil
}
