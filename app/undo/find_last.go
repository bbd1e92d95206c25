package undo

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
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

// Last is the run that [Undo.ProposeLast] undoes.
type Last struct {
	Goal   string
	Redoes bool // it undid Goal, and its undo does that again
	At     time.Time
	Newest string // the goal of the newest run, which changed nothing that can be undone; empty: it is this one
}

// ProposeLast proposes to undo the run of [Undo.LastUndoable]. It does not where the newest run closed a tab.
func (u *Undo) ProposeLast(ctx context.Context, origin plan.Origin) (drafts.View, Last, error) {
	var last Last
	id, err := u.LastUndoable(ctx)
	if err != nil {
		return drafts.View{}, last, err
	}
	s, err := u.o.Store()
	if err != nil {
		return drafts.View{}, last, err
	}
	newest, err := s.Runs(ctx, 1)
	if err != nil {
		return drafts.View{}, last, err
	}
	if len(newest) > 0 && newest[0].RunID != id {
		closed, err := u.closedTab(ctx, s, newest[0].RunID)
		if err != nil {
			return drafts.View{}, last, err
		}
		if closed {
			return drafts.View{}, last, tool.NewError(tool.ValidationError, "nothing_to_undo", message.New("follow_up.undo_tab", "goal", newest[0].Goal))
		}
	}
	if id == "" {
		return drafts.View{}, last, tool.NewError(tool.ValidationError, "nothing_to_undo", message.New("follow_up.nothing_to_undo"))
	}
	rec, err := s.Record(ctx, id)
	if err != nil {
		return drafts.View{}, last, err
	}
	last.Goal, last.Redoes = undoneGoal(rec.Goal)
	last.At = rec.StartedAt
	d, err := u.ProposeUndo(ctx, origin, id)
	if len(newest) > 0 && newest[0].RunID != id && newest[0].RunID != d.RunID {
		last.Newest = newest[0].Goal
	}
	return d, last, err
}

// undoneGoal returns the goal that the run of an undo, or of an undo of one, was about in the end, see [words].
// redoes says that undoing that run does the goal again.
func undoneGoal(goal string) (of string, redoes bool) {
	const idLength = 26
	for {
		rest, is := strings.CutPrefix(goal, "undo ")
		id, inner, found := strings.Cut(rest, ": ")
		if !is || !found || len(id) != idLength {
			return goal, redoes
		}
		goal, redoes = inner, !redoes
	}
}

// closedTab reports whether a run closed a tab.
func (u *Undo) closedTab(ctx context.Context, s store.Store, id string) (bool, error) {
	rec, err := s.Record(ctx, id)
	if err != nil {
		return false, err
	}
	specs, err := u.o.Specs(ctx)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(trace.LastDone(rec.Steps), func(step trace.Step) bool {
		return slices.ContainsFunc(specs, func(s tool.Spec) bool { return s.Name == step.ToolName && slices.Contains(s.CanAchieve, plan.CloseTab) })
	}), nil
}

// isMeant reports whether the last run can be this one without its id: not a goal that was due, and of the
// demo if this program is.
func (u *Undo) isMeant(rec trace.Record) bool {
	var s struct {
		Run struct {
			Origin plan.Origin `json:"origin"`
			Demo   bool        `json:"demo"`
		} `json:"own"`
	}
	return json.Unmarshal(rec.Setting, &s) != nil || s.Run.Origin != plan.Schedule && s.Run.Demo == u.o.Demo
}

// lastEffect is when a run last did something that can be undone; zero if never.
func (u *Undo) lastEffect(ctx context.Context, s store.Store, id string, specs []tool.Spec) (time.Time, error) {
	var at time.Time
	rec, err := s.Record(ctx, id)
	if err != nil || rec.Status == trace.Running || !u.isMeant(rec) || len(invert(rec, attempts{}, specs, nil).actions) == 0 {
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
