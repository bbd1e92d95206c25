package drafts

import (
	"context"
	"slices"

	"errand/app/planning"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// ViewRun returns a run as a draft shows it: its own draft, or its actions with their known
// states.
func (ds *Drafts) ViewRun(ctx context.Context, s store.Store, runID string) (View, error) {
	rec, err := s.Record(ctx, runID)
	if err != nil {
		return View{}, err
	}
	if rec.DraftID != "" {
		return ds.ShowDraft(ctx, rec.DraftID)
	}
	v := View{
		RunID: rec.RunID, Goal: rec.Goal, Language: planning.LanguageOf(rec), CreatedAt: rec.StartedAt,
		Actions: []Action{}, Questions: []plan.Question{}, Risks: []plan.Risk{}, Modules: []plan.Module{},
	}
	result, err := planning.ReadResult(rec.Result)
	p, ok := result.Plan()
	if err != nil || !ok {
		return v, nil
	}
	v.PlanID, v.PlanDigest = p.ID(), ds.vault.Seal(p.Digest())
	effects, err := s.Effects(ctx, runID)
	if err != nil {
		return v, err
	}
	done := trace.LastDone(rec.Steps)
	for _, action := range p.Actions() {
		d := Action{Action: NewAction(action), Outcome: Outcome{Status: ActionProposed}}
		isDone := slices.ContainsFunc(done, func(s trace.Step) bool { return s.StepID == action.ActionID })
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
