package core

import (
	"context"
	"encoding/json"
	"slices"

	"errand/host/store"
	"errand/host/trace"
)

// takeUp is the run of a draft, to go on with.
func (a *App) takeUp(h held, rec trace.Record, progress func(Progress)) (*execution, func(), error) {
	if fault := a.stays(h, rec.Run); fault != nil {
		return nil, nil, fault
	}
	request := RunRequest{Text: rec.Goal, Progress: progress}
	if h.proposal.Words != "" {
		request.Text, request.Voice = h.proposal.Words, h.proposal.Voice
	}
	x := &execution{
		app: a, request: request, id: rec.RunID, started: rec.StartedAt, spent: rec.DurationMS, earlier: &rec.Run, before: rec.Steps, answers: h.Answers,
	}
	end, err := x.open()
	if err != nil {
		return nil, nil, err
	}
	x.report = a.again(rec)
	x.report.Steps, x.report.Answer, x.report.Error = []trace.Step{}, "", nil
	x.resumed = a.now()
	return x, end, nil
}

// resume makes the run this program's own again.
func (x *execution) resume(ctx context.Context, s store.Store) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	var err error
	if x.setting, err = x.app.settings.Renew(x.id, x.earlier.Setting, x.tools.Specs()); err != nil {
		return err
	}
	if err := s.Resume(ctx, x.id); err != nil {
		return err
	}
	x.log = s
	x.notes.Store(newNotebook(s))
	return nil
}

// again is a record as the report that it was.
func (a *App) again(rec trace.Record) Report {
	r := Report{
		RunID: rec.RunID, Status: rec.Status, Steps: rec.Steps, Answer: rec.Answer, Error: rec.Error,
		StopReason: rec.StopReason, DraftID: rec.DraftID,
	}
	var in Interpretation
	if json.Unmarshal(rec.Interpretation, &in) == nil && in.Status != "" {
		r.Interpretation = &in
	}
	if result, err := readResult(rec.Result); err == nil {
		r.Result = &result
	}
	return r
}

// ended is what came of a draft that was carried out.
func (a *App) ended(h held, rec trace.Record) Report {
	r := a.again(rec)
	r.DraftID, r.Applied = h.ID, slices.Clone(h.Done)
	return r
}

// committed are the steps of a record whose effects are there, each action's
// last one: they are not made again.
func committed(steps []trace.Step) map[string]trace.Step {
	out := map[string]trace.Step{}
	for _, step := range lastDone(steps) {
		out[step.StepID] = step
	}
	return out
}
