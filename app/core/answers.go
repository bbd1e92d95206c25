package core

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/plan"
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
			if fault := checkAnswer(q, value); fault != nil {
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

// decideEffects takes a person's word for what became of calls whose end nobody
// saw.
func (a *App) decideEffects(ctx context.Context, s *store.Store, id string, answers map[string]string) (DraftView, error) {
	rec, err := s.Record(ctx, id)
	if err != nil {
		return DraftView{}, tool.Errorf(tool.ValidationError, store.CodeDraftNotFound, "no draft and no run has the id %q", id).
			WithHint("errand drafts and errand runs list them")
	}
	if rec.Status == trace.Running {
		return DraftView{}, trace.RunUnderWay(rec.RunID)
	}
	effects, err := s.Effects(ctx, rec.RunID)
	if err != nil {
		return DraftView{}, err
	}
	for _, action := range slices.Sorted(maps.Keys(answers)) {
		to, known := map[string]tool.EffectState{"done": tool.Committed, "not-done": tool.Released}[answers[action]]
		if !known {
			return DraftView{}, tool.Errorf(tool.ValidationError, "not_a_choice", "%q is not done or not-done", answers[action]).
				WithHint("errand answer %s %s=done, or %s=not-done", rec.RunID, action, action)
		}
		at := slices.IndexFunc(effects, func(c trace.Claim) bool { return c.Step.StepID == action && c.Effect == tool.Unknown })
		if at < 0 {
			return DraftView{}, tool.Errorf(tool.ValidationError, trace.CodeEffectSettled, "what became of %s is known, or it was never called", action).
				WithHint("errand show %s", rec.RunID)
		}
		if err := s.Settle(ctx, effects[at].Key, to); err != nil {
			return DraftView{}, err
		}
	}
	return a.standing(ctx, s, rec.RunID)
}

// standing is a run as a draft shows one: its own draft, or its actions with
// what is known of them.
func (a *App) standing(ctx context.Context, s *store.Store, runID string) (DraftView, error) {
	rec, err := s.Record(ctx, runID)
	if err != nil {
		return DraftView{}, err
	}
	if rec.DraftID != "" {
		return a.Draft(ctx, rec.DraftID)
	}
	v := DraftView{
		RunID: rec.RunID, Goal: rec.Goal, Language: languageOf(rec), CreatedAt: rec.StartedAt,
		Actions: []DraftAction{}, Questions: []plan.Question{}, Risks: []plan.Risk{}, Modules: []plan.Module{},
	}
	result, err := readResult(rec.Result)
	p, ok := result.Plan()
	if err != nil || !ok {
		return v, nil
	}
	v.PlanID, v.PlanDigest = p.ID(), p.Digest()
	effects, err := s.Effects(ctx, runID)
	if err != nil {
		return v, err
	}
	done := committed(rec.Steps)
	for _, action := range p.Actions() {
		d := DraftAction{
			ActionID: action.ActionID, Tool: action.Tool, Args: action.Args, DependsOn: action.DependsOn, RiskLevel: action.RiskLevel,
			Preview: preview(v.Language, action.Tool, action.Args), Status: ActionProposed,
		}
		_, isDone := done[action.ActionID]
		for _, c := range effects {
			switch {
			case c.Step.StepID != action.ActionID:
			case c.Effect == tool.Unknown:
				d.Status = ActionUnknown
			case c.Effect == tool.Committed:
				isDone = true
			}
		}
		if isDone {
			d.Status = ActionDone
		}
		v.Actions = append(v.Actions, d)
	}
	return v, nil
}

// languageOf is the language that a run was understood in.
func languageOf(rec trace.Record) string {
	var in Interpretation
	if report := rec.Interpretation; len(report) > 0 {
		_ = json.Unmarshal(report, &in) // without one it is English
	}
	if in.Language == "" {
		return "en"
	}
	return in.Language
}
