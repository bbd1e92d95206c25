package runs

import (
	"context"
	"encoding/json"
	"time"

	"errand/app/conversation"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/host/files/parts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// endTimeout limits the recording and closing after a run was interrupted.
const endTimeout = 8 * time.Second

// begin opens the record. The run is recorded from here on.
func (x *attempt) begin(ctx context.Context) error {
	log, err := x.runs.log()
	if err != nil {
		return err
	}
	x.report.clean(x.clean())
	rec, err := x.record()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	rec.Status, rec.State, rec.StopReason = trace.Running, trace.StateInit, ""
	if err := log.Begin(ctx, rec); err != nil {
		return err
	}
	x.log = log
	x.rec.open(log)
	if x.tools != nil && x.runs.o.Replay == nil {
		if s, err := x.runs.storage(); err == nil {
			claims, _ := s.Abandoned(ctx)
			parts.RemoveAll(append(x.runs.o.Config.Roots(), x.folders.List()...), x.tools, claims)
		}
	}
	return nil
}

// finish closes the record, even if the run's context has ended.
func (x *attempt) finish(ctx context.Context) (Report, error) {
	report, o := &x.report, &x.runs.o
	report.Demo = o.DemoHosts()
	if report.StopReason == "" {
		report.StopReason = stopReasons[report.Status]
	}
	report.NetworkPolicy = x.session.NetworkPolicy()
	if x.request.DryRun {
		return *report, nil
	}
	if err := x.redactReport(); err != nil {
		return *report, err
	}
	_ = x.session.End() // the traffic of its connections is known when they have ended
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
	if account := x.session.Account(); account.Requests+account.Stopped+account.Connections > 0 {
		x.rec.note(account)
	}
	if lost := x.rec.notes.Load().Close(); lost > 0 {
		_ = x.log.Note(ctx, trace.EventOf(x.id, o.Now(), trace.LostNote{EventsLost: lost}))
	}
	ended := conversation.Ended{Conversation: x.request.Conversation, Origin: x.request.Origin, Interpretation: report.Interpretation, IsGiven: x.request.Plan != nil, Steps: report.Steps, Tools: x.tools, IsUnseen: x.session.HasOwnPage()}
	if err := o.Conversations.End(ctx, x.log, rec, ended); err != nil && report.Error == nil {
		// The steps are done: report them and the record's error.
		report.Error = tool.AsError(err)
	}
	if o.Vault.HasLearnt(x.id) {
		x.runs.scrub(ctx)
	}
	o.Prune()
	x.rec.report(EndEvent{*report})
	return *report, nil
}

// redactReport removes secrets learned during the run from the recorded plan, and
// all secrets from what pages said.
func (x *attempt) redactReport() error {
	o, clean := &x.runs.o, x.clean()
	x.report.clean(x.clean())
	if !o.Vault.HasLearnt(x.id) {
		return nil
	}
	if s, err := o.Settings.Clean(x.id, x.recordedSetting()); err != nil {
		return err
	} else if s != nil {
		x.setting = s
	}
	if x.report.Result != nil {
		b, err := clean.JSON(x.report.Result)
		if err != nil {
			return message.Error("runs.write_record", "cause", err)
		}
		result, err := planning.ReadRedactedResult(b)
		if err != nil {
			return err
		}
		x.report.Result = &result
	}
	if x.report.Draft != nil {
		b, err := clean.JSON(x.report.Draft)
		if err != nil {
			return message.Error("runs.write_record", "cause", err)
		}
		x.report.Draft = &drafts.View{}
		return json.Unmarshal(b, x.report.Draft)
	}
	return nil
}

// clean removes all secrets from the report's answer and error, and from the words of its
// draft.
func (r *Report) clean(c cleaner) {
	r.Error, r.Answer = c.Error(r.Error), r.Answer.MapText(c.Text)
	if r.Draft != nil {
		r.Draft.Goal = c.Text(r.Draft.Goal)
	}
}

// scrub removes from the disk what the record had about the run before its secrets were known. If
// that fails now, it is done when the store is closed.
func (rs *Runs) scrub(ctx context.Context) {
	if s, err := rs.storage(); err == nil {
		_ = s.Scrub(ctx)
	}
}

// rewrite records the outcome of a run that waits.
func (x *attempt) rewrite(ctx context.Context, s store.Store) error {
	if x.report.StopReason == "" {
		x.report.StopReason = stopReasons[x.report.Status]
	}
	x.report.clean(x.clean())
	rec, err := x.record()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	return s.End(ctx, rec)
}

// stopReasons are the reasons for statuses of runs that the engine did not stop.
var stopReasons = map[trace.Status]trace.StopReason{
	trace.Done: trace.StopCompleted, trace.Failed: trace.StopError, trace.Denied: trace.StopPolicyDenied,
	trace.NeedsApproval: trace.StopAwaitingApproval, trace.Interrupted: trace.StopInterrupted,
	trace.Cancelled: trace.StopCancelled,
}

// recordedSetting returns the setting in which the run was planned, as far as it is known.
func (x *attempt) recordedSetting() json.RawMessage {
	if x.setting == nil && x.earlier != nil {
		return x.earlier.Setting
	}
	return x.setting
}

// record returns the run's record. Its answer and error are clean already. Fields that this
// attempt does not know stay unchanged.
func (x *attempt) record() (trace.Run, error) {
	report := x.report
	if err := x.planRecord.Update(x.clean(), x.request.words(), report.Interpretation, report.Result); err != nil {
		return trace.Run{}, err
	}
	if s, err := x.runs.o.Settings.AddGrants(x.id, x.recordedSetting(), report.Steps); err != nil {
		return trace.Run{}, err
	} else if s != nil {
		x.setting = s
	}
	rec := trace.Run{
		RunID: x.id, Goal: x.planRecord.Goal, Status: report.Status, StartedAt: x.started,
		DurationMS:     x.elapsed().Milliseconds(),
		Interpretation: x.planRecord.Interpretation, Result: x.planRecord.Result, Setting: x.setting,
		Answer: report.Answer, Error: report.Error,
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
