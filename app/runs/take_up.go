package runs

import (
	"context"
	"encoding/json"
	"slices"

	"errand/app/access"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs/dialog"
	"errand/app/setting"
	"errand/host/store"
	"errand/host/trace"
	"errand/planner/message"
)

// takeUp returns a new attempt of a recorded run, with or without a draft.
func (rs *Runs) takeUp(h drafts.Draft, rec trace.Record, progress func(Progress)) (*attempt, func(), error) {
	if fault := rs.o.Drafts.CheckDemo(h, rec.Run); fault != nil {
		return nil, nil, fault
	}
	request := Request{Words: rec.Goal, Progress: progress}
	if h.Proposal.Words != "" {
		request.Words, request.Voice = h.Proposal.Words, h.Proposal.Voice
	}
	if recorded, err := setting.Read(rec.Setting); err == nil {
		request.Origin, request.Goals, request.Work = recorded.Run.Origin, recorded.Run.Goals, recorded.Run.Work
		if t := recorded.Run.Task; t != nil {
			request.Task = &Task{Kind: t.Kind, State: t.State, Limits: t.Limits, ContinueDenied: t.ContinueDenied, ContinuePending: t.ContinuePending}
		}
	}
	x := &attempt{
		runs: rs, request: request, id: rec.RunID, started: rec.StartedAt, earlierMs: rec.DurationMS, earlier: &rec.Run, earlierSteps: rec.Steps, dialog: dialog.Dialog{Answers: access.WordAnswers(h.Answers)},
	}
	if n := len(rec.Turns); n > 0 && rec.Error != nil && rec.Error.Message.Code == store.MessageInterrupted { // its duration may include the user's time
		x.earlierMs = rec.Turns[n-1].ElapsedMS
	}
	x.turns = rec.Turns
	x.folders.Undo(h.Proposal.Undoes)
	x.follows = h.Proposal.Follows
	end, err := x.open()
	if err != nil {
		return nil, nil, err
	}
	x.session.Continue(trace.UseOf(rec))
	x.report = reportOf(rec)
	x.report.Steps, x.report.Answer, x.report.Error = []trace.Step{}, message.Message{}, nil
	x.resumed = rs.now()
	return x, end, nil
}

// reopenRecord assigns the run to this program again.
func (x *attempt) reopenRecord(ctx context.Context, s store.Store) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	var err error
	if x.setting, err = x.runs.o.Settings.Renew(x.id, x.earlier.Setting, x.tools.Specs()); err != nil {
		return err
	}
	if err := s.Resume(ctx, *x.earlier); err != nil {
		return err
	}
	x.log = s
	x.rec.open(s)
	return nil
}

// reportOf returns the report of a recorded run.
func reportOf(rec trace.Record) Report {
	r := Report{
		RunID: rec.RunID, Status: rec.Status, Steps: rec.Steps, Answer: rec.Answer, Error: rec.Error,
		StopReason: rec.StopReason, DraftID: rec.DraftID,
	}
	var in planning.Interpretation
	if json.Unmarshal(rec.Interpretation, &in) == nil && in.Status != "" {
		r.Interpretation = &in
	}
	if result, err := planning.ReadResult(rec.Result); err == nil {
		r.Result = &result
	}
	return r
}

// endedReport returns the outcome of an applied draft.
func endedReport(h drafts.Draft, rec trace.Record) Report {
	r := reportOf(rec)
	r.DraftID, r.Applied = h.ID, slices.Clone(h.Done)
	return r
}

// doneSteps returns the finished steps of a record by action. They are not repeated.
func doneSteps(steps []trace.Step) map[string]trace.Step {
	out := map[string]trace.Step{}
	for _, step := range trace.LastDone(steps) {
		out[step.StepID] = step
	}
	return out
}
