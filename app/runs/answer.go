package runs

import (
	"context"
	"maps"
	"slices"

	"errand/app/access"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/policy/approval"
)

// Answer answers the questions of a draft. Once all are answered it reads the words
// again with the answers, and the draft shows the plan that they lead to. It then
// waits for [Runs.Approve], even if the plan would have run without approval had the
// words been clear.
//
// With the id of a run it records, for actions of unknown outcome, whether they are
// "done" or "not-done"; [Runs.Resume] then goes on from there.
//
// permit grants the hosts and folders that the answers allow, and takes that back if the draft can't
// be answered. Without it, an answer to a question about one is an error.
func (rs *Runs) Answer(ctx context.Context, id string, answers map[string]string, permit Permit) (view drafts.View, err error) {
	s, h, err := rs.o.Drafts.Load(ctx, id)
	if err != nil {
		if tool.AsError(err).Code == store.CodeDraftNotFound {
			return rs.o.Drafts.SettleEffects(ctx, s, id, answers)
		}
		return drafts.View{}, err
	}
	if fault := h.CheckChangeable(); fault != nil {
		return h.View(), fault
	}
	next := h
	for _, qid := range slices.Sorted(maps.Keys(answers)) {
		if next, err = rs.addAnswer(next, qid, answers[qid]); err != nil {
			return h.View(), err
		}
	}
	if len(answers) == 0 {
		return h.View(), tool.NewError(tool.ValidationError, "no_answer", message.New("runs.no_answer")).
			WithHint(message.New("runs.no_answer_hint", "draft", h.ID))
	}
	if permit == nil && len(access.WordAnswers(answers)) < len(answers) {
		return h.View(), tool.NewError(tool.PolicyDenied, "not_the_user", message.New("runs.only_user_allows"))
	}
	if _, refused := access.Refused(next.Answers); refused {
		return rs.o.Drafts.Reject(ctx, h.ID)
	}
	if len(next.View().Questions) > 0 { // the others are still open
		h, err = rs.o.Drafts.Swap(ctx, s, h, next)
		return h.View(), err
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return h.View(), err
	}
	if rec.Status == trace.Running {
		return h.View(), drafts.UnderWay(h)
	}
	x, end, err := rs.takeUp(next, rec, nil)
	if err != nil {
		return h.View(), err
	}
	defer end()
	x.request.Permit = permit
	granted, err := permission{x}.permit(ctx, next.Questions, next.Answers)
	if err != nil {
		return h.View(), err
	}
	defer func() {
		if err != nil {
			permission{x}.revoke(ctx, granted)
		}
	}()
	answered := &storedDraft{attempt: x, store: s, stored: h, next: next}
	if !next.Plan.IsZero() && access.AreOnly(next.Questions) {
		return answered.accessAnswered(ctx)
	}
	return answered.planAnswered(ctx)
}

// addAnswer returns a draft with the answer to one of its open questions.
func (rs *Runs) addAnswer(h drafts.Draft, qid, value string) (drafts.Draft, error) {
	var open []string
	for _, q := range h.View().Questions {
		open = append(open, q.ID)
		if q.ID == qid {
			if fault := planning.CheckAnswer(q, value); fault != nil {
				return h, fault
			}
		}
	}
	if !slices.Contains(open, qid) {
		e := tool.NewError(tool.ValidationError, "no_question", message.New("runs.no_question", "draft", h.ID, "question", qid))
		if len(open) > 0 {
			e = e.WithHint(message.New("runs.open_questions", "questions", open))
		}
		return h, e
	}
	next := h
	var err error
	if next.Draft.Draft, err = h.Draft.Answer(qid, value, rs.now()); err != nil {
		return h, drafts.Refusal(h, err)
	}
	return next, nil
}

// planAnswered reads the words with all answers and revises the draft with their plan. If there
// is no plan, the draft ends.
func (x *storedDraft) planAnswered(ctx context.Context) (drafts.View, error) {
	next := &x.next
	x.dialog.Answers = access.WordAnswers(next.Answers)
	planned, err := x.planOnce(ctx)
	if err != nil {
		return x.stored.View(), err
	}
	x.report.Interpretation, x.report.Result = &planned.Interpretation, planned.Result
	if planned.Interpretation.Reason.Code == interpret.AnswerRepeats { // the question stays
		return x.stored.View(), drafts.RepeatedAnswer(x.stored, *next)
	}
	p, stop := x.report.endWithoutCall(planned)
	switch {
	case planned.Interpretation.Status == interpret.Ambiguous:
		next.Draft.Draft, err = next.Draft.Revise(approval.Terms{Questions: planned.Interpretation.Questions}, x.runs.now())
	case stop:
		next.Draft.Draft, err = next.Draft.Cancel(x.report.reason())
	default:
		var e drafts.Evaluation
		if e, err = x.evaluate(ctx, p, nil); err != nil {
			return x.stored.View(), err
		}
		x.describe(&next.Proposal)
		return x.showRevised(ctx, e)
	}
	if err != nil {
		return x.stored.View(), drafts.Refusal(x.stored, err)
	}
	return x.keepAnswered(ctx)
}

// showRevised revises the draft with an evaluation of now.
func (x *storedDraft) showRevised(ctx context.Context, e drafts.Evaluation) (drafts.View, error) {
	next, err := x.runs.o.Drafts.Revise(x.next, e)
	if err == nil && e.FirstError() != nil && len(next.View().Questions) == 0 { // else an answer may remove it
		next.Draft.Draft, err = next.Draft.Block(e.FirstError().Message)
	}
	if err != nil {
		return x.stored.View(), drafts.Refusal(x.stored, err)
	}
	x.next = next
	return x.keepAnswered(ctx)
}

// keepAnswered stores the draft after an answer, and its run, which waits or has ended.
func (x *storedDraft) keepAnswered(ctx context.Context) (drafts.View, error) {
	if err := x.swap(ctx); err != nil {
		return x.stored.View(), err
	}
	if !x.stored.State.Final() {
		x.wait(x.stored, nil)
	}
	return x.stored.View(), x.rewrite(ctx, x.store)
}

// reason returns why a run ended without a call.
func (r *Report) reason() message.Message {
	if r.Error != nil {
		return r.Error.Message
	}
	return r.Answer
}
