package desktop

import (
	"context"
	"slices"

	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/tool"
)

// Run carries a goal out and answers as soon as the run has its id; the rest
// comes as events. Without an approval, what needs one becomes a draft that
// waits. An approval holds for the plan that was shown and for no other.
func (a *API) Run(ask view.RunAsk) (view.Run, error) {
	w, err := wishOf(ask.Goal)
	if err != nil {
		return view.Run{}, err
	}
	return a.carryOut(w, ask)
}

// carryOut starts the run of a wish.
func (a *API) carryOut(w wish, ask view.RunAsk) (view.Run, error) {
	request := w.request
	return a.begin(w.words, func(e *Engine, l *live) (work, error) {
		l.recipe = w.recipe
		if ask.Approved == "" { // nobody can be asked: the run then waits for a yes
			return func(ctx context.Context) (runs.Report, error) {
				request.Progress = l.progress
				return w.start(ctx, e, request)
			}, nil
		}
		if ask.Approved != l.shown.Digest {
			return nil, errPlanChanged
		}
		undo, err := a.widen(e, ask.Scope, l.shown.Scopes)
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

// work is what a live run does until its end.
type work func(ctx context.Context) (runs.Report, error)

// begin starts the one run of this window and waits for its id.
func (a *API) begin(text string, prepare func(*Engine, *live) (work, error)) (view.Run, error) {
	ctx, cancel := context.WithCancel(a.life)
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
	l := newLive(text, a.shown, cancel, func(e view.RunEvent) { a.face.Emit(view.EventRun, e) })
	l.waits = a.called
	a.current = l
	a.owns.Add(1) // while a.mu says that nothing waits for it yet
	a.mu.Unlock()

	do, err := prepare(engine, l)
	if err != nil {
		cancel()
		close(l.done)
		close(l.gone)
		a.takeUp()
		a.owns.Done()
		return view.Run{}, err
	}
	go func() { // ends with ctx
		defer a.owns.Done()
		defer close(l.gone)
		l.carry(ctx, do, engine.Left)
		a.ended(l)
	}()
	select {
	case <-l.started:
	case <-l.done:
	}
	v, err := l.look()
	if v.RunID != "" {
		return v, nil // the run has a view that tells of its error
	}
	return v, err
}

// ended is after a run: who looks elsewhere is told, and a configuration that
// was changed meanwhile is taken up.
func (a *API) ended(l *live) {
	v, err := l.look()
	a.mu.Lock()
	if err != nil && l.earlier { // its draft could not be taken up: the record says how it stands
		a.current = nil
	}
	away := !a.looking
	a.past = nil
	a.mu.Unlock()
	if away && v.RunID != "" {
		a.face.Notify(noticeOf(v))
	}
	a.takeUp()
}

// called is when a page of a run waits for a person: who looks elsewhere is told.
func (a *API) called(v view.Run) {
	a.mu.Lock()
	away := !a.looking
	a.mu.Unlock()
	if away {
		a.face.Notify(waitNotice(v))
	}
}

// takeUp reads the configuration anew where it was changed during a run.
func (a *API) takeUp() {
	a.mu.Lock()
	stale := a.stale
	a.mu.Unlock()
	if stale {
		a.reopen()
	}
}

// widen makes what a scope opens beside this one approval: hosts, and for always
// the rules. What it answers ends those that only this run was to have.
func (a *API) widen(e *Engine, scope view.ScopeName, offered []view.Scope) (undo func(), err error) {
	if scope == "" {
		scope = view.ScopeOnce
	}
	undo = func() {}
	i := slices.IndexFunc(offered, func(s view.Scope) bool { return s.Scope == scope })
	switch {
	case i < 0 && scope == view.ScopeOnce: // nothing has to be opened
		return undo, nil
	case i < 0 || !offered[i].Available:
		return undo, tool.Errorf(tool.ValidationError, "no_scope", "it can't be approved for %q", scope)
	}
	if offered[i].Writes != "" {
		if faults, err := a.writeRules(offered[i].Writes); err != nil {
			return undo, err
		} else if len(faults) > 0 {
			return undo, tool.Errorf(tool.ValidationError, "bad_rule", "the rule can't be written: %s", faults[0].Message)
		}
	}
	var made []string
	for _, c := range offered[i].Covers {
		if c.Tool != "" {
			continue
		}
		g, err := a.grant(e, view.AllowAsk{Pattern: c.Host, Scope: string(scope)})
		if err != nil {
			return undo, err
		}
		if scope != view.ScopeAlways {
			made = append(made, g.ID)
		}
	}
	return func() { a.revokeUnused(e, made) }, nil
}

// revokeUnused ends grants that no call came to need.
func (a *API) revokeUnused(e *Engine, ids []string) {
	if len(ids) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.life), askTimeout)
	defer cancel()
	open, err := e.Grants.Grants(ctx, false)
	if err != nil {
		return // they are in the list, and can be revoked there
	}
	for _, g := range open {
		if slices.Contains(ids, g.ID) {
			_, _ = e.Grants.Revoke(ctx, g.ID)
		}
	}
}

var errPlanChanged = tool.Errorf(tool.PolicyDenied, "plan_changed", "the plan is no longer the one that was approved").
	WithHint("look at the new plan and approve it")
