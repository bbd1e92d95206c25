package drafts

import (
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"errand/app/answers"
	"errand/app/planning"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// EditRequest changes one action of a draft.
type EditRequest struct {
	ID     string         // of the draft, or an unambiguous beginning
	Action string         // the action whose arguments Set changes
	Set    map[string]any // argument → value; nil removes the argument
	Drop   []string       // actions that are left out of the plan
}

// Edit changes the arguments of one action of a draft, or leaves actions out. It checks
// the result like a new plan before it stores it, and withdraws earlier approvals.
func (ds *Drafts) Edit(ctx context.Context, r EditRequest) (View, error) {
	s, h, err := ds.Load(ctx, r.ID)
	if err != nil {
		return View{}, err
	}
	if fault := h.CheckChangeable(); fault != nil {
		return h.View(), fault
	}
	p, fault := edit(h, r)
	if fault != nil {
		return h.View(), fault
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return h.View(), err
	}
	if rec.Status == trace.Running {
		return h.View(), UnderWay(h)
	}
	if fault := checkOutcomes(ctx, s, rec.RunID, append([]string{r.Action}, r.Drop...)); fault != nil {
		return h.View(), fault
	}
	evaluation, err := ds.evaluate(ctx, h, rec, p)
	if err != nil {
		return h.View(), err
	}
	if fault := evaluation.FirstError(); fault != nil {
		return h.View(), fault
	}
	next, err := ds.Revise(h, evaluation)
	if err != nil {
		return h.View(), Refusal(h, err)
	}
	if h, err = ds.Swap(ctx, s, h, next); err != nil {
		return h.View(), err
	}
	return h.View(), ds.recordEdit(ctx, s, h, rec)
}

// recordEdit records that a run waits for the approval of a changed plan.
func (ds *Drafts) recordEdit(ctx context.Context, s store.Store, h Draft, rec trace.Record) error {
	run, clean := rec.Run, ds.vault.CleanerOf(h.RunID)
	var before *plan.Result
	if r, err := planning.ReadResult(rec.Result); err == nil {
		before = &r
	}
	var err error
	if run.Result, err = clean.JSON(planning.WithPlan(before, h.Plan)); err != nil {
		return message.Error("drafts.write_record", "cause", err)
	}
	if run.Setting, err = ds.settings.MarkGiven(rec.Setting, setting.GivenEdit); err != nil {
		return err
	}
	run.Status, run.State, run.StopReason = trace.NeedsApproval, trace.StateStop, trace.StopAwaitingApproval
	run.Answer, run.Error, run.Actions, run.DraftID = message.Message{}, clean.Error(WaitingError(h)), h.Plan.Len(), h.ID
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	return s.End(ctx, run)
}

// checkOutcomes rejects the change of an action whose earlier call has an unknown outcome:
// a changed call would hide it.
func checkOutcomes(ctx context.Context, s store.Store, runID string, actions []string) *tool.Error {
	effects, err := s.Effects(ctx, runID)
	if err != nil {
		return tool.AsError(err)
	}
	for _, c := range effects {
		if c.Effect == tool.Unknown && slices.Contains(actions, c.Step.StepID) {
			return tool.NewError(tool.ValidationError, trace.CodeOutcomeUnknown, message.New("drafts.outcome_unknown", "step", c.Step.StepID)).
				WithHint(message.New("drafts.outcome_unknown_hint", "run", runID, "step", c.Step.StepID))
		}
	}
	return nil
}

// edit is a draft's plan with the changes in it.
func edit(h Draft, r EditRequest) (plan.Plan, *tool.Error) {
	if h.Plan.IsZero() {
		return plan.Plan{}, tool.NewError(tool.ValidationError, CodeOpenQuestions, message.New("drafts.open_questions", "draft", h.ID)).
			WithHint(message.New("drafts.open_questions_hint", "draft", h.ID))
	}
	c := h.Plan.Content()
	if fault := h.set(&c, r); fault != nil {
		return plan.Plan{}, fault
	}
	if fault := drop(&c, h.Done, r.Drop); fault != nil {
		return plan.Plan{}, fault
	}
	if p, err := plan.New(c); err == nil && p.Digest() == h.ownDigest() {
		return p, tool.NewError(tool.ValidationError, "nothing_changed", message.New("drafts.nothing_changed", "draft", h.ID))
	}
	planning.FlagRisks(&c)
	p, err := plan.New(c)
	if err != nil {
		return p, tool.NewError(tool.ValidationError, "bad_edit", message.New("drafts.bad_edit", "draft", h.ID, "cause", err))
	}
	return p, nil
}

func (h Draft) set(c *plan.Content, r EditRequest) *tool.Error {
	if r.Action == "" && len(r.Set) == 0 {
		return nil
	}
	a, fault := action(c, h.Done, r.Action)
	if fault != nil {
		return fault
	}
	was := tool.HashArgs(a.Args)
	for key, value := range r.Set {
		if text, isText := value.(string); isText && !utf8.ValidString(text) { // what is shown must be what is done
			return tool.NewError(tool.ValidationError, "not_utf8", message.New("drafts.not_utf8", "argument", key)).
				WithHint(message.New("drafts.not_utf8_hint"))
		}
		if value == nil {
			delete(a.Args, key)
		} else {
			a.Args[key] = value
		}
	}
	now := tool.HashArgs(a.Args)
	if now == was {
		return nil
	}
	// Another call is another effect: what became of the earlier one says
	// nothing about it.
	a.IdempotencyScope = a.Tool + ":" + h.key.Seal(now)[:16]
	a.Preview = answers.SummarizeCall(a.Tool, a.Args)
	return nil
}

func drop(c *plan.Content, done, ids []string) *tool.Error {
	for _, id := range ids {
		if _, fault := action(c, done, id); fault != nil {
			return fault
		}
	}
	c.Actions = slices.DeleteFunc(c.Actions, func(a plan.Action) bool { return slices.Contains(ids, a.ActionID) })
	if len(c.Actions) == 0 {
		return tool.NewError(tool.ValidationError, "nothing_left", message.New("drafts.nothing_left")).WithHint(message.New("drafts.nothing_left_hint"))
	}
	for _, a := range c.Actions {
		for _, need := range a.DependsOn {
			if slices.Contains(ids, need) {
				return tool.NewError(tool.ValidationError, "dependency_dropped", message.New("drafts.dependency_dropped", "action", a.ActionID, "need", need)).
					WithHint(message.New("drafts.dependency_dropped_hint", "need", need, "action", a.ActionID))
			}
		}
	}
	if slices.Contains(ids, c.GoalAchievedBy) {
		c.GoalAchievedBy = c.Actions[len(c.Actions)-1].ActionID
	}
	for i := range c.Modules {
		c.Modules[i].Actions = slices.DeleteFunc(c.Modules[i].Actions, func(id string) bool { return slices.Contains(ids, id) })
	}
	return nil
}

// action finds an action that may still be changed.
func action(c *plan.Content, done []string, id string) (*plan.Action, *tool.Error) {
	i := slices.IndexFunc(c.Actions, func(a plan.Action) bool { return a.ActionID == id })
	switch {
	case i < 0:
		return nil, tool.NewError(tool.ValidationError, "no_action", message.New("drafts.no_action", "action", id)).
			WithHint(message.New("drafts.no_action_hint", "actions", idsOf(c.Actions, func(a plan.Action) string { return a.ActionID })))
	case slices.Contains(done, id):
		return nil, tool.NewError(tool.ValidationError, "action_done", message.New("drafts.action_done", "action", id))
	}
	a := &c.Actions[i]
	a.Args = maps.Clone(a.Args)
	if a.Args == nil {
		a.Args = map[string]any{}
	}
	return a, nil
}
