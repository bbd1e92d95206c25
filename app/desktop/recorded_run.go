package desktop

import (
	"errand/app/desktop/view"
	"errand/app/recipes"
	"errand/host/trace"
)

// viewOfRecord returns the view of a past run from its record.
func viewOfRecord(rec trace.Record) (view.Run, error) {
	p, err := view.NewPlan(rec.Goal, rec.Interpretation, rec.Result)
	if err != nil {
		return view.Run{}, err
	}
	r := view.Run{
		RunID: rec.RunID, Text: rec.Goal, Status: string(rec.Status),
		StartedAt: view.Millis(rec.StartedAt), DurationMS: rec.DurationMS,
		Plan: p, Answer: rec.Answer, Error: view.NewFailure(rec.Error), DraftID: rec.DraftID, Processes: -1,
		Connections: view.Connections{Hosts: []view.Host{}},
	}
	if recipeRun, ok := recipes.OfRecord(rec); ok {
		r.Plan.Recipe = askOf(recipeRun)
	}
	agent, isAgent := agentView(rec, &r.Plan)
	r.Agent = agent
	at := r.Plan.StepIndexes()
	for _, t := range rec.Steps {
		if i, known := at[t.StepID]; known && !isAgent {
			r.Plan.Steps[i].SetOutcome(t)
		}
		r.CanUndo = r.CanUndo || t.Undo != nil && t.Status == trace.Done
	}
	r.Files = filesOf(rec.Steps)
	r.Counts = view.CountSteps(r.Plan.Steps)
	r.Plan.Gate = r.Plan.DecideGate()
	for _, e := range rec.Events {
		if n, ok := trace.ConnectionOf(e); ok {
			r.Connections.Add(n)
		}
	}
	return r, nil
}

func lineOf(r trace.Run) view.Line {
	return view.Line{
		RunID: r.RunID, Text: r.Goal, Status: string(r.Status), Answer: r.Answer, Actions: r.Actions, DraftID: r.DraftID,
		StartedAt: view.Millis(r.StartedAt), DurationMS: r.DurationMS,
	}
}
