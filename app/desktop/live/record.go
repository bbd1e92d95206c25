package live

import (
	"maps"
	"slices"

	"errand/app/desktop/view"
	"errand/app/recipes"
	"errand/host/trace"
)

// OfRecord returns the view of a past run from its record.
func OfRecord(rec trace.Record) (view.Run, error) {
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

// LineOf returns a run as a line of a list.
func LineOf(r trace.Run) view.Line {
	return view.Line{
		RunID: r.RunID, Text: r.Goal, Status: string(r.Status), Answer: r.Answer, Actions: r.Actions, DraftID: r.DraftID,
		StartedAt: view.Millis(r.StartedAt), DurationMS: r.DurationMS,
	}
}

// askOf returns the page's request for what was run.
func askOf(r recipes.Run) *view.RecipeAsk {
	ask := &view.RecipeAsk{Name: r.Ref, Values: []view.Pair{}}
	for _, name := range slices.Sorted(maps.Keys(r.Values)) {
		ask.Values = append(ask.Values, view.Pair{Name: name, Value: r.Values[name]})
	}
	return ask
}

// filesOf counts the files that the steps of a run created.
func filesOf(steps []trace.Step) (n int) {
	for _, s := range steps {
		for _, f := range s.Artifacts {
			if f.Path != "" {
				n++
			}
		}
	}
	return n
}
