package drafts

import (
	"context"
	"maps"
	"slices"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// settleUnknown updates actions of unknown outcome with what the user has answered
// about them since. Where the ledger can't be read the view stays as it is.
func settleUnknown(ctx context.Context, s store.Store, v View) View {
	if !slices.ContainsFunc(v.Actions, func(d Action) bool { return d.Status == ActionUnknown }) {
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

// SettleEffects records the user's answers about calls of unknown outcome.
func (ds *Drafts) SettleEffects(ctx context.Context, s store.Store, id string, answers map[string]string) (View, error) {
	rec, err := s.Record(ctx, id)
	if err != nil {
		return View{}, tool.NewError(tool.ValidationError, store.CodeDraftNotFound, message.New("runs.draft_not_found", "id", id)).
			WithHint(message.New("runs.draft_not_found_hint"))
	}
	if rec.Status == trace.Running {
		return View{}, trace.RunUnderWay(rec.RunID)
	}
	effects, err := s.Effects(ctx, rec.RunID)
	if err != nil {
		return View{}, err
	}
	type decision struct {
		claim trace.Claim
		state tool.EffectState
	}
	var decisions []decision // all are checked before the first is stored
	for _, action := range slices.Sorted(maps.Keys(answers)) {
		to, known := map[string]tool.EffectState{"done": tool.Committed, "not-done": tool.Released}[answers[action]]
		if !known {
			return View{}, tool.NewError(tool.ValidationError, "not_a_choice", message.New("runs.bad_outcome", "answer", answers[action])).
				WithHint(message.New("runs.outcome_hint", "run", rec.RunID, "action", action))
		}
		at := slices.IndexFunc(effects, func(c trace.Claim) bool { return c.Step.StepID == action && c.Effect == tool.Unknown })
		if at < 0 {
			return View{}, tool.NewError(tool.ValidationError, trace.CodeEffectSettled, message.New("runs.outcome_known", "action", action)).
				WithHint(message.New("runs.show_run", "run", rec.RunID))
		}
		decisions = append(decisions, decision{effects[at], to})
	}
	for _, d := range decisions {
		if err := s.Settle(ctx, d.claim.Key, d.state); err != nil {
			return View{}, err
		}
		note := trace.DecisionNote{Effect: string(d.state), By: ds.user, Step: d.claim.Step.StepID}
		if err := s.Note(ctx, trace.EventOf(rec.RunID, ds.now(), note)); err != nil {
			return View{}, err
		}
	}
	return ds.ViewRun(ctx, s, rec.RunID)
}
