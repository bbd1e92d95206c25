package core

import (
	"context"
	"maps"
	"slices"
	"time"

	"errand/app/setting"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/plan"
	"errand/policy/approval"
)

// undoings are the earlier undoings of a run, as they stand now.
type undoings struct {
	live []held            // drafts that have not ended, oldest first
	seen map[string]bool   // ids of all drafts, ended or not
	by   map[string]string // id of a step that was taken back → the run that did it
}

// undoings looks for the drafts that take a run back. A step is taken back where
// its inverse was carried out, whatever became of the draft afterwards.
func (a *App) undoings(ctx context.Context, s store.Store, runID string) (undoings, error) {
	out := undoings{by: map[string]string{}, seen: map[string]bool{}}
	drafts, err := s.Drafts(ctx, "")
	if err != nil {
		return out, err
	}
	for _, d := range slices.Backward(drafts) {
		h, err := readHeld(d)
		if err != nil || h.proposal.Undoes != runID {
			continue
		}
		h = a.expire(ctx, s, h)
		out.seen[h.ID] = true
		done := h.Done
		if rec, err := s.Record(ctx, h.RunID); err == nil { // a program that died may not have told the draft
			done = append(slices.Clone(done), keys(committed(rec.Steps))...)
		}
		for _, id := range done {
			if step := h.proposal.TakesBack[id]; step != "" {
				out.by[step] = h.RunID
			}
		}
		if !h.State.Final() {
			out.live = append(out.live, h)
		}
	}
	return out, nil
}

// changed reports whether a draft says that a run's undoings are no longer what
// was seen: it is a new one, or waits after all.
func (u undoings) changed(runID string, now time.Time) func(store.Draft) bool {
	return func(d store.Draft) bool {
		h, err := readHeld(d)
		return err == nil && h.proposal.Undoes == runID && (!u.seen[d.ID] || !d.Expire(now).State.Final())
	}
}

// covers reports whether a draft was made for what is to be taken back now:
// nothing is missing in it, and nothing in it was taken back meanwhile by
// another one. What a person left out of it or rejected is no reason to ask anew.
func (u undoings) covers(h held, back takenBack) bool {
	left := map[string]bool{}
	for _, step := range h.proposal.TakesBack {
		if by := u.by[step]; by == "" {
			left[step] = true
		} else if by != h.RunID {
			return false
		}
	}
	want := map[string]bool{}
	for _, step := range back.steps {
		want[step] = true
	}
	return len(want) > 0 && maps.Equal(left, want)
}

// waitingUndo is the draft that waits for what is to be taken back now. Others
// are cancelled: what they show is not what undoing would mean today.
func (a *App) waitingUndo(ctx context.Context, s store.Store, past undoings, back takenBack) (held, bool, error) {
	for _, h := range past.live {
		if past.covers(h, back) {
			return h, true, nil
		}
	}
	for _, h := range past.live {
		if err := a.withdraw(ctx, s, h); err != nil {
			return h, false, err
		}
	}
	return held{}, false, nil
}

// withdraw cancels a draft that a newer one replaces. What was done of it stays.
func (a *App) withdraw(ctx context.Context, s store.Store, h held) error {
	next := h
	var err error
	if h.State == approval.StateApplying {
		rec, err := s.Record(ctx, h.RunID)
		if err != nil {
			return err
		}
		if rec.Status == trace.Running || !h.Stranded {
			return applying(h)
		}
		if next, err = a.settled(h, keys(committed(rec.Steps))); err != nil {
			return refusal(h, err)
		}
	}
	why := superseded("run %s went on since it was proposed", h.proposal.Undoes)
	if !next.State.Final() {
		if next.Draft.Draft, err = next.Draft.Cancel(why.Message); err != nil {
			return refusal(h, err)
		}
	}
	if h, err = a.swap(ctx, s, h, next); err != nil {
		return err
	}
	return a.endWaiting(ctx, s, h, why)
}

func superseded(format string, args ...any) *tool.Error {
	return tool.Errorf(tool.PolicyDenied, "superseded", format, args...)
}

// proposeUndo begins the run that takes another one back and keeps its draft.
// It gives way, with code draft_moved, to one that was kept since past was seen.
func (a *App) proposeUndo(ctx context.Context, rec trace.Record, p plan.Plan, past undoings, back takenBack) (DraftView, error) {
	x := &execution{app: a, id: a.newID(), started: a.now(), request: RunRequest{Text: undoWords(rec)}, inTheWay: past.changed(rec.RunID, a.now())}
	end, err := x.open()
	if err != nil {
		return DraftView{}, err
	}
	defer end()
	judged, err := x.judge(ctx, p, nil)
	if err != nil {
		return DraftView{}, err
	}
	if x.setting, err = a.settings.Record(x.id, x.tools.Specs(), setting.Own{Given: setting.GivenUndo}); err != nil {
		return DraftView{}, err
	}
	result := plan.Succeeded(p, plan.Proof{Kind: plan.Unproved})
	x.report = Report{
		RunID: x.id, Steps: []trace.Step{}, Result: &result,
		Interpretation: &Interpretation{Status: interpret.OK, Language: languageOf(rec), Goals: []plan.Goal{}, Questions: []plan.Question{}},
	}
	if err := x.begin(ctx); err != nil {
		return DraftView{}, err
	}
	h, err := x.propose(ctx, judged, proposal{Undoes: rec.RunID, TakesBack: back.steps, Irreversible: back.irreversible})
	if err != nil {
		x.report.Status, x.report.Error = trace.Failed, tool.AsError(err)
		if x.report.Error.Code == store.CodeDraftMoved {
			x.report.Status, x.report.Error = trace.Denied, superseded("another draft takes run %s back", rec.RunID)
		}
		_, _ = x.finish(ctx)
		return h.view(), err
	}
	x.waits(h, nil)
	_, err = x.finish(ctx)
	return h.view(), err
}
