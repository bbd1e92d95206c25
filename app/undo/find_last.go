package undo

import (
	"context"
	"time"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// LastUndoable returns the id of the run that last did something that can be undone and
// is not undone; empty if there is none. It goes by the end of the step, not by the start
// of the run. A run that is under way does not count. An undo is such a run, too.
func (u *Undo) LastUndoable(ctx context.Context) (string, error) {
	s, err := u.o.Store()
	if err != nil {
		return "", err
	}
	specs, err := u.o.Specs(ctx)
	if err != nil {
		return "", err
	}
	list, err := s.Activities(ctx, 0)
	if err != nil {
		return "", err
	}
	var last store.Activity
	for _, a := range list {
		if !a.At.After(last.At) { // it did nothing later
			break
		}
		at, err := u.lastEffect(ctx, s, a.RunID, specs)
		if err != nil {
			return "", err
		}
		if at.After(last.At) {
			last = store.Activity{RunID: a.RunID, At: at}
		}
	}
	return last.RunID, nil
}

// ProposeLast proposes to undo the run of [Undo.LastUndoable].
func (u *Undo) ProposeLast(ctx context.Context, origin plan.Origin) (drafts.View, error) {
	id, err := u.LastUndoable(ctx)
	if err != nil {
		return drafts.View{}, err
	}
	if id == "" {
		return drafts.View{}, tool.NewError(tool.ValidationError, "nothing_to_undo", message.New("follow_up.nothing_to_undo"))
	}
	return u.ProposeUndo(ctx, origin, id)
}

// lastEffect is when a run last did something that can be undone; zero if never.
func (u *Undo) lastEffect(ctx context.Context, s store.Store, id string, specs []tool.Spec) (time.Time, error) {
	var at time.Time
	rec, err := s.Record(ctx, id)
	if err != nil || rec.Status == trace.Running || len(invert(rec, attempts{}, specs, nil).actions) == 0 {
		return at, err
	}
	past, err := u.earlierAttempts(ctx, s, rec.RunID)
	if err != nil {
		return at, err
	}
	undoable := map[string]bool{}
	for _, id := range invert(rec, past, specs, nil).steps {
		undoable[id] = true
	}
	for _, step := range trace.LastDone(rec.Steps) {
		if end := step.StartedAt.Add(time.Duration(step.DurationMS) * time.Millisecond); undoable[step.StepID] && end.After(at) {
			at = end
		}
	}
	return at, nil
}
