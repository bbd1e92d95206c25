package runs

import (
	"context"
	"maps"
	"slices"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// settleEffects records the user's answers about calls of unknown outcome.
func (rs *Runs) settleEffects(ctx context.Context, s store.Store, id string, answers map[string]string) (drafts.View, error) {
	rec, err := s.Record(ctx, id)
	if err != nil {
		return drafts.View{}, tool.NewError(tool.ValidationError, store.CodeDraftNotFound, message.New("runs.draft_not_found", "id", id)).
			WithHint(message.New("runs.draft_not_found_hint"))
	}
	if rec.Status == trace.Running {
		return drafts.View{}, trace.RunUnderWay(rec.RunID)
	}
	effects, err := s.Effects(ctx, rec.RunID)
	if err != nil {
		return drafts.View{}, err
	}
	type decision struct {
		claim trace.Claim
		state tool.EffectState
	}
	var decisions []decision // all are checked before the first is stored
	for _, action := range slices.Sorted(maps.Keys(answers)) {
		to, known := map[string]tool.EffectState{"done": tool.Committed, "not-done": tool.Released}[answers[action]]
		if !known {
			return drafts.View{}, tool.NewError(tool.ValidationError, "not_a_choice", message.New("runs.bad_outcome", "answer", answers[action])).
				WithHint(message.New("runs.outcome_hint", "run", rec.RunID, "action", action))
		}
		at := slices.IndexFunc(effects, func(c trace.Claim) bool { return c.Step.StepID == action && c.Effect == tool.Unknown })
		if at < 0 {
			return drafts.View{}, tool.NewError(tool.ValidationError, trace.CodeEffectSettled, message.New("runs.outcome_known", "action", action)).
				WithHint(message.New("runs.show_run", "run", rec.RunID))
		}
		decisions = append(decisions, decision{effects[at], to})
	}
	for _, d := range decisions {
		if err := s.Settle(ctx, d.claim.Key, d.state); err != nil {
			return drafts.View{}, err
		}
		note := trace.DecisionNote{Effect: string(d.state), By: rs.o.User, Step: d.claim.Step.StepID}
		if err := s.Note(ctx, trace.EventOf(rec.RunID, rs.now(), note)); err != nil {
			return drafts.View{}, err
		}
	}
	return rs.viewRun(ctx, s, rec.RunID)
}

// viewRun returns a run as a draft shows it: its own draft, or its actions with their known
// states.
func (rs *Runs) viewRun(ctx context.Context, s store.Store, runID string) (drafts.View, error) {
	rec, err := s.Record(ctx, runID)
	if err != nil {
		return drafts.View{}, err
	}
	if rec.DraftID != "" {
		return rs.o.Drafts.ShowDraft(ctx, rec.DraftID)
	}
	v := drafts.View{
		RunID: rec.RunID, Goal: rec.Goal, Language: planning.LanguageOf(rec), CreatedAt: rec.StartedAt,
		Actions: []drafts.Action{}, Questions: []plan.Question{}, Risks: []plan.Risk{}, Modules: []plan.Module{},
	}
	result, err := planning.ReadResult(rec.Result)
	p, ok := result.Plan()
	if err != nil || !ok {
		return v, nil
	}
	v.PlanID, v.PlanDigest = p.ID(), rs.o.Vault.Seal(p.Digest())
	effects, err := s.Effects(ctx, runID)
	if err != nil {
		return v, err
	}
	done := doneSteps(rec.Steps)
	for _, action := range p.Actions() {
		d := drafts.Action{Action: drafts.NewAction(action), Outcome: drafts.Outcome{Status: drafts.ActionProposed}}
		_, isDone := done[action.ActionID]
		for _, c := range effects {
			switch {
			case c.Step.StepID != action.ActionID:
			case c.Effect == tool.Unknown:
				d.Status = drafts.ActionUnknown
			case c.Effect == tool.Committed:
				isDone = true
			}
		}
		if isDone {
			d.Status = drafts.ActionDone
		}
		v.Actions = append(v.Actions, d)
	}
	return v, nil
}
