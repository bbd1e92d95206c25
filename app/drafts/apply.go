package drafts

import (
	"context"
	"maps"
	"slices"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// Application is what became of the approved actions of a draft.
type Application struct {
	Done   []string     // ids of the actions that are done
	Failed []trace.Step // the approved actions that are not

	ended    []string // ids of those that failed for good
	outcomes map[string]Outcome
}

// Apply reads from the recorded steps what became of the approved actions.
func (h Draft) Apply(approved []string, steps []trace.Step) Application {
	a := Application{outcomes: map[string]Outcome{}}
	maps.Copy(a.outcomes, h.Proposal.Outcomes)
	for _, action := range h.Actions {
		at := slices.IndexFunc(steps, func(s trace.Step) bool { return s.StepID == action.ActionID })
		if at < 0 || !slices.Contains(approved, action.ActionID) || slices.Contains(h.Done, action.ActionID) {
			continue
		}
		step := steps[at]
		if step.Status == trace.Done {
			delete(a.outcomes, action.ActionID) // the draft knows what is done
			a.Done = append(a.Done, action.ActionID)
			continue
		}
		outcome := Outcome{Status: ActionFailed, Error: step.Error}
		switch {
		case step.Effect == tool.Unknown:
			outcome.Status = ActionUnknown
		case step.Status == trace.Skipped: // it was not begun
			outcome = Outcome{Status: ActionProposed}
		case step.Status == trace.Failed || step.Status == trace.Denied:
			a.ended = append(a.ended, action.ActionID)
		}
		a.outcomes[action.ActionID] = outcome
		a.Failed = append(a.Failed, step)
	}
	return a
}

// reason says why the first action failed, or nothing.
func (a Application) reason() message.Message {
	if len(a.Failed) == 0 {
		return message.Message{}
	}
	step, cause := a.Failed[0], message.Message{}
	if step.Error != nil {
		cause = step.Error.Message
	}
	return message.New("runs.action_failed", "action", step.StepID, "cause", cause)
}

// FinishApply stores a draft after its application. It counts the remaining actions
// again, because the user confirmed the count of all.
func (ds *Drafts) FinishApply(ctx context.Context, s store.Store, h Draft, a Application) (Draft, error) {
	next := h
	next.Proposal.Outcomes = a.outcomes
	var err error
	if next.Draft.Draft, err = h.Draft.FinishApply(slices.Concat(h.Done, a.Done), a.reason(), ds.now()); err != nil {
		return h, err
	}
	if next.State == approval.StateBlocked {
		if next.Draft.Draft, err = next.Draft.Fail(a.ended...); err != nil {
			return h, err
		}
	}
	if !next.State.Final() {
		next.Draft.Confirm = CountRemaining(next.Draft.Draft)
	}
	return ds.Swap(ctx, s, h, next)
}
