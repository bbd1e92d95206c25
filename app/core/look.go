package core

import (
	"context"
	"encoding/json"

	"errand/host/trace"
	"errand/planner/plan"
)

// Runs lists the newest runs first, at most limit (0: all).
func (a *App) Runs(ctx context.Context, limit int) ([]trace.Run, error) {
	s, err := a.storage()
	if err != nil {
		return nil, err
	}
	return s.Runs(ctx, limit)
}

// Record is everything that was written down of a run. The id may be an
// unambiguous beginning.
func (a *App) Record(ctx context.Context, id string) (trace.Record, error) {
	s, err := a.storage()
	if err != nil {
		return trace.Record{}, err
	}
	return s.Record(ctx, id)
}

// Excerpt is a record of which only the first and the last n steps and events
// are read, so that a long run is looked at as quickly as a short one.
func (a *App) Excerpt(ctx context.Context, id string, n int) (trace.Record, error) {
	s, err := a.storage()
	if err != nil {
		return trace.Record{}, err
	}
	return s.Excerpt(ctx, id, n)
}

// Show is a run of the past in the form in which it was reported.
func (a *App) Show(ctx context.Context, id string) (RecordedReport, error) {
	rec, err := a.Record(ctx, id)
	if err != nil {
		return RecordedReport{}, err
	}
	return reported(rec), nil
}

// RecordedReport is a [Report] read back from the record: what was interpreted
// and planned is shown as it was written down.
type RecordedReport struct {
	RunID          string          `json:"run_id"`
	Status         trace.Status    `json:"status"`
	Goal           string          `json:"goal"`
	Interpretation json.RawMessage `json:"interpretation"`
	Result         json.RawMessage `json:"result"`
	Steps          []trace.Step    `json:"steps"`
	Events         []trace.Event   `json:"events"`
	Answer         string          `json:"answer"`
	Egress         *trace.Egress   `json:"egress,omitempty"` // what it let out to the network and held back
	Error          any             `json:"error,omitempty"`

	State      trace.RunState   `json:"state,omitempty"`
	StopReason trace.StopReason `json:"stop_reason,omitempty"`
	DraftID    string           `json:"draft_id,omitempty"` // that it waits for, or was carried out under
}

func reported(rec trace.Record) RecordedReport {
	r := RecordedReport{
		RunID: rec.RunID, Status: rec.Status, Goal: rec.Goal, Interpretation: rec.Interpretation,
		Result: rec.Result, Steps: rec.Steps, Events: rec.Events, Answer: rec.Answer,
		State: rec.State, StopReason: rec.StopReason, DraftID: rec.DraftID,
	}
	if e, noted := trace.EgressOf(rec); noted {
		r.Egress = &e
	}
	if rec.Error != nil {
		r.Error = rec.Error
	}
	return r
}

// Preview is policy's verdict for each action of a plan; nothing is called.
func (a *App) Preview(ctx context.Context, p plan.Plan) ([]Verdict, error) {
	x := &execution{app: a, request: RunRequest{Voice: p.Content().Inputs.Voice, DryRun: true}}
	end, err := x.open()
	if err != nil {
		return nil, err
	}
	defer end()
	j, err := x.judge(ctx, p, nil)
	return verdicts(j.verdicts), err
}
