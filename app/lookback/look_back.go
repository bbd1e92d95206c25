// Package lookback does what goals ask of earlier runs themselves: "undo that", "show the last run", "clear the context".
// They have no record of their own.
package lookback

import (
	"context"
	"time"

	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/app/undo"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret/followup"
	"errand/planner/message"
)

// Options are what [New] works with.
type Options struct {
	Store   func() (store.Store, error)
	Undo    *undo.Undo
	Drafts  *drafts.Drafts
	Approve func(context.Context, runs.ApproveRequest) (runs.Report, error)
	Clear   func(ctx context.Context, conversation string) error
	User    string              // who approves
	Age     func(trace.Run) int // seconds since a run began
	Zone    func() *time.Location
}

// New returns the function for [runs.Options.LookBack].
func New(o Options) func(context.Context, runs.Request, runs.Report) (runs.Report, error) {
	return func(ctx context.Context, request runs.Request, r runs.Report) (runs.Report, error) {
		switch r.Interpretation.FollowUp.Wish {
		case followup.LastRun:
			return o.describeLast(ctx, r)
		case followup.Forget:
			return o.forget(ctx, request, r)
		}
		return o.undoLast(ctx, request, r)
	}
}

// undoLast proposes to undo the run that can be undone, and applies it if the user approves it now.
func (o *Options) undoLast(ctx context.Context, request runs.Request, r runs.Report) (runs.Report, error) {
	if request.DryRun {
		r.Status, r.Answer = trace.Done, message.New("follow_up.looks_back", "wish", string(followup.Undo))
		return r, nil
	}
	d, last, err := o.Undo.ProposeLast(ctx, request.Origin)
	if err != nil {
		r.Error = tool.AsError(err)
		return r, nil
	}
	r.RunID = d.RunID
	o.tellUndone(request, r, last)
	answer, by := drafts.Answer{Yes: request.Yes, Confirm: d.Confirm, Confirmed: d.Destructive}, ""
	switch {
	case request.Yes:
		by = o.User + " (--yes)"
	case request.Approve != nil:
		if answer, err = request.Approve(ctx, d); err != nil {
			return r, err
		}
		if !answer.Yes {
			return o.reject(ctx, d, r)
		}
	default:
		r.Status, r.StopReason = trace.NeedsApproval, trace.StopAwaitingApproval
		r.DraftID, r.Draft = d.DraftID, &d
		return r, nil
	}
	return o.Approve(ctx, runs.ApproveRequest{
		ID: d.DraftID, Confirm: answer.Confirm, Confirmed: answer.Confirmed, Actions: answer.Actions, Revision: d.Revision, By: by,
		Conversation: request.Conversation, Progress: request.Progress,
	})
}

// tellUndone tells which run is undone, before anybody is asked.
func (o *Options) tellUndone(request runs.Request, r runs.Report, last undo.Last) {
	about := r.Interpretation.FollowUp
	if last.Newest != "" {
		about.Says = append(about.Says, message.New("follow_up.undoes_earlier", "newest", last.Newest))
	}
	about.Says = append(about.Says, message.New("follow_up.undoes", "goal", last.Goal, "redoes", last.Redoes, "time", last.At.In(o.Zone()).Format("2006-01-02 15:04")))
	if request.Progress != nil {
		request.Progress(runs.Progress{RunID: r.RunID, Event: runs.PlanEvent{Planned: planning.Planned{Interpretation: *r.Interpretation}}})
	}
}

func (o *Options) reject(ctx context.Context, d drafts.View, r runs.Report) (runs.Report, error) {
	d, err := o.Drafts.Reject(ctx, d.DraftID)
	if err != nil {
		return r, err
	}
	r.Status, r.DraftID = trace.Cancelled, d.DraftID
	r.Error = tool.NewError(tool.PolicyDenied, "rejected", message.New("runs.rejected", "by", o.User))
	return r, nil
}

// forget clears the context of a conversation.
func (o *Options) forget(ctx context.Context, request runs.Request, r runs.Report) (runs.Report, error) {
	r.Status, r.Answer = trace.Done, message.New("follow_up.looks_back", "wish", string(followup.Forget))
	if request.DryRun {
		return r, nil
	}
	r.Answer = message.New("follow_up.forgot")
	return r, o.Clear(ctx, request.Conversation)
}

// describeLast answers which run was the last one.
func (o *Options) describeLast(ctx context.Context, r runs.Report) (runs.Report, error) {
	s, err := o.Store()
	if err != nil {
		return r, err
	}
	newest, err := s.Runs(ctx, 1)
	if err != nil {
		return r, err
	}
	if len(newest) == 0 {
		r.Error = tool.NewError(tool.ValidationError, "unsupported", message.New("follow_up.no_goal"))
		return r, nil
	}
	last := newest[0]
	r.RunID, r.Status = last.RunID, trace.Done
	r.Answer = message.New("follow_up.last_run", "goal", last.Goal, "status", string(last.Status), "run", last.RunID, "age", o.Age(last))
	return r, nil
}
