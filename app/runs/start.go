package runs

import (
	"cmp"
	"context"
	"slices"

	"errand/app/planning"
	"errand/app/planning/places"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// Start plans the request, has policy decide about it and runs it. It leaves a record, also of a
// denied request. A run that was denied, failed or needs the user is a [Report]; the error is for
// a program that could not run at all.
func (rs *Runs) Start(ctx context.Context, r Request) (Report, error) {
	if e := r.checkOrigin(); e != nil {
		return Report{}, e
	}
	planned := r.Plan != nil && r.Plan.Proposal != nil || len(r.Goals) > 0
	if !planned || len(r.Goals) > 0 && r.words() != "" {
		if err := planning.CheckGoal(r.words()); err != nil {
			return Report{}, err
		}
	}
	x := &attempt{runs: rs, request: r, id: cmp.Or(r.RunID, rs.o.NewID()), started: rs.now()}
	if r.Plan != nil && r.Plan.Proposal != nil {
		x.folders.Undo(r.Plan.Proposal.Undoes)
		x.follows = r.Plan.Proposal.Follows
	}
	end, err := x.open()
	if err != nil {
		return Report{}, err
	}
	defer end()
	if r.Task != nil {
		return x.task.startTask(ctx)
	}
	return x.run(ctx)
}

// checkOrigin refuses a request without an origin, and one from another origin with a plan of the
// user.
func (r Request) checkOrigin() error {
	switch {
	case !slices.Contains(plan.Origins(), r.Origin):
		return tool.NewError(tool.ValidationError, "unknown_origin", message.New("runs.unknown_origin", "origin", r.Origin, "origins", plan.Origins()))
	case r.Plan != nil && r.Plan.Plan.Origin() == plan.UserGoal && r.Origin != plan.UserGoal:
		return tool.NewError(tool.ValidationError, "unknown_origin", message.New("runs.other_origin", "origin", r.Plan.Plan.Origin(), "wanted", r.Origin))
	}
	return nil
}

func (x *attempt) run(ctx context.Context) (Report, error) {
	planned, err := x.plan(ctx)
	if err != nil && ctx.Err() != nil {
		x.report.Status, x.report.Error = trace.Interrupted, tool.AsError(err)
		return x.finish(ctx)
	}
	if err != nil {
		return x.report, err
	}
	x.report.Interpretation, x.report.Result = &planned.Interpretation, planned.Result
	if planned.Interpretation.FollowUp.LooksBack() {
		return x.runs.o.LookBack(ctx, x.request, x.report)
	}
	fault := x.checkTargets(planned)
	if fault == nil || fault.Code == places.CodeNotFound { // a plan that can't work is not shown
		x.rec.report(PlanEvent{planned})
	}
	p, stop := x.report.endWithoutCall(planned)
	if x.refused != nil {
		x.report.Status, x.report.Error = trace.Cancelled, x.refused
	}
	if fault != nil {
		x.report.Status, x.report.Answer, x.report.Error = trace.Failed, message.Message{}, fault
		stop = true
	}
	switch {
	case x.request.DryRun && stop:
		return x.finish(ctx)
	case x.request.DryRun:
		x.rehearse(ctx, p)
		return x.finish(ctx)
	}
	if err := x.begin(ctx); err != nil {
		return x.report, err
	}
	switch {
	case planned.Interpretation.Status == interpret.Ambiguous && x.refused == nil && x.runs.o.Replay == nil:
		x.waitForAnswers(ctx)
	case stop:
	case x.request.Plan != nil && x.request.Plan.Proposal != nil:
		if err := x.proposeOnly(ctx, p); err != nil {
			_, _ = x.finish(ctx)
			return x.report, err
		}
	default:
		x.execute(ctx, p, nil)
	}
	return x.finish(ctx)
}
