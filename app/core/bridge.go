package core

import (
	"context"
	"slices"

	"errand/host/run"
	"errand/host/trace"
	"errand/planner/plan"
)

// engineRun carries out what is left of a plan, until the engine does so itself.
func (x *execution) engineRun(ctx context.Context, e *run.Engine, p plan.Plan, only []string, done map[string]trace.Step) run.Outcome {
	c := p.Content()
	c.Modules = nil
	out := func(id string) bool {
		_, isDone := done[id]
		return isDone || len(only) > 0 && !slices.Contains(only, id)
	}
	c.Actions = slices.DeleteFunc(c.Actions, func(a plan.Action) bool { return out(a.ActionID) })
	for i := range c.Actions {
		c.Actions[i].DependsOn = slices.DeleteFunc(c.Actions[i].DependsOn, out)
		c.GoalAchievedBy = c.Actions[i].ActionID
	}
	if len(c.Actions) == 0 {
		return run.Outcome{Status: trace.Done, Steps: []trace.Step{}}
	}
	if left, err := plan.New(c); err == nil {
		p = left
	}
	return e.Run(ctx, x.id, p, x.world)
}
