package desktop

import (
	"context"

	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
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
	return a.begin(w.words, func(e *Engine, l *liveRun) (work, error) {
		l.recipe = w.recipe
		if ask.Approved == "" { // a plan that needs approval becomes a draft
			return func(ctx context.Context) (runs.Report, error) {
				request.Progress = l.progress
				return w.start(ctx, e, request)
			}, nil
		}
		if ask.Approved != l.lastPlan.Digest {
			return nil, errPlanChanged
		}
		undo, err := a.policy.widen(e, ask.Scope, l.lastPlan.Scopes)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) (runs.Report, error) {
			defer undo()
			request.Progress = l.progress
			request.Approve = func(_ context.Context, d drafts.View) (drafts.Answer, error) {
				return l.approve(d, ask)
			}
			return w.start(ctx, e, request)
		}, nil
	})
}

// work executes a live run until its end.
type work func(ctx context.Context) (runs.Report, error)

// begin starts the one run of this window and waits for its id.
func (a *runAPI) begin(text string, prepare func(*Engine, *liveRun) (work, error)) (view.Run, error) {
	ctx, cancel := context.WithCancel(a.life)
	var before view.Run
	if l := a.latest(); l != nil { // a run emits events while it is locked, and needs a.mu for them
		before, _ = l.look()
	}
	a.mu.Lock()
	fault := error(nil)
	switch {
	case a.engine == nil:
		fault = errSafeMode
	case a.current.active():
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
	l := newLive(text, a.goals.lastPlan, cancel, func(e view.RunEvent) { a.face.Emit(view.EventRun, view.Say(a.language(), e)) })
	l.classify = func(p *view.Plan) { classify(a.life, engine, p) }
	l.view.Seq = before.Seq // numbers go on, because a draft's approval continues the same run
	l.waits = func(v view.Run) { a.window.notify(message.New("window.waits.title"), v) }
	a.current = l
	a.owns.Add(1) // while a.mu guarantees that nothing waits for it yet
	a.mu.Unlock()

	do, err := prepare(engine, l)
	if err != nil {
		cancel()
		close(l.done)
		close(l.finished)
		a.reloadIfStale()
		a.owns.Done()
		return view.Run{}, err
	}
	go func() { // ends with ctx
		defer a.owns.Done()
		defer close(l.finished)
		l.execute(ctx, do, engine.CountProcesses)
		a.finishRun(l)
	}()
	select {
	case <-l.started:
	case <-l.done:
	}
	v, err := l.look()
	if v.RunID != "" {
		err = nil // the run's view has its error
	}
	return say(a.session, v, err)
}

// finishRun runs after a run: it notifies the user, and loads a configuration that changed
// during the run.
func (a *runAPI) finishRun(l *liveRun) {
	v, err := l.look()
	a.mu.Lock()
	if err != nil && l.earlier { // its draft could not be applied; the record has its state
		a.current = nil
	}
	a.history.lastRun = nil
	a.mu.Unlock()
	if v.RunID != "" {
		a.window.notify(describeEnd(v), v)
	}
	a.reloadIfStale()
}

var errPlanChanged = tool.NewError(tool.PolicyDenied, "plan_changed", message.New("window.plan_changed")).
	WithHint(message.New("window.plan_changed_hint"))
