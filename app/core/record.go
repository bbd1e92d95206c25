package core

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"errand/host/tool"
	"errand/host/trace"
)

// begin opens the record. From here on the run is written down.
func (x *execution) begin(ctx context.Context, report Report) error {
	s, err := x.app.storage()
	if err != nil {
		return err
	}
	rec, err := x.record(report)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	rec.Status = trace.Running
	if err := s.Begin(ctx, rec); err != nil {
		return err
	}
	x.log = s
	x.notes.Store(newNotebook(s))
	return nil
}

// finish closes the record, also of a run whose context has ended.
func (x *execution) finish(ctx context.Context, report Report) (Report, error) {
	if site, err := x.app.site(); err == nil && site != nil {
		report.Demo = demoHosts(site.Hosts())
	}
	if x.request.DryRun {
		return report, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if x.log == nil {
		if err := x.begin(ctx, report); err != nil {
			return report, err
		}
	}
	rec, err := x.record(report)
	if err != nil {
		return report, err
	}
	if lost := x.notes.Load().close(); lost > 0 {
		_ = x.log.Note(ctx, trace.Event{RunID: x.id, Time: x.app.now(), Kind: "record", Data: map[string]any{"events_lost": lost}})
	}
	if err := x.log.End(ctx, rec); err != nil && report.Error == nil {
		// What was done was done: the report says so, and what the record lacks.
		report.Error = tool.AsError(err)
	}
	x.app.forgetOld()
	x.tell("finished", report)
	return report, nil
}

// record is the run as it is written down, without secrets.
func (x *execution) record(report Report) (trace.Run, error) {
	a := x.app
	interpretation, err1 := a.cleanJSON(report.Interpretation)
	result, err2 := a.cleanJSON(report.Result)
	if err := errors.Join(err1, err2); err != nil {
		return trace.Run{}, fmt.Errorf("write the run down: %w", err)
	}
	text := x.request.words()
	rec := trace.Run{
		RunID: x.id, Goal: a.cleanText(text), Status: report.Status, StartedAt: x.started,
		DurationMS:     a.now().Sub(x.started).Milliseconds(),
		Interpretation: interpretation, Result: result,
		Answer: a.cleanText(report.Answer), Error: a.cleanError(report.Error),
		Setting: x.setting,
	}
	if report.Result != nil {
		if p, ok := report.Result.Plan(); ok {
			rec.Actions = p.Len()
		}
	}
	return rec, nil
}

// cleanJSON is v as JSON without secrets. The values are cleaned and not the
// text: a mark in the middle of an escape would leave no JSON, and half a secret.
func (a *App) cleanJSON(v any) (json.RawMessage, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	return json.Marshal(a.clean(tree))
}

func (a *App) cleanError(e *tool.Error) *tool.Error {
	if e == nil {
		return nil
	}
	c := *e
	c.Message, c.Hint = a.cleanText(e.Message), a.cleanText(e.Hint)
	return &c
}

// note keeps an event for the record and tells the listener.
func (x *execution) note(kind string, data map[string]any) {
	if cleaned, ok := x.app.clean(data).(map[string]any); ok {
		data = cleaned
	}
	if n := x.notes.Load(); n != nil {
		n.add(trace.Event{RunID: x.id, Time: x.app.now(), Kind: kind, Data: data})
	}
	x.tell(kind, data)
}

func (x *execution) tell(kind string, data any) {
	if x.request.Progress == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.seq++
	x.request.Progress(Progress{RunID: x.id, Seq: x.seq, Kind: kind, Data: data})
}
