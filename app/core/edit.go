package core

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"errand/app/answers"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// Edit changes the arguments of one action of a draft, or leaves actions out.
// What comes of it is checked as a new plan is, schema and business, before it
// is kept; whatever was approved is approved no longer.
func (a *App) Edit(ctx context.Context, r EditRequest) (DraftView, error) {
	s, h, err := a.held(ctx, r.ID)
	if err != nil {
		return DraftView{}, err
	}
	if fault := h.changeable(); fault != nil {
		return h.view(), fault
	}
	p, fault := edited(h, r)
	if fault != nil {
		return h.view(), fault
	}
	rec, err := s.Record(ctx, h.RunID)
	if err != nil {
		return h.view(), err
	}
	if rec.Status == trace.Running {
		return h.view(), applying(h)
	}
	if fault := unanswered(ctx, s, rec.RunID, append([]string{r.Action}, r.Drop...)); fault != nil {
		return h.view(), fault
	}
	x, end, err := a.takeUp(h, rec, nil)
	if err != nil {
		return h.view(), err
	}
	defer end()
	judged, err := x.judge(ctx, p, h.Done)
	if err != nil {
		return h.view(), err
	}
	if fault := judged.invalid(); fault != nil {
		return h.view(), fault
	}
	next, err := x.revise(h, judged)
	if err != nil {
		return h.view(), refusal(h, err)
	}
	if h, err = a.swap(ctx, s, h, next); err != nil {
		return h.view(), err
	}
	x.report.Result = withPlan(x.report.Result, p)
	x.waits(h, nil)
	if x.setting, err = a.settings.MarkGiven(x.id, x.earlier.Setting, setting.GivenEdit); err != nil {
		return h.view(), err
	}
	return h.view(), x.rewrite(ctx, s)
}

// unanswered refuses to change an action whose earlier call nobody saw the end
// of: as another call it would forget that one.
func unanswered(ctx context.Context, s *store.Store, runID string, actions []string) *tool.Error {
	effects, err := s.Effects(ctx, runID)
	if err != nil {
		return tool.AsError(err)
	}
	for _, c := range effects {
		if c.Effect == tool.Unknown && slices.Contains(actions, c.Step.StepID) {
			return tool.Errorf(tool.ValidationError, trace.CodeOutcomeUnknown, "%s was called and nobody saw what came of it", c.Step.StepID).
				WithHint("say it first: errand answer %s %s=done, or =not-done", runID, c.Step.StepID)
		}
	}
	return nil
}

// edited is a draft's plan with the changes in it.
func edited(h held, r EditRequest) (plan.Plan, *tool.Error) {
	if h.plan.IsZero() {
		return plan.Plan{}, tool.Errorf(tool.ValidationError, CodeOpenQuestions, "draft %s has no actions yet: its questions come first", h.ID).
			WithHint("errand answer %s QUESTION=VALUE", h.ID)
	}
	c := h.plan.Content()
	if fault := set(&c, h.Done, r); fault != nil {
		return plan.Plan{}, fault
	}
	if fault := drop(&c, h.Done, r.Drop); fault != nil {
		return plan.Plan{}, fault
	}
	if p, err := plan.New(c); err == nil && p.Digest() == h.PlanDigest {
		return p, tool.Errorf(tool.ValidationError, "nothing_changed", "nothing of draft %s would change", h.ID)
	}
	withRisks(&c)
	p, err := plan.New(c)
	if err != nil {
		return p, tool.Errorf(tool.ValidationError, "bad_edit", "edit draft %s: %v", h.ID, err)
	}
	return p, nil
}

func set(c *plan.Content, done []string, r EditRequest) *tool.Error {
	if r.Action == "" && len(r.Set) == 0 {
		return nil
	}
	a, fault := action(c, done, r.Action)
	if fault != nil {
		return fault
	}
	was := tool.HashArgs(a.Args)
	for key, value := range r.Set {
		if text, isText := value.(string); isText && !utf8.ValidString(text) { // what is shown must be what is done
			return tool.Errorf(tool.ValidationError, "not_utf8", "the value of %s is not valid UTF-8", key).
				WithHint("check the terminal's encoding (locale says which it is)")
		}
		if value == nil {
			delete(a.Args, key)
		} else {
			a.Args[key] = value
		}
	}
	if tool.HashArgs(a.Args) == was {
		return nil
	}
	// Another call is another effect: what became of the earlier one says
	// nothing about it.
	a.IdempotencyScope = scopeOf(a.Tool, a.Args)
	a.Preview = answers.SummarizeCall(c.Language, a.Tool, a.Args)
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
		return tool.Errorf(tool.ValidationError, "nothing_left", "no action would be left").WithHint("reject the draft instead: errand reject ID")
	}
	for _, a := range c.Actions {
		for _, need := range a.DependsOn {
			if slices.Contains(ids, need) {
				return tool.Errorf(tool.ValidationError, "dependency_dropped", "%s depends on %s", a.ActionID, need).
					WithHint("leave both out: --drop %s --drop %s", need, a.ActionID)
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
	var known []string
	for _, a := range c.Actions {
		known = append(known, a.ActionID)
	}
	switch {
	case i < 0:
		return nil, tool.Errorf(tool.ValidationError, "no_action", "the draft has no action %q", id).
			WithHint("it has %s", strings.Join(known, ", "))
	case slices.Contains(done, id):
		return nil, tool.Errorf(tool.ValidationError, "action_done", "%s was carried out already", id)
	}
	a := &c.Actions[i]
	a.Args = maps.Clone(a.Args)
	if a.Args == nil {
		a.Args = map[string]any{}
	}
	return a, nil
}

// scopeOf names the effect of a call within its run.
func scopeOf(name string, args map[string]any) string { return name + ":" + tool.HashArgs(args)[:16] }
