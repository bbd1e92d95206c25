package undo

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"errand/app/drafts"
	"errand/host/store"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy/approval"
)

// attempts are the earlier attempts to undo a run, as they are now.
type attempts struct {
	drafts     *drafts.Drafts
	openDrafts []drafts.Draft    // drafts that have not ended, oldest first
	draftIDs   map[string]bool   // ids of all drafts, ended or not
	undoneBy   map[string]string // id of a step that was undone → the run that did it
}

// earlierAttempts looks for the drafts that undo a run. A step is undone where its inverse was
// called, whatever became of the draft afterwards.
func (u *Undo) earlierAttempts(ctx context.Context, s store.Store, runID string) (attempts, error) {
	out := attempts{drafts: u.o.Drafts, undoneBy: map[string]string{}, draftIDs: map[string]bool{}}
	stored, err := s.Drafts(ctx, "")
	if err != nil {
		return out, err
	}
	for _, d := range slices.Backward(stored) {
		if !mayUndo(d, runID) {
			continue
		}
		h, err := u.o.Drafts.Read(ctx, s, d)
		if err != nil || h.Proposal.Undoes != runID {
			continue
		}
		out.draftIDs[h.ID] = true
		done := h.Done
		if rec, err := s.Record(ctx, h.RunID); err == nil { // a program that died may not have told the draft
			done = append(slices.Clone(done), doneIDs(rec.Steps)...)
		}
		for _, id := range done {
			if step := h.Proposal.TakesBack[id]; step != "" {
				out.undoneBy[step] = h.RunID
			}
		}
		if !h.State.Final() {
			out.openDrafts = append(out.openDrafts, h)
		}
	}
	return out, nil
}

// mayUndo reports whether a draft names a run where it would say that it undoes it. Few drafts
// do, and each may have a thousand actions to decode.
func mayUndo(d store.Draft, runID string) bool {
	return bytes.Contains(d.Shown, []byte(strconv.Quote(runID)))
}

// changeDetector reports whether a draft shows that the attempts are no longer what was seen:
// it is a new one, or waits after all.
func (u attempts) changeDetector(runID string, now time.Time) func(store.Draft) bool {
	return func(d store.Draft) bool {
		if !mayUndo(d, runID) {
			return false
		}
		h, err := u.drafts.Unpack(d)
		return err == nil && h.Proposal.Undoes == runID && (!u.draftIDs[d.ID] || !d.Expire(now).State.Final())
	}
}

// isApplying reports whether a program died while it applied one of the drafts, or still does.
func (u attempts) isApplying() bool {
	return slices.ContainsFunc(u.openDrafts, func(h drafts.Draft) bool { return h.State == approval.StateApplying })
}

// covers reports whether a draft undoes what is to be undone now: nothing is missing in
// it, and no other run undid a part of it meanwhile. What the user rejected or left out
// of it does not count.
func (u attempts) covers(h drafts.Draft, back inverses) bool {
	remaining := map[string]bool{}
	for _, step := range h.Proposal.TakesBack {
		if by := u.undoneBy[step]; by == "" {
			remaining[step] = true
		} else if by != h.RunID {
			return false
		}
	}
	want := map[string]bool{}
	for _, step := range back.steps {
		want[step] = true
	}
	return len(want) > 0 && maps.Equal(remaining, want)
}

// waitingDraft is the draft that waits for what is to be undone now. It cancels others: they
// show something else than an undo would do now.
func (u *Undo) waitingDraft(ctx context.Context, s store.Store, past attempts, back inverses) (drafts.Draft, bool, error) {
	for _, h := range past.openDrafts {
		if past.covers(h, back) {
			return h, true, nil
		}
	}
	for _, h := range past.openDrafts {
		if err := u.withdraw(ctx, s, h); err != nil {
			return h, false, err
		}
	}
	return drafts.Draft{}, false, nil
}

// withdraw cancels a draft that a newer one replaces. Actions that are done stay done.
func (u *Undo) withdraw(ctx context.Context, s store.Store, h drafts.Draft) error {
	next := h
	var err error
	if h.State == approval.StateApplying {
		rec, err := s.Record(ctx, h.RunID)
		if err != nil {
			return err
		}
		if rec.Status == trace.Running || !h.Stranded {
			return drafts.UnderWay(h)
		}
		if next, err = u.o.Drafts.Settle(h, doneIDs(rec.Steps)); err != nil {
			return drafts.Refusal(h, err)
		}
	}
	why := drafts.Superseded(message.New("undo.run_went_on", "run", h.Proposal.Undoes))
	if !next.State.Final() {
		if next.Draft.Draft, err = next.Draft.Cancel(why.Message); err != nil {
			return drafts.Refusal(h, err)
		}
	}
	if h, err = u.o.Drafts.Swap(ctx, s, h, next); err != nil {
		return err
	}
	return u.o.Drafts.EndRun(ctx, s, h, why)
}

// doneIDs are the ids of the steps that are done.
func doneIDs(steps []trace.Step) []string {
	var out []string
	for _, s := range trace.LastDone(steps) {
		out = append(out, s.StepID)
	}
	return out
}
