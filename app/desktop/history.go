package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/history"
	"errand/app/replay"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// historyAPI is the part of [API] that reads, exports, undoes and deletes recorded runs.
type historyAPI struct {
	*session
	face       Face
	openFolder func(ctx context.Context, dir string) error

	saved   string     // the file that was exported last; guarded by mu
	lastRun *cachedRun // the recorded run that was read last; guarded by mu
}

// maxRuns limits one [RunsPage].
const maxRuns = 500

// Get returns a run: the active one or an earlier one.
func (a *historyAPI) Get(id string) (view.Run, error) {
	if l := a.latest(); l != nil {
		if v, _ := l.Look(); v.RunID == id && l.IsCurrent(v) {
			v.CanUndo = v.CanUndo && !a.undone(id)
			return say(a.session, v, nil)
		}
	}
	return query(a.session, askTimeout, view.Run{}, func(ctx context.Context, e *Engine) (view.Run, error) {
		run, err := a.recordedRun(ctx, e, id)
		run.Plan, run.CanUndo = run.Plan.FirstPage(), run.CanUndo && !a.undone(run.RunID)
		return run, err
	})
}

// undone reports whether an applied draft undid the whole run. A run that was undone in
// part can be undone again.
func (a *historyAPI) undone(id string) bool {
	all, err := ask(a.session, askTimeout, nil, func(ctx context.Context, e *Engine) ([]drafts.View, error) { return e.ListDrafts(ctx, true) })
	return err == nil && slices.ContainsFunc(all, func(d drafts.View) bool {
		return d.Undoes == id && d.State == approval.StateApplied
	})
}

// Steps returns a range of a run's steps.
func (a *historyAPI) Steps(ask view.StepsAsk) (view.StepsPage, error) {
	if l := a.latest(); l != nil {
		if v, _ := l.Look(); v.RunID == ask.RunID && l.IsCurrent(v) {
			page := l.Steps(ask.From, ask.Limit)
			return say(a.session, page, nil)
		}
	}
	return query(a.session, askTimeout, view.StepsPage{Steps: []view.Step{}}, func(ctx context.Context, e *Engine) (view.StepsPage, error) {
		run, err := a.recordedRun(ctx, e, ask.RunID)
		return view.SliceSteps(run, ask.From, ask.Limit), err
	})
}

// cachedRun keeps the last run that was read, because the page reads a long run in parts.
type cachedRun struct {
	head trace.Run
	size int // number of recorded steps
	view view.Run
}

// recordedRun returns a past run with all its steps. It reads the run again only if its
// record has changed.
func (a *historyAPI) recordedRun(ctx context.Context, e *Engine, id string) (view.Run, error) {
	head, err := e.Excerpt(ctx, id, 0)
	if err != nil {
		return view.Run{}, err
	}
	size := len(head.Steps) + head.OmittedSteps
	a.mu.Lock()
	cached := a.lastRun
	a.mu.Unlock()
	if cached != nil && cached.isSame(head.Run, size) {
		return cached.view, nil
	}
	rec, err := e.Record(ctx, head.RunID)
	if err != nil {
		return view.Run{}, err
	}
	run, err := live.OfRecord(rec)
	if err != nil {
		return view.Run{}, err
	}
	classify(ctx, e, &run.Plan)
	if run.Agent != nil {
		run.Agent.MaxTokens = e.Config().Agent.Internal.MaxTokens
	}
	if rec.Status != trace.Running { // another program may still run it
		a.mu.Lock()
		a.lastRun = &cachedRun{head.Run, size, run}
		a.mu.Unlock()
	}
	return run, nil
}

func (s *cachedRun) isSame(head trace.Run, size int) bool {
	return s.head.RunID == head.RunID && s.head.Status == head.Status && s.head.DurationMS == head.DurationMS &&
		s.head.DraftID == head.DraftID && s.size == size
}

// Runs returns a part of the history, the newest run first.
func (a *historyAPI) Runs(ask view.RunsAsk) (view.RunsPage, error) {
	page := view.RunsPage{From: ask.From, Runs: []view.Line{}}
	if ask.From < 0 {
		return page, tool.NewError(tool.ValidationError, "bad_range", message.New("window.bad_range", "from", ask.From))
	}
	engine, ctx, cancel, err := a.program(askTimeout)
	if err != nil {
		return page, nil // safe mode: the list is empty
	}
	defer cancel()
	found, err := engine.FindRuns(ctx, history.Query{
		Text: ask.Query, Status: trace.Status(ask.Status), From: ask.From, Limit: min(ask.Limit, maxRuns),
	})
	page.Total = found.Total
	for _, r := range found.Runs {
		page.Runs = append(page.Runs, live.LineOf(r))
	}
	return say(a.session, page, err)
}

// Replay replays a recorded run offline and reports whether the result is the same. It changes
// nothing.
func (a *historyAPI) Replay(runID string) (view.Replay, error) {
	return query(a.session, replayTimeout, view.Replay{}, func(ctx context.Context, e *Engine) (view.Replay, error) {
		r, err := e.Replay(ctx, runID)
		if err != nil {
			return view.Replay{}, err
		}
		today, err := e.PolicyToday(ctx, runID)
		if err != nil {
			return view.Replay{}, err
		}
		out := view.Replay{
			RunID: r.RunID, IsSame: r.IsSame, Steps: r.Compared.Steps, Actions: r.Compared.Actions, Recorded: r.Recorded, CurrentVersion: r.Now,
			NotCompared: []view.NotCompared{}, Policy: []view.Difference{},
		}
		if r.Difference != nil {
			d := differenceOf(*r.Difference)
			out.Difference = &d
		}
		for _, n := range r.NotCompared {
			out.NotCompared = append(out.NotCompared, view.NotCompared{Where: n.Location, StepID: n.StepID, Field: n.Field, Why: n.Why})
		}
		for _, d := range today {
			out.Policy = append(out.Policy, differenceOf(d))
		}
		return out, nil
	})
}

func differenceOf(d replay.Difference) view.Difference {
	return view.Difference{Where: d.Location, StepID: d.StepID, Field: d.Field, Recorded: view.ValueOf(d.Recorded), Now: view.ValueOf(d.Now)}
}

// Export writes a run to a file.
func (a *historyAPI) Export(ask view.ExportAsk) (view.Exported, error) {
	data, err := query(a.session, askTimeout, nil, func(ctx context.Context, e *Engine) ([]byte, error) {
		return e.Export(ctx, ask.RunID, ask.Format)
	})
	if err != nil {
		return view.Exported{}, err
	}
	format := ask.Format
	if format == "" {
		format = history.FormatBundle
	}
	out := view.Exported{Name: fmt.Sprintf("errand-%s.%s.json", ask.RunID, format), MediaType: "application/json"}
	if !a.face.Dialogs() {
		out.Text = string(json.RawMessage(data))
		return out, nil
	}
	out.Saved, err = a.face.Save(out.Name, data) // takes as long as the dialog is open
	out.Cancelled = err == nil && out.Saved == ""
	if out.Saved != "" {
		a.mu.Lock()
		a.saved = out.Saved
		a.mu.Unlock()
	}
	return out, err
}

// UndoRun creates a draft that undoes a run. It changes nothing else.
func (a *historyAPI) UndoRun(runID string) (view.Draft, error) {
	return query(a.session, planTimeout, view.Draft{}, func(ctx context.Context, e *Engine) (view.Draft, error) {
		d, err := e.ProposeUndo(ctx, plan.UserGoal, runID)
		if err != nil {
			return view.Draft{}, err
		}
		return draftOf(ctx, e, d), nil
	})
}

// DeleteRun deletes an ended run with its record and artifacts.
func (a *historyAPI) DeleteRun(runID string) (view.DeletedRuns, error) {
	return query(a.session, askTimeout, view.DeletedRuns{}, func(ctx context.Context, e *Engine) (view.DeletedRuns, error) {
		r, err := e.Forget(ctx, runID)
		return forgottenOf(r), err
	})
}

// Forget deletes runs older than a number of days, or only counts them. It keeps the active run
// and runs that need approval.
func (a *historyAPI) Forget(ask view.ForgetAsk) (view.DeletedRuns, error) {
	const mostDays = 36_500
	if ask.OlderThanDays < 0 || ask.OlderThanDays > mostDays {
		return view.DeletedRuns{}, tool.NewError(tool.ValidationError, "bad_age", message.New("window.bad_age", "days", ask.OlderThanDays, "limit", mostDays))
	}
	return query(a.session, askTimeout, view.DeletedRuns{}, func(ctx context.Context, e *Engine) (view.DeletedRuns, error) {
		r, err := e.Prune(ctx, time.Duration(ask.OlderThanDays)*24*time.Hour, ask.CountOnly)
		return forgottenOf(r), err
	})
}

func forgottenOf(r history.PruneReport) view.DeletedRuns {
	return view.DeletedRuns{Before: view.Millis(r.Before), Runs: r.Runs, Drafts: r.Drafts, Artifacts: r.Artifacts, Bytes: r.Bytes}
}
