package core

import (
	"context"
	"maps"
	"slices"
	"strings"

	"errand/app/planning"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/policy/approval"
)

// Answer answers the questions of a draft. Once none is open the words are read
// again with the answers, and the draft goes on under its own id with the plan
// that they lead to. It then waits for [App.Approve], also where the plan would
// have run unasked had it been clear from the start.
//
// Of a run it says, for actions whose outcome nobody saw, whether they are
// "done" or "not-done"; [App.Resume] then goes on from there.
func (a *App) Answer(ctx context.Context, id string, answers map[string]string) (DraftView, error) {
	s, h, err := a.held(ctx, id)
	if err != nil {
		if tool.AsError(err).Code == store.CodeDraftNotFound {
			return a.decideEffects(ctx, s, id, answers)
		}
		return DraftView{}, err
	}
	if fault := h.changeable(); fault != nil {
		return h.view(), fault
	}
	next := h
	for _, qid := range slices.Sorted(maps.Keys(answers)) {
		if next, err = answered(a, next, qid, answers[qid]); err != nil {
			return h.view(), err
		}
	}
	if len(answers) == 0 {
		return h.view(), tool.Errorf(tool.ValidationError, "no_answer", "no answer was given").
			WithHint("errand answer %s QUESTION=VALUE", h.ID)
	}
	if len(next.view().Questions) > 0 { // the others are still open
		h, err = a.swap(ctx, s, h, next)
		return h.view(), err
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return h.view(), err
	}
	if rec.Status == trace.Running {
		return h.view(), applying(h)
	}
	x, end, err := a.takeUp(next, rec, nil)
	if err != nil {
		return h.view(), err
	}
	defer end()
	return x.readAgain(ctx, s, h, next)
}

func answered(a *App, h held, qid, value string) (held, error) {
	var open []string
	for _, q := range h.view().Questions {
		open = append(open, q.ID)
		if q.ID == qid {
			if fault := planning.CheckResult(q, value); fault != nil {
				return h, fault
			}
		}
	}
	if !slices.Contains(open, qid) {
		e := tool.Errorf(tool.ValidationError, "no_question", "draft %s asks no question %q", h.ID, qid)
		if len(open) > 0 {
			e = e.WithHint("it asks %s", strings.Join(open, ", "))
		}
		return h, e
	}
	next := h
	var err error
	if next.Draft.Draft, err = h.Draft.Answered(qid, value, a.now()); err != nil {
		return h, refusal(h, err)
	}
	return next, nil
}

// readAgain reads the words with all answers and revises the draft by what they
// mean now. Where they mean nothing that can be done, the draft has ended.
func (x *execution) readAgain(ctx context.Context, s *store.Store, h, next held) (DraftView, error) {
	x.answers = next.Answers
	planned, err := x.planOnce(ctx)
	if err != nil {
		return h.view(), err
	}
	x.report.Interpretation, x.report.Result = &planned.Interpretation, planned.Result
	p, stop := settled(planned, &x.report)
	switch {
	case planned.Interpretation.Status == interpret.Ambiguous:
		next.Draft.Draft, err = next.Draft.Revise(approval.Terms{Questions: planned.Interpretation.Questions}, x.app.now())
	case stop:
		next.Draft.Draft, err = next.Draft.Cancel(x.why())
	default:
		var j judged
		if j, err = x.judge(ctx, p, nil); err != nil {
			return h.view(), err
		}
		x.describe(&next.proposal)
		if next, err = x.revise(next, j); err == nil && j.invalid() != nil {
			next.Draft.Draft, err = next.Draft.Block(j.invalid().Message)
		}
	}
	if err != nil {
		return h.view(), refusal(h, err)
	}
	if h, err = x.app.swap(ctx, s, h, next); err != nil {
		return h.view(), err
	}
	if !h.State.Final() {
		x.waits(h, nil)
	}
	return h.view(), x.rewrite(ctx, s)
}

func (x *execution) why() string {
	if x.report.Error != nil {
		return x.report.Error.Message
	}
	return x.report.Answer
}
