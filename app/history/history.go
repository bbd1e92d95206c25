// Package history looks at the runs of the past: lists, finds, shows, exports and
// forgets them, and tells what changes in the record.
package history

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"errand/app/drafts"
	"errand/host/event"
	"errand/host/jobs"
	"errand/host/store"
	"errand/host/trace"
	"errand/planner/message"
)

// Options are what a [History] works with.
type Options struct {
	Store func() (store.Store, error)
	Dir   string // of the record
	// Jobs opens the queue of the jobs whose runs are in the record; nil if there is none.
	Jobs    func(context.Context) (jobs.Queue, error)
	Bus     func() *event.Bus
	Drafts  *drafts.Drafts
	Version string // of the program
	Now     func() time.Time
}

// History is the record of runs. It may be used by several goroutines at once.
type History struct{ o Options }

// New makes a history. It opens nothing.
func New(o Options) *History { return &History{o} }

// LastRun returns the id of the run that last went on; empty if there is no run. A
// draft that is approved lets its run go on.
func (h *History) LastRun(ctx context.Context) (string, error) {
	s, err := h.o.Store()
	if err != nil {
		return "", err
	}
	list, err := s.Activities(ctx, 1)
	if err != nil || len(list) == 0 {
		return "", err
	}
	return list[0].RunID, nil
}

// ListRuns lists the newest runs first, at most limit (0: all).
func (h *History) ListRuns(ctx context.Context, limit int) ([]trace.Run, error) {
	s, err := h.o.Store()
	if err != nil {
		return nil, err
	}
	return s.Runs(ctx, limit)
}

// Record is everything that was written down of a run. The id may be an
// unambiguous beginning.
func (h *History) Record(ctx context.Context, id string) (trace.Record, error) {
	s, err := h.o.Store()
	if err != nil {
		return trace.Record{}, err
	}
	return s.Record(ctx, id)
}

// OpenArtifact opens what a step has made, by its SHA256.
func (h *History) OpenArtifact(ctx context.Context, key string) (io.ReadCloser, error) {
	s, err := h.o.Store()
	if err != nil {
		return nil, err
	}
	return s.OpenArtifact(ctx, key)
}

// Excerpt is a record of which only the first and the last n steps and events
// are read, so that a long run is looked at as quickly as a short one.
func (h *History) Excerpt(ctx context.Context, id string, n int) (trace.Record, error) {
	s, err := h.o.Store()
	if err != nil {
		return trace.Record{}, err
	}
	return s.Excerpt(ctx, id, n)
}

// ShowRun is a run of the past in the form in which it was reported.
func (h *History) ShowRun(ctx context.Context, id string) (RecordedReport, error) {
	rec, err := h.Record(ctx, id)
	if err != nil {
		return RecordedReport{}, err
	}
	r := reportOf(rec)
	if rec.DraftID != "" {
		if d, err := h.o.Drafts.ShowDraft(ctx, rec.DraftID); err == nil {
			r.Result = drafts.ResultOfDraft(r.Result, d)
		}
	} else {
		r.Result = drafts.ResultOfSteps(r.Result, rec.Steps)
	}
	return r, nil
}

// RecordedReport is a [Report] read back from the record: what was interpreted
// and planned is shown as it was written down, with the risks that its draft showed.
type RecordedReport struct {
	RunID          string          `json:"run_id"`
	Status         trace.Status    `json:"status"`
	Goal           string          `json:"goal"`
	Interpretation json.RawMessage `json:"interpretation"`
	Result         json.RawMessage `json:"result"`
	Steps          []trace.Step    `json:"steps"`
	Events         []trace.Event   `json:"events"`
	Answer         message.Message `json:"answer"`
	Egress         *trace.Egress   `json:"egress,omitempty"` // what it let out to the network and held back
	Model          *trace.ModelUse `json:"model,omitempty"`  // what it used of language models
	Error          any             `json:"error,omitempty"`

	State      trace.RunState   `json:"state,omitempty"`
	StopReason trace.StopReason `json:"stop_reason,omitempty"`
	DraftID    string           `json:"draft_id,omitempty"` // that it waits for, or that it applied
}

func reportOf(rec trace.Record) RecordedReport {
	r := RecordedReport{
		RunID: rec.RunID, Status: rec.Status, Goal: rec.Goal, Interpretation: rec.Interpretation,
		Result: rec.Result, Steps: rec.Steps, Events: rec.Events, Answer: rec.Answer,
		State: rec.State, StopReason: rec.StopReason, DraftID: rec.DraftID,
	}
	if e, noted := trace.EgressOf(rec); noted {
		r.Egress = &e
	}
	if u, asked := trace.ModelUseOf(rec); asked {
		r.Model = &u
	}
	if rec.Error != nil {
		r.Error = rec.Error
	}
	return r
}
