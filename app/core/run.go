package core

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/core/recipe"
	"errand/app/planning"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/plan"
)

// RunRequest asks for a goal to be carried out.
type RunRequest struct {
	Text   string
	Voice  *plan.Voice // in place of typed words; never runs unasked
	Recipe *RecipeRun  // in place of words: a plan that was kept
	Yes    bool        // approve what would become a draft
	DryRun bool        // stop before the first call, and keep no draft
	// Answers are to questions that an earlier reading of the same words asked, by
	// their ids. One that is none of its question's choices is refused unless the
	// question allows free text.
	Answers map[string]string

	// Approve asks a person about the whole draft; nil: nobody can be asked, and
	// the run waits for [App.Approve].
	Approve func(ctx context.Context, d DraftView) (Answer, error)
	// Ask asks a person for one of a question's choices, or for free text where
	// the question allows it, or gets [ErrNoAnswer]; nil: nobody can be asked.
	Ask func(ctx context.Context, q plan.Question) (string, error)
	// Progress hears what happens, in order, from one goroutine at a time. It
	// must not block.
	Progress func(Progress)
}

// words are what the goal is read from.
func (r RunRequest) words() string {
	if r.Recipe != nil {
		return recipe.Words(r.Recipe.Ref, r.Recipe.Values)
	}
	if r.Voice != nil {
		return r.Voice.Transcript
	}
	return r.Text
}

// Progress is one thing that happened in a run. Seq grows by one, so that a
// listener sees a gap.
type Progress struct {
	RunID string `json:"run_id"`
	Seq   int    `json:"seq"`
	Kind  string `json:"kind"` // planned, draft, step_started, step_running, step_finished, connection, browser, finished
	Data  any    `json:"data"`
}

// endTimeout bounds what is still written down and closed after a run was
// interrupted.
const endTimeout = 8 * time.Second

// Run interprets, plans, checks and carries out, and leaves a record of what
// was planned. A run that was denied, failed or needs a person is a [Report],
// not an error; the error is for a program that could not run at all.
func (a *App) Run(ctx context.Context, r RunRequest) (Report, error) {
	if err := planning.CheckGoal(r.words()); err != nil {
		return Report{}, err
	}
	x := &execution{app: a, request: r, id: a.newID(), started: a.now()}
	end, err := x.open()
	if err != nil {
		return Report{}, err
	}
	defer end()
	return x.run(ctx)
}

// execution is one stretch of a run: from words to their end, or from a draft
// or an interruption onwards. Its fields belong to the goroutine that runs it,
// but for those that say otherwise.
type execution struct {
	app     *App
	request RunRequest
	session *session
	id      string
	started time.Time
	resumed time.Time // when this stretch began; zero: started
	spent   int64     // milliseconds that earlier stretches took
	report  Report

	before  []trace.Step      // of earlier stretches, as recorded
	earlier *trace.Run        // the record of what went before; nil: this is the first stretch
	answers map[string]string // to questions about the words, by their ids
	// ownWords: one of them was none of the choices. What it comes to is shown
	// before it is done, as the words themselves never named it.
	ownWords bool
	tools    *tool.Set // nil before it was needed
	world    plan.World
	setting  json.RawMessage // what it was planned in; kept in its record

	inTheWay func(store.Draft) bool // what keeps its draft from being kept; nil: nothing

	draft atomic.Pointer[held] // under which its calls are made; nil: none
	log   trace.Log
	notes atomic.Pointer[notebook] // nil before the record was opened
	mu    sync.Mutex               // orders Progress
	seq   int
}

// open gives the execution a session of its own: its way to the network and its
// browser. With --show the browser stays until it is closed.
func (x *execution) open() (end func(), err error) {
	a := x.app
	x.report = Report{RunID: x.id, Status: trace.Failed, Steps: []trace.Step{}}
	if x.session, err = a.newSession(x.id, x.note); err != nil {
		return nil, err
	}
	if x.shown() {
		a.own(x.session.close)
		a.shown.Store(x.session)
	}
	session := x.session
	return func() {
		a.sessions.CompareAndDelete(x.id, session)
		if !x.waiting() {
			a.vault.Forget(x.id)
		}
		if !x.shown() {
			_ = session.close()
		}
	}, nil
}

// waiting reports whether the run may go on after this stretch: its draft is not
// over.
func (x *execution) waiting() bool {
	d := x.report.Draft
	return !x.request.DryRun && (x.report.Status == trace.NeedsApproval || d != nil && !d.State.Final())
}

// shown reports whether the run's browser is the person's to close.
func (x *execution) shown() bool { return x.app.o.Show || x.app.conf.Browser.Show }

func (x *execution) run(ctx context.Context) (Report, error) {
	planned, err := x.plan(ctx)
	if err != nil && ctx.Err() != nil {
		x.report.Status, x.report.Error = trace.Interrupted, tool.AsError(err)
		return x.finish(ctx)
	}
	if err != nil {
		return x.report, err
	}
	x.report.Interpretation, x.report.Result = &planned.Interpretation, planned.Result
	x.tell("planned", planned)
	p, stop := settled(planned, &x.report)
	switch {
	case x.request.DryRun && stop:
		return x.finish(ctx)
	case x.request.DryRun:
		x.rehearse(ctx, p)
		return x.finish(ctx)
	}
	if err := x.begin(ctx); err != nil {
		return x.report, err
	}
	switch {
	case planned.Interpretation.Status == interpret.Ambiguous:
		x.waitForAnswers(ctx)
	case !stop:
		x.carry(ctx, p, nil)
	}
	return x.finish(ctx)
}
