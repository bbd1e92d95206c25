package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
)

// begin opens the record. From here on the run is written down.
func (x *execution) begin(ctx context.Context) error {
	s, err := x.app.storage()
	if err != nil {
		return err
	}
	rec, err := x.record()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	rec.Status, rec.State, rec.StopReason = trace.Running, trace.StateInit, ""
	if err := s.Begin(ctx, rec); err != nil {
		return err
	}
	x.log = s
	x.notes.Store(newNotebook(s))
	return nil
}

// finish closes the record, also of a run whose context has ended.
func (x *execution) finish(ctx context.Context) (Report, error) {
	report := &x.report
	if site, err := x.app.site(); err == nil && site != nil {
		report.Demo = demoHosts(site.Hosts())
	}
	if report.StopReason == "" {
		report.StopReason = stopReasons[report.Status]
	}
	report.NetworkPolicy = x.session.networkPolicy()
	if x.request.DryRun {
		return *report, nil
	}
	if err := x.hushed(); err != nil {
		return *report, err
	}
	if !x.shown() { // what its connections carried is known when they are over
		_ = x.session.close()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if x.log == nil {
		if err := x.begin(ctx); err != nil {
			return *report, err
		}
	}
	rec, err := x.record()
	if err != nil {
		return *report, err
	}
	if account := x.session.account(); account.Requests+account.Stopped+account.Connections > 0 {
		x.note(trace.KindEgress, account.Data())
	}
	if lost := x.notes.Load().close(); lost > 0 {
		_ = x.log.Note(ctx, trace.Event{RunID: x.id, Time: x.app.now(), Kind: "record", Data: map[string]any{"events_lost": lost}})
	}
	if err := x.log.End(ctx, rec); err != nil && report.Error == nil {
		// What was done was done: the report says so, and what the record lacks.
		report.Error = tool.AsError(err)
	}
	if x.app.vault.HasLearnt(x.id) {
		x.scrub(ctx)
	}
	x.app.forgetOld()
	x.tell("finished", *report)
	return *report, nil
}

// hushed takes secrets that the run's steps turned out to type out of what was
// planned before that was known, and all secrets out of what the pages said.
func (x *execution) hushed() error {
	clean := x.app.vault.CleanerOf(x.id)
	x.report.Error = clean.Error(x.report.Error)
	x.report.Answer = clean.Text(x.report.Answer)
	if !x.app.vault.HasLearnt(x.id) {
		return nil
	}
	if s, err := x.app.settings.Clean(x.id, x.planned()); err != nil {
		return err
	} else if s != nil {
		x.setting = s
	}
	if x.report.Result != nil {
		b, err := clean.JSON(x.report.Result)
		if err != nil {
			return fmt.Errorf("write the run down: %w", err)
		}
		result, err := keptResult(b)
		if err != nil {
			return err
		}
		x.report.Result = &result
	}
	if x.report.Draft != nil {
		b, err := clean.JSON(x.report.Draft)
		if err != nil {
			return fmt.Errorf("write the run down: %w", err)
		}
		x.report.Draft = &DraftView{}
		return json.Unmarshal(b, x.report.Draft)
	}
	return nil
}

// scrub takes what the record said of the run before its secrets were known off
// the disk. Where that can't be done now it is when the store is closed.
func (x *execution) scrub(ctx context.Context) {
	if s, err := x.app.storage(); err == nil {
		_ = s.Scrub(ctx)
	}
}

// rewrite writes down what became of a run that waits, and is not under way.
func (x *execution) rewrite(ctx context.Context, s store.Store) error {
	if x.report.StopReason == "" {
		x.report.StopReason = stopReasons[x.report.Status]
	}
	rec, err := x.record()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return s.End(ctx, rec)
}

// stopReasons are why a run of a status stopped that the engine did not stop.
var stopReasons = map[trace.Status]trace.StopReason{
	trace.Done: trace.StopCompleted, trace.Failed: trace.StopError, trace.Denied: trace.StopPolicyDenied,
	trace.NeedsApproval: trace.StopAwaitingApproval, trace.Interrupted: trace.StopInterrupted,
}

// planned is the setting that the run was planned in, as far as it is known.
func (x *execution) planned() json.RawMessage {
	if x.setting == nil && x.earlier != nil {
		return x.earlier.Setting
	}
	return x.setting
}

// record is the run as it is written down, without secrets. Of a run that goes
// on, what this stretch has nothing to say about stays as it was.
func (x *execution) record() (trace.Run, error) {
	a := x.app
	report := x.report
	clean := a.vault.CleanerOf(x.id)
	interpretation, err1 := clean.JSON(report.Interpretation)
	result, err2 := clean.JSON(report.Result)
	if err := errors.Join(err1, err2); err != nil {
		return trace.Run{}, fmt.Errorf("write the run down: %w", err)
	}
	if setting, err := a.settings.AddGrants(x.id, x.planned(), report.Steps); err != nil {
		return trace.Run{}, err
	} else if setting != nil {
		x.setting = setting
	}
	began := x.started
	if !x.resumed.IsZero() {
		began = x.resumed
	}
	rec := trace.Run{
		RunID: x.id, Goal: clean.Text(x.request.words()), Status: report.Status, StartedAt: x.started,
		DurationMS:     x.spent + a.now().Sub(began).Milliseconds(),
		Interpretation: interpretation, Result: result, Setting: x.setting,
		Answer: clean.Text(report.Answer), Error: clean.Error(report.Error),
		State: trace.StateStop, StopReason: report.StopReason, DraftID: report.DraftID,
	}
	if report.Status == trace.Failed {
		rec.State = trace.StateError
	}
	if report.Result != nil {
		if p, ok := report.Result.Plan(); ok {
			rec.Actions = p.Len()
		}
	}
	if was := x.earlier; was != nil {
		rec.Goal = was.Goal
		if report.Interpretation == nil {
			rec.Interpretation = was.Interpretation
		}
		if report.Result == nil {
			rec.Result, rec.Actions = was.Result, was.Actions
		}
		if rec.DraftID == "" {
			rec.DraftID = was.DraftID
		}
	}
	return rec, nil
}

// note keeps an event for the record and tells the listener.
func (x *execution) note(kind string, data map[string]any) {
	if cleaned, ok := x.app.vault.CleanerOf(x.id).Value(data).(map[string]any); ok {
		data = cleaned
	}
	if n := x.notes.Load(); n != nil {
		step, _ := data["step"].(string)
		n.add(trace.Event{RunID: x.id, StepID: step, Time: x.app.now(), Kind: kind, Data: data})
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
