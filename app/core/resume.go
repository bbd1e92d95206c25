package core

import (
	"context"
	"slices"
	"strings"
	"time"

	"errand/app/secrets"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy/approval"
)

// CodeRunDone is a run that reached its end: nothing of it is left to do.
const CodeRunDone = "run_done"

// Resume takes up a run that was interrupted or failed. What is done is not
// repeated; what was begun and nobody saw end is looked at by its tool, or
// waits for [App.Answer]. Everything else is judged anew, and asked about where
// policy asks. A run that waits for its draft says so.
func (a *App) Resume(ctx context.Context, r ResumeRequest) (Report, error) {
	s, err := a.storage()
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
		return Report{}, tool.Errorf(tool.ValidationError, CodeRunDone, "run %s is done already", rec.RunID).
			WithHint("errand show %s tells what came of it", rec.RunID)
	}
	if h, found, err := a.draftOf(ctx, s, rec); err != nil {
		return Report{}, err
	} else if found {
		return a.resumeDraft(ctx, s, h, rec, r)
	}
	p, fault := planOf(rec)
	if fault != nil {
		return Report{}, fault
	}
	if names := a.vault.Missing(rec.RunID, p); len(names) > 0 {
		return Report{}, tool.Errorf(tool.ValidationError, tool.CodeSecretGone, "run %s can't be taken up: it needs the secret %s, which is not kept", rec.RunID, strings.Join(names, ", ")).
			WithHint("run it again, with its secrets")
	}
	x, end, err := a.takeUp(held{proposal: proposal{Words: p.Content().Inputs.RawText, Voice: p.Content().Inputs.Voice}}, rec, r.Progress)
	if err != nil {
		return Report{}, err
	}
	defer end()
	x.request.Yes, x.request.Approve = r.Yes, r.Approve
	if err := x.equip(ctx); err != nil {
		return x.report, err
	}
	if err := x.resume(ctx, s); err != nil {
		return x.report, err
	}
	x.carry(ctx, p, committed(rec.Steps))
	return x.finish(ctx)
}

// resumeDraft goes on with the application of a draft whose program died over
// it: what was approved holds as long as the approval does. Any other draft of
// the run waits for a person's word.
func (a *App) resumeDraft(ctx context.Context, s *store.Store, h held, rec trace.Record, r ResumeRequest) (Report, error) {
	if h.State == approval.StateApplying && !h.Stranded {
		return Report{}, applying(h)
	}
	if h.State == approval.StateApplied { // what was left out of it is not to be done
		return a.leftAlone(ctx, s, h, rec, r.Progress)
	}
	again := ApproveRequest{ID: h.ID, Confirm: h.Confirm, Progress: r.Progress}
	if h.State == approval.StateApplying && stillApproved(h, a.now()) {
		for _, action := range h.Approval.Actions {
			again.Actions = append(again.Actions, action.ID)
		}
		again.Actions = slices.DeleteFunc(again.Actions, func(id string) bool { _, done := committed(rec.Steps)[id]; return done })
		if len(again.Actions) == 0 { // none would mean all
			return a.leftAlone(ctx, s, h, rec, r.Progress)
		}
		again.By, again.Confirm, again.given = h.Approval.By, toConfirm(h.proposal.Actions, again.Actions), h.Approval
		return a.Approve(ctx, again)
	}
	if fault := h.withheld(); fault != nil {
		return Report{}, fault
	}
	if r.Yes {
		again.By = a.user() + " by --yes"
		return a.Approve(ctx, again)
	}
	if r.Approve != nil {
		seen := h.view()
		answer, err := r.Approve(ctx, seen)
		if err == nil && answer.Yes {
			again.Actions, again.Confirm, again.Revision = answer.Actions, answer.Confirm, seen.Revision
			return a.Approve(ctx, again)
		}
	}
	report := a.again(rec)
	view := h.view()
	report.Status, report.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
	report.DraftID, report.Draft = h.ID, &view
	report.Error = waiting(h)
	report.Error.Code = CodeAwaiting
	return report, nil
}

// stillApproved says whether a yes that was begun to be carried out still counts.
// None that a face asks for is longer than [approval.TTL]: one that says so was
// not given to this program.
func stillApproved(h held, now time.Time) bool {
	y := h.Approval
	return y != nil && !now.Before(y.At) && now.Before(y.Until) && y.Until.Sub(y.At) <= approval.TTL
}

// draftOf is the draft that a run waits for; not found where it has none, or one
// that was carried out.
func (a *App) draftOf(ctx context.Context, s *store.Store, rec trace.Record) (held, bool, error) {
	if rec.DraftID == "" {
		return a.strandedOf(ctx, s, rec.RunID)
	}
	_, h, err := a.held(ctx, rec.DraftID)
	if err != nil || h.State == approval.StateApplied { // all is done, and the record lacks its end
		return h, err == nil, err
	}
	if fault := h.over(); fault != nil {
		return h, false, fault
	}
	return h, true, nil
}

// strandedOf finds the draft of a run that died before its record named it.
func (a *App) strandedOf(ctx context.Context, s *store.Store, runID string) (held, bool, error) {
	drafts, err := s.Drafts(ctx, "")
	if err != nil {
		return held{}, false, err
	}
	for _, d := range drafts {
		if d.RunID != runID {
			continue
		}
		h, err := a.readHeld(d)
		if err != nil {
			return h, false, err
		}
		h = a.expire(ctx, s, h)
		if h.State == approval.StateApplied {
			return h, true, nil
		}
		if fault := h.over(); fault != nil {
			return h, false, fault
		}
		return h, true, nil
	}
	return held{}, false, nil
}

// planOf is the plan of a record, to be carried out.
func planOf(rec trace.Record) (plan.Plan, *tool.Error) {
	result, err := readResult(rec.Result)
	p, ok := result.Plan()
	if err == nil && ok && !secrets.Marked(anyArgs(p)) {
		return p, nil
	}
	if len(rec.Result) == 0 || string(rec.Result) == "null" || err == nil && !ok {
		return p, tool.Errorf(tool.ValidationError, "no_plan", "run %s has no plan to go on with", rec.RunID).
			WithHint("run the goal again: %s", setting.CommandOf(rec.Run))
	}
	return p, tool.Errorf(tool.ValidationError, CodeDraftWithheld, "run %s can't be taken up: its plan holds a secret, which is not kept", rec.RunID).
		WithHint("run it again, with its secrets")
}

func anyArgs(p plan.Plan) []any {
	var out []any
	for _, a := range p.Actions() {
		out = append(out, a.Args)
	}
	return out
}
