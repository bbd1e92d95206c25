package desktop

import (
	"context"

	"errand/app/desktop/live"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/planner/message"
)

// runAPI is the part of [API] that runs goals, one at a time.
type runAPI struct {
	*session
	face    Face
	window  *windowAPI
	goals   *goalAPI
	history *historyAPI
	policy  *policyAPI
}

// Run starts a goal and returns as soon as the run has its id. The progress comes as events.
// Without an approval, a plan that needs one becomes a draft. An approval counts only for the
// plan that was shown.
func (a *runAPI) Run(ask view.RunAsk) (view.Run, error) {
	w, err := wishOf(ask.Goal)
	if err != nil {
		return view.Run{}, err
	}
	return a.startWish(w, ask)
}

// startWish starts the run of a wish.
func (a *runAPI) startWish(w wish, ask view.RunAsk) (view.Run, error) {
	request := w.request
	return a.begin(w.words, func(e *Engine, l *live.Run) (live.Work, error) {
		l.Recipe = w.recipe
		if ask.Approved == "" { // a plan that needs approval becomes a draft
			return func(ctx context.Context) (runs.Report, error) {
				request.Progress = l.Progress
				return w.start(ctx, e, request)
			}, nil
		}
		if ask.Approved != l.LastPlan.Digest {
			return nil, live.ErrPlanChanged
		}
		undo, err := a.policy.widen(e, ask.Scope, l.LastPlan.Scopes)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (runs.Report, error) {
			defer undo()
			request.Progress = l.Progress
			request.Approve = func(_ context.Context, d drafts.View) (drafts.Answer, error) {
				return l.Approve(d, ask)
			}
			return w.start(ctx, e, request)
		}, nil
	})
}

// begin starts the one run of this window and waits for its id.
func (a *runAPI) begin(text string, prepare func(*Engine, *live.Run) (live.Work, error)) (view.Run, error) {
	ctx, cancel := context.WithCancel(a.life)
	var before view.Run
	if l := a.latest(); l != nil { // a run emits events while it is locked, and needs a.mu for them
		before, _ = l.Look()
	}
	a.mu.Lock()
	fault := error(nil)
	switch {
	case a.engine == nil:
		fault = errSafeMode
	case a.current.Active():
		fault = errRunActive
	case a.life.Err() != nil:
		fault = errEnding
	}
	if fault != nil {
		a.mu.Unlock()
		cancel()
		return view.Run{}, fault
	}
	engine := a.engine
	l := live.New(live.Options{
		Text: text, LastPlan: a.goals.lastPlan, Cancel: cancel,
		After:    before.Seq, // numbers go on, because a draft's approval continues the same run
		Emit:     func(e view.RunEvent) { a.face.Emit(view.EventRun, view.Say(a.language(), e)) },
		Classify: func(p *view.Plan) { classify(a.life, engine, p) },
		Waits:    func(v view.Run) { a.window.notify(message.New("window.waits.title"), v) },
	})
	a.current = l
	a.owns.Add(1) // while a.mu guarantees that nothing waits for it yet
	a.mu.Unlock()

	do, err := prepare(engine, l)
	if err != nil {
		l.Discard()
		a.reloadIfStale()
		a.owns.Done()
		return view.Run{}, err
	}
	go func() { // ends with ctx
		defer a.owns.Done()
		l.Execute(ctx, do, engine.CountProcesses, func() { a.finishRun(l) })
	}()
	l.WaitStarted()
	v, err := l.Look()
	if v.RunID != "" {
		err = nil // the run's view has its error
	}
	return say(a.session, v, err)
}

// finishRun runs after a run: it notifies the user, and loads a configuration that changed
// during the run.
func (a *runAPI) finishRun(l *live.Run) {
	v, err := l.Look()
	a.mu.Lock()
	if err != nil && l.HasRecord() { // its draft could not be applied; the record has its state
		a.current = nil
	}
	a.history.lastRun = nil
	a.mu.Unlock()
	if v.RunID != "" {
		a.window.notify(describeEnd(v), v)
	}
	a.reloadIfStale()
}
