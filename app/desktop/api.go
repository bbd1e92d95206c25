package desktop

import (
	"context"
	"strings"
	"sync"
	"time"

	"errand/app/core"
)

// Deadlines of what the page waits for.
const (
	readTimeout = 2 * time.Second  // a reading that is not there by then is of no use
	planTimeout = 20 * time.Second // a dry run looks at the system
	pastTimeout = 5 * time.Second
)

// API is bound to the window: its exported methods are what the page can call,
// several at once. Errors reach the page as a [Failure].
type API struct {
	engine Engine // nil in safe mode
	face   Face
	boot   Boot

	life context.Context // ends with the window; runs live in it
	end  context.CancelFunc

	mu       sync.Mutex
	shown    Plan  // the plan that the person saw last
	current  *live // the newest run of this window; one is active at a time
	mayClose bool  // the person agreed to end the active run
}

// New makes the API of an engine. Without one it is in safe mode and boot.Faults
// say why: nothing can be planned or run.
func New(engine Engine, face Face, boot Boot) *API {
	a := &API{engine: engine, face: face, boot: boot}
	if a.boot.Faults == nil {
		a.boot.Faults = []Fault{}
	}
	a.boot.Version, a.boot.Examples = core.Version, examples
	a.life, a.end = context.WithCancel(context.Background())
	return a
}

// examples are for a person who sees the window for the first time: each can be
// reached without any configuration.
var examples = Examples{
	En: []string{
		"open youtube and search nvidia",
		"search wikipedia for alan turing",
		"create folder Invoices in documents",
		"what time is it",
	},
	Ru: []string{
		"открой ютуб и найди nvidia",
		"найди в википедии алан тьюринг",
		"создай папку Счета в документах",
		"который час",
	},
}

// Start is the page's first question.
func (a *API) Start() (Boot, error) {
	b := a.boot
	if l := a.latest(); l.active() {
		v, _ := l.look()
		b.Active = v.RunID
	}
	return b, nil
}

// Read says what the words would do, while they are being typed.
func (a *API) Read(text string) (Reading, error) {
	r := Reading{Text: text, Does: []string{}, Hosts: []string{}, Questions: []Question{}, Nearest: []string{}}
	if strings.TrimSpace(text) == "" {
		return r, nil
	}
	if a.engine == nil {
		return r, errSafeMode
	}
	ctx, cancel := context.WithTimeout(a.life, readTimeout)
	defer cancel()
	planned, err := a.engine.Plan(ctx, core.PlanRequest{Text: text})
	if err != nil {
		return r, err
	}
	p, err := plannedView(text, planned.Interpretation, planned.Result)
	if err != nil {
		return r, err
	}
	r.Status, r.Reason, r.Hosts, r.Questions = string(planned.Interpretation.Status), p.Reason, p.Hosts, p.Questions
	for _, s := range p.Steps {
		r.Does = append(r.Does, s.Does)
	}
	return r, nil
}

// Plan makes the plan against the world as it is, with policy's verdict on each
// step, and carries nothing out.
func (a *API) Plan(goal Goal) (Plan, error) {
	text := goal.Text
	if a.engine == nil {
		return Plan{}, errSafeMode
	}
	ctx, cancel := context.WithTimeout(a.life, planTimeout)
	defer cancel()
	in := a.engine.Interpret(text)
	var report core.Report
	if in.Status == "ok" { // else there is nothing to plan, and nothing worth a record
		var err error
		if report, err = a.engine.Run(ctx, core.RunRequest{Text: text, DryRun: true}); err != nil {
			return Plan{}, err
		}
		if report.Interpretation != nil {
			in = *report.Interpretation
		}
	}
	p, err := plannedView(text, in, report.Result)
	if err != nil {
		return Plan{}, err
	}
	p.judge(report.Verdicts)
	p.Gate = p.gate()
	if report.Error != nil && p.Reason == "" {
		p.Reason = report.Error.Message
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shown = p
	return p, nil
}

// Run carries a goal out and answers as soon as the run has its id; the rest
// comes as events. approved is the digest of the plan that the person approved,
// or "": then what needs an approval stops the run.
func (a *API) Run(ask RunAsk) (Run, error) {
	text, approved := ask.Goal.Text, ask.Approved
	if a.engine == nil {
		return Run{}, errSafeMode
	}
	ctx, cancel := context.WithCancel(a.life)
	a.mu.Lock()
	if a.current.active() {
		a.mu.Unlock()
		cancel()
		return Run{}, errRunActive
	}
	l := newLive(text, a.shown, approved, cancel, func(e RunEvent) { a.face.Emit(EventRun, e) })
	l.counted = a.current.confirms(approved)
	a.current = l
	a.mu.Unlock()
	go l.run(ctx, a.engine) // ends with ctx; shutdown waits for l.done
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

// Get is a run as it stands: the active one, or one of the past.
func (a *API) Get(id string) (Run, error) {
	if l := a.latest(); l != nil {
		if v, _ := l.look(); v.RunID == id {
			return v, nil
		}
	}
	if a.engine == nil {
		return Run{}, errSafeMode
	}
	ctx, cancel := context.WithTimeout(a.life, pastTimeout)
	defer cancel()
	rec, err := a.engine.Record(ctx, id)
	if err != nil {
		return Run{}, err
	}
	return recorded(rec)
}

// Stop interrupts the active run and answers at once; its last event says when
// it has ended.
func (a *API) Stop() error {
	if l := a.latest(); l.active() {
		l.cancel()
	}
	return nil
}

// Close closes the window. While a run is active it does so only with stop,
// which ends the run first; without, the page is asked by [EventClose].
func (a *API) Close(stop bool) error {
	if stop {
		a.mu.Lock()
		a.mayClose = true
		a.mu.Unlock()
		_ = a.Stop()
	}
	a.face.Quit()
	return nil
}

func (a *API) latest() *live {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.current
}

// active reports whether anything of the run is left. No run is not active.
func (l *live) active() bool {
	if l == nil {
		return false
	}
	select {
	case <-l.done:
		return false
	default:
		return true
	}
}

// mustAsk reports whether closing now would end a run that nobody agreed to
// end.
func (a *API) mustAsk() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.current.active() && !a.mayClose
}

// shutdown ends the runs and closes the engine. It returns when both are done
// or ctx is, with ctx's error.
func (a *API) shutdown(ctx context.Context) error {
	a.end()
	closed := make(chan error, 1)
	go func() { // ends with the run and the engine's own deadlines
		if l := a.latest(); l != nil {
			<-l.done
		}
		if a.engine == nil {
			closed <- nil
			return
		}
		closed <- a.engine.Close()
	}()
	select {
	case err := <-closed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
