package core

import (
	"context"
	"fmt"
	"slices"

	"errand/app/answers"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// carry takes a plan from its check to its end: what may run unasked runs, and
// what may not, or came of an answer in a person's own words, becomes a draft
// first. done are the steps of earlier stretches
// that are not repeated. How it ended is in x.report.
func (x *execution) carry(ctx context.Context, p plan.Plan, done map[string]trace.Step) {
	j, err := x.judge(ctx, p, keys(done))
	if err != nil {
		x.fail(ctx, err)
		return
	}
	partial := x.report.Result != nil && x.report.Result.Status() == plan.Partial && len(done) < p.Len()
	unasked := !j.asks() && !partial && (!x.ownWords || j.reads())
	if j.invalid() != nil || j.unlisted() || unasked {
		if unasked && j.invalid() == nil {
			x.reopen(ctx, p, nil, done)
		}
		x.apply(ctx, p, nil, done) // its gate says why nothing runs, and writes it down
		x.blocked(j)
		return
	}
	x.report.Verdicts = verdicts(j.verdicts)
	h, err := x.propose(ctx, j, proposal{})
	if err != nil {
		x.fail(ctx, err)
		return
	}
	x.report.DraftID = h.ID
	h, approved, fault := x.ask(ctx, h, keys(done))
	switch {
	case approved:
		x.report.Verdicts = nil
		x.under(ctx, h, done)
	case ctx.Err() != nil:
		x.report.Status, x.report.Error = trace.Interrupted, tool.AsError(ctx.Err())
	case h.State == approval.StateCancelled:
		x.report.Status, x.report.Error = trace.Denied, fault
	default:
		x.waits(h, fault)
	}
}

// blocked makes the host that no yes opens the reason why a run was not begun,
// where an earlier action waits for a yes alone.
func (x *execution) blocked(j judged) {
	i := slices.IndexFunc(j.verdicts, waitsForHost)
	if i < 0 || x.report.Status != trace.NeedsApproval || x.report.Error == nil {
		return
	}
	e := *x.report.Error
	e.Message, e.Hint = j.verdicts[i].Decision.Reason, j.verdicts[i].Decision.Hint
	x.report.Error = &e
}

// fail ends a run that could not go on for a reason outside of its plan.
func (x *execution) fail(ctx context.Context, err error) {
	x.report.Status, x.report.Error = trace.Failed, tool.AsError(err)
	if ctx.Err() != nil {
		x.report.Status = trace.Interrupted
	}
}

// under carries out what was approved of a draft, and settles the draft by what
// came of it.
func (x *execution) under(ctx context.Context, h held, done map[string]trace.Step) {
	x.draft.Store(&h)
	x.session.approved.Store(true)
	var only []string
	for _, a := range h.Approval.Actions {
		only = append(only, a.ID)
	}
	x.reopen(ctx, h.plan, only, done)
	steps := x.apply(ctx, h.plan, only, done)
	x.settle(ctx, h, only, steps)
}

// apply runs a plan, or only some of its actions, and takes the outcome into
// the report. It answers the steps of this stretch.
func (x *execution) apply(ctx context.Context, p plan.Plan, only []string, done map[string]trace.Step) []trace.Step {
	d := x.dispatcher()
	engine := run.NewEngine(d, run.EngineOptions{Parallel: x.app.conf.Run.Parallel, Progress: x.stepped})
	out := engine.Run(ctx, run.RunRequest{RunID: x.id, Plan: p, World: x.world, Only: only, Done: done})
	x.report.Status, x.report.StopReason, x.report.Error = out.Status, out.StopReason, out.Error
	if out.Steps != nil {
		x.report.Steps = out.Steps
	}
	if x.report.Error == nil && len(out.Warnings) > 0 { // done, and not all of it on record
		x.report.Error = out.Warnings[0]
	}
	x.drifted()
	x.report.Answer = answers.Compose(p.Content().Language, p, whole(p, done, out.Steps))
	if err := x.endCalls(ctx, d); err != nil && x.report.Error == nil { // what was done is reported all the same
		x.report.Error = tool.AsError(err)
	}
	return out.Steps
}

// whole are the steps of a run with those of earlier stretches, in the order of
// the plan: what is answered is answered to all of the goal.
func whole(p plan.Plan, done map[string]trace.Step, steps []trace.Step) []trace.Step {
	var out []trace.Step
	for _, a := range p.Actions() {
		if s, ok := done[a.ActionID]; ok {
			out = append(out, s)
		}
		for _, s := range steps {
			if s.StepID == a.ActionID {
				out = append(out, s)
			}
		}
	}
	return out
}

// settle writes down on the draft what came of its application. What failed may
// be approved again, and what was left out still waits.
func (x *execution) settle(ctx context.Context, h held, approved []string, steps []trace.Step) {
	done := slices.Clone(h.Done)
	reason := ""
	next := h
	next.proposal.Actions = slices.Clone(h.proposal.Actions)
	for i := range next.proposal.Actions {
		a := &next.proposal.Actions[i]
		at := slices.IndexFunc(steps, func(s trace.Step) bool { return s.StepID == a.ActionID })
		if at < 0 || !slices.Contains(approved, a.ActionID) || slices.Contains(h.Done, a.ActionID) {
			continue
		}
		step := steps[at]
		if step.Status == trace.Done {
			a.Status, a.Error = ActionDone, nil
			done = append(done, a.ActionID)
			x.report.Applied = append(x.report.Applied, a.ActionID)
			continue
		}
		a.Status, a.Error = ActionFailed, step.Error
		switch {
		case step.Effect == tool.Unknown:
			a.Status = ActionUnknown
		case step.Status == trace.Skipped: // it was not begun
			a.Status, a.Error = ActionProposed, nil
		}
		f := failedAction(step)
		x.report.Failed = append(x.report.Failed, f)
		if reason == "" {
			reason = fmt.Sprintf("%s: %s", f.ActionID, f.Reason)
		}
	}
	h, err := x.keepSettled(ctx, h, next, done, reason)
	if err != nil && x.report.Error == nil { // done, and the draft does not say so
		x.report.Error = tool.AsError(err)
	}
	x.report.DraftID = h.ID
	if !h.State.Final() {
		view := h.view()
		x.report.Draft = &view
		if x.report.Status == trace.Done { // the rest of it still waits
			x.report.Status, x.report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
		}
	}
}

// keepSettled keeps a draft after its application. Of what is left the number is
// counted anew: that of the whole was confirmed.
func (x *execution) keepSettled(ctx context.Context, h, next held, done []string, reason string) (held, error) {
	var err error
	if next.Draft.Draft, err = h.Draft.Applied(done, reason, x.app.now()); err != nil {
		return h, err
	}
	if !next.State.Final() {
		next.Draft.Confirm = toConfirm(next.proposal.Actions, next.Left())
	}
	s, err := x.app.storage()
	if err != nil {
		return h, err
	}
	return x.app.swap(ctx, s, h, next)
}

func failedAction(step trace.Step) FailedAction {
	f := FailedAction{ActionID: step.StepID, Status: step.Status, Code: step.ErrorCode}
	if step.Error != nil {
		f.Reason = step.Error.Message
	}
	return f
}

func keys(done map[string]trace.Step) []string {
	out := make([]string, 0, len(done))
	for id := range done {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}
