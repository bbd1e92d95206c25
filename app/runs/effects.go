package runs

import (
	"context"
	"maps"
	"slices"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
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
	return rs.o.Drafts.ViewRun(ctx, s, rec.RunID)
}
