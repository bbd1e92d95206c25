package runs

import (
	"context"
	"slices"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// CodeRunDone is the code of a finished run, of which nothing is left to do.
const CodeRunDone = "run_done"

// Resume resumes a run that was interrupted or failed. It does not repeat finished actions.
// Actions of unknown outcome are checked by their tool, or wait for [Runs.Answer]. Everything
// else is evaluated again, and waits for approval if policy requires it. A run that waits for its
// draft says so.
func (rs *Runs) Resume(ctx context.Context, r ResumeRequest) (Report, error) {
	s, err := rs.storage()
	if err != nil {
		return Report{}, err
	}
	rec, err := s.Record(ctx, r.ID)
	if err != nil {
		return Report{}, err
	}
	switch {
	case rec.Status == trace.Running:
		return Report{}, trace.RunUnderWay(rec.RunID)
	case rec.Status == trace.Done:
		return Report{}, tool.NewError(tool.ValidationError, CodeRunDone, message.New("runs.run_done", "run", rec.RunID)).
			WithHint(message.New("runs.run_done_hint", "run", rec.RunID))
	}
	if recorded, err := setting.Read(rec.Setting); err == nil && recorded.Run.Task != nil {
		return rs.resumeTask(ctx, s, rec, *recorded.Run.Task, r)
	}
	h, found, err := rs.draftOf(ctx, s, rec)
	if err != nil {
		return Report{}, err
	}
	if found {
		return rs.resumeDraft(ctx, s, h, rec, r)
	}
	p, fault := planOf(rec)
	if fault != nil {
		return Report{}, fault
	}
	if names := rs.o.Vault.MissingSecrets(rec.RunID, p); len(names) > 0 {
		return Report{}, tool.NewError(tool.ValidationError, tool.CodeSecretGone, message.New("runs.secret_gone", "run", rec.RunID, "names", names)).
			WithHint(message.New("runs.run_again_with_secrets"))
	}
	x, end, err := rs.takeUp(drafts.Draft{Proposal: drafts.Proposal{Words: p.Content().Inputs.RawText, Voice: p.Content().Inputs.Voice, Follows: h.Proposal.Follows}}, rec, r.Progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	x.request.Yes, x.request.Approve, x.gate.Approved = r.Yes, r.Approve, r.Yes
	x.rec.states = r.States
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, s); err != nil {
		return x.report, err
	}
	x.proposal = drafts.Proposal{Undoes: h.Proposal.Undoes, TakesBack: h.Proposal.TakesBack, Irreversible: h.Proposal.Irreversible, Follows: h.Proposal.Follows, Recipe: h.Proposal.Recipe, Params: h.Proposal.Params}
	x.execute(ctx, p, doneSteps(rec.Steps))
	return x.finish(ctx)
}

// resumeTask continues a task, unless the draft of its last calls waits. Calls whose draft expired
// are proposed again; those of a rejected one are handed to the planner as results, if the task
// wants that.
func (rs *Runs) resumeTask(ctx context.Context, s store.Store, rec trace.Record, t setting.Task, r ResumeRequest) (Report, error) {
	h, found, err := rs.o.Drafts.Newest(ctx, s, rec.RunID)
	switch {
	case err != nil:
		return Report{}, err
	case found && !h.State.Final():
		return rs.resumeDraft(ctx, s, h, rec, r)
	case h.State == approval.StateCancelled && !t.ContinueDenied:
		return Report{}, h.EndedError()
	}
	x, end, err := rs.takeUp(drafts.Draft{Proposal: drafts.Proposal{Words: h.Proposal.Words}}, rec, r.Progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	x.request.Yes, x.request.Approve, x.gate.Approved = r.Yes, r.Approve, r.Yes
	x.rec.states = r.States
	if err := x.task.loadPlanner(ctx); err != nil {
		return x.report, err
	}
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	if err := x.reopenRecord(ctx, s); err != nil {
		return x.report, err
	}
	x.task.resumeTask(ctx, h)
	return x.finish(ctx)
}

// resumeDraft applies a ready draft, or continues one whose program died while it applied it, as
// long as the approval is valid. Any other draft of the run waits for the user.
func (rs *Runs) resumeDraft(ctx context.Context, s store.Store, h drafts.Draft, rec trace.Record, r ResumeRequest) (Report, error) {
	if h.State == approval.StateApplying && !h.Stranded {
		return Report{}, drafts.UnderWay(h)
	}
	if h.State == approval.StateApplied { // actions that were left out stay undone
		return rs.finishOrphanedDraft(ctx, s, h, rec, r.Progress)
	}
	again := ApproveRequest{ID: h.ID, Confirm: h.Confirm, Progress: r.Progress}
	if h.State == approval.StateReady && rs.o.Drafts.HasApproval(h) {
		return rs.Approve(ctx, ApproveRequest{ID: h.ID, Revision: r.Revision, Progress: r.Progress, isApproved: true})
	}
	if h.State == approval.StateApplying && rs.o.Drafts.HasApproval(h) {
		again.Actions = slices.DeleteFunc(h.Approval.IDs(), func(id string) bool { _, done := doneSteps(rec.Steps)[id]; return done })
		if len(again.Actions) == 0 { // none would mean all
			return rs.finishOrphanedDraft(ctx, s, h, rec, r.Progress)
		}
		again.By, again.Confirm, again.expires = h.Approval.By, drafts.CountToConfirm(h.Actions, again.Actions), h.Approval.Until
		again.Confirmed, again.Revision = h.Approval.Confirmed, h.Revision() // an edit withdraws the approval
		return rs.Approve(ctx, again)
	}
	if fault := h.CheckWithheld(); fault != nil {
		return Report{}, fault
	}
	if r.Yes {
		again.By = byFlag(rs.o.User)
		return rs.Approve(ctx, again)
	}
	if r.Approve != nil {
		seen := h.View()
		answer, err := r.Approve(ctx, seen)
		if err == nil && answer.Yes {
			again.Actions, again.Confirm, again.Confirmed, again.Revision = answer.Actions, answer.Confirm, answer.Confirmed, seen.Revision
			return rs.Approve(ctx, again)
		}
	}
	if rec.Status == trace.Interrupted {
		return rs.waitAgain(ctx, s, h, rec, r.Progress)
	}
	report := reportOf(rec)
	view := h.View()
	report.Status, report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
	report.DraftID, report.Draft = h.ID, &view
	report.Error = drafts.WaitingError(h)
	report.Error.Code = drafts.CodeAwaiting
	return report, nil
}

// draftOf returns the draft that a run waits for. It returns not found if there is none or if it
// was applied.
func (rs *Runs) draftOf(ctx context.Context, s store.Store, rec trace.Record) (drafts.Draft, bool, error) {
	if rec.DraftID == "" {
		return rs.strandedOf(ctx, s, rec.RunID)
	}
	_, h, err := rs.o.Drafts.Load(ctx, rec.DraftID)
	if err != nil || h.State == approval.StateApplied { // all is done, and the record lacks its end
		return h, err == nil, err
	}
	if h.State == approval.StateFailed { // the run goes on without it
		return h, false, nil
	}
	if fault := h.EndedError(); fault != nil {
		return h, false, fault
	}
	return h, true, nil
}

// strandedOf finds the draft of a run whose program died before the record named the draft.
func (rs *Runs) strandedOf(ctx context.Context, s store.Store, runID string) (drafts.Draft, bool, error) {
	stored, err := s.Drafts(ctx, "")
	if err != nil {
		return drafts.Draft{}, false, err
	}
	for _, d := range stored {
		if d.RunID != runID {
			continue
		}
		h, err := rs.o.Drafts.Read(ctx, s, d)
		if err != nil {
			return h, false, err
		}
		if h.State == approval.StateApplied || h.State == approval.StateFailed {
			return h, h.State == approval.StateApplied, nil
		}
		if fault := h.EndedError(); fault != nil {
			return h, false, fault
		}
		return h, true, nil
	}
	return drafts.Draft{}, false, nil
}

// planOf returns the plan of a record, to be run.
func planOf(rec trace.Record) (plan.Plan, *tool.Error) {
	result, err := planning.ReadResult(rec.Result)
	p, ok := result.Plan()
	if err == nil && ok && !secrets.IsMarked(anyArgs(p)) {
		return p, nil
	}
	if len(rec.Result) == 0 || string(rec.Result) == "null" || err == nil && !ok {
		return p, tool.NewError(tool.ValidationError, "no_plan", message.New("runs.no_plan", "run", rec.RunID)).
			WithHint(message.New("runs.run_goal_again", "command", setting.CommandOf(rec.Run)))
	}
	return p, tool.NewError(tool.ValidationError, drafts.CodeDraftWithheld, message.New("runs.plan_withheld", "run", rec.RunID)).
		WithHint(message.New("runs.run_again_with_secrets"))
}

func anyArgs(p plan.Plan) []any {
	var out []any
	for _, a := range p.Actions() {
		out = append(out, a.Args)
	}
	return out
}
