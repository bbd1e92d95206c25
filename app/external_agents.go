package app

import (
	"context"

	"errand/app/external"
	"errand/app/runs"
	"errand/app/runs/calls"
	"errand/host/run"
	"errand/host/trace"
	"errand/policy"
)

// newExternalAgents wires the sessions of agents of others.
func newExternalAgents(a *App) *external.Agents {
	return external.New(external.Options{
		Server: a.conf.MCP.Server, Tools: a.toolSet, Drafts: a.Drafts,
		Start:  func(ctx context.Context, r runs.Request) (runs.Report, error) { return a.Start(ctx, r) },
		Record: func(ctx context.Context, id string) (trace.Record, error) { return a.Record(ctx, id) },
		Clean:  func(v any) any { return a.vault.Cleaner().Value(v) },
	})
}

// decideForAgents returns the policy decision with the limits of both kinds of agents.
func decideForAgents(a *App) func(policy.Request) policy.Decision {
	return func(r policy.Request) policy.Decision {
		return external.Restrict(a.conf.MCP.Server, r, a.ModelAgent.Decide(r, a.grants.Decide))
	}
}

// taskPlanners returns what makes the planner of a task, by its kind.
func taskPlanners(a *App) func(context.Context, calls.PlannerRequest) (run.Planner, error) {
	return func(ctx context.Context, r calls.PlannerRequest) (run.Planner, error) {
		if r.Kind == external.Kind {
			return a.External.Planner(ctx, r)
		}
		return a.ModelAgent.Planner(ctx, r)
	}
}
