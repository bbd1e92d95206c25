package core

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"errand/app/answers"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

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
	type decision struct {
		claim trace.Claim
		to    tool.EffectState
	}
	var decisions []decision // all are looked at before the first is kept
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
		decisions = append(decisions, decision{effects[at], to})
	}
	for _, d := range decisions {
		if err := s.Settle(ctx, d.claim.Key, d.to); err != nil {
			return DraftView{}, err
		}
		if err := s.Note(ctx, trace.Event{
			RunID: rec.RunID, StepID: d.claim.Step.StepID, Time: a.now(), Kind: "decided", Data: map[string]any{"effect": string(d.to), "by": a.user()},
		}); err != nil {
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
			Preview: answers.SummarizeCall(v.Language, action.Tool, action.Args), Status: ActionProposed,
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

// decided is a draft with what a person has said meanwhile of effects whose end
// nobody saw. Where the ledger can't be read it stays as it was kept.
func decided(ctx context.Context, s *store.Store, v DraftView) DraftView {
	if !slices.ContainsFunc(v.Actions, func(d DraftAction) bool { return d.Status == ActionUnknown }) {
		return v
	}
	effects, err := s.Effects(ctx, v.RunID)
	if err != nil {
		return v
	}
	known := map[string]tool.EffectState{}
	for _, c := range effects { // of several calls of an action one that is unknown counts
		if known[c.Step.StepID] != tool.Unknown {
			known[c.Step.StepID] = c.Effect
		}
	}
	for i := range v.Actions {
		switch d := &v.Actions[i]; {
		case d.Status != ActionUnknown:
		case known[d.ActionID] == tool.Committed:
			d.Status, d.Error = ActionDone, nil
		case known[d.ActionID] == tool.Released:
			d.Status, d.Error = ActionProposed, nil
		}
	}
	return v
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
