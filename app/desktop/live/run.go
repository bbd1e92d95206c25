// Package live keeps the view of the active run, and tells the page what changes in it.
package live

import (
	"context"
	"slices"
	"sync"
	"time"

	"errand/app/agent/transcript"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Limits on the events of an active run.
const (
	SendEvery = 50 * time.Millisecond // 20 events a second
	sendSteps = 500                   // in one event; the others come with the next
)

// Options are fixed before the run starts.
type Options struct {
	Text     string
	LastPlan view.Plan           // the plan that the user saw last
	After    int                 // the number of the last event before it
	Emit     func(view.RunEvent) // tells the page of a change
	Waits    func(view.Run)      // called when a page waits for the user; may be nil
	Classify func(*view.Plan)    // sets the kinds of effects of the calls of a language model
	Cancel   context.CancelFunc
}

// Run is an active run: its view, and the events about its changes.
type Run struct {
	Options
	Recipe    *view.RecipeAsk // the recipe of the run, set before it starts; nil: none
	MaxTokens int             // of a run of a language model, set before it starts, for the view

	started  chan struct{} // closed when the view has its id
	done     chan struct{} // closed when the run has ended
	finished chan struct{} // closed when everything after its end is done too

	mu        sync.Mutex // guards the fields below and orders the events
	earlier   bool       // the run already has a record: that of a draft
	view      view.Run   // with all steps
	at        map[string]int
	err       error        // of a program that could not run at all
	changed   map[int]bool // steps with changes that the page does not know
	network   bool         // the same for connections
	openWaits []pageWait   // pages that wait for the user, the longest first
	// conversation is that of a run that a language model plans; nil: none does.
	conversation *transcript.Conversation
	later        *time.Timer // sends the changes; nil: nothing was sent for SendEvery
}

// New returns a run that has not started.
func New(o Options) *Run {
	return &Run{
		Options: o, started: make(chan struct{}), done: make(chan struct{}), finished: make(chan struct{}), changed: map[int]bool{},
		view: view.Run{
			Text: o.Text, Status: string(trace.Running), StartedAt: time.Now().UnixMilli(), Processes: -1, Seq: o.After,
			Connections: view.Connections{Hosts: []view.Host{}},
		},
	}
}

// Active reports whether the run or one of its processes still runs. It returns false for nil.
func (l *Run) Active() bool {
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

// Stop interrupts the run if it is active.
func (l *Run) Stop() {
	if !l.Active() {
		return
	}
	l.mu.Lock()
	l.view.Stopping = true
	l.mu.Unlock()
	l.Cancel()
}

// Discard ends a run that can't start.
func (l *Run) Discard() {
	l.Cancel()
	close(l.done)
	close(l.finished)
}

// Execute executes the run and calls after when all of it has ended. countWaiting counts the run's processes
// that are then still alive.
func (l *Run) Execute(ctx context.Context, do Work, countWaiting func(runID string) int, after func()) {
	defer close(l.finished)
	l.execute(ctx, do, countWaiting)
	after()
}

func (l *Run) execute(ctx context.Context, do Work, countWaiting func(runID string) int) {
	defer close(l.done)
	defer l.Cancel()
	report, err := do(ctx)
	l.finish(report, err, countWaiting)
}

// WaitStarted waits until the run has its id, or has ended.
func (l *Run) WaitStarted() {
	select {
	case <-l.started:
	case <-l.done:
	}
}

// Done is closed when the run has ended.
func (l *Run) Done() <-chan struct{} { return l.done }

// Finished is closed when everything after the run's end is done too.
func (l *Run) Finished() <-chan struct{} { return l.finished }

// HasRecord reports whether the run has a record from before: that of a draft.
func (l *Run) HasRecord() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.earlier
}

// BeginDraft begins to show the run of a draft, with its plan.
func (l *Run) BeginDraft(runID, draftID string, p view.Plan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.earlier = true
	l.view.DraftID = draftID
	l.begin(runID, p)
}

// Approve answers approval requests. It approves only the plan that was shown, with the
// number of deletions that the user confirmed.
func (l *Run) Approve(d drafts.View, ask view.RunAsk) (drafts.Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.OwnDigest != ask.Approved || l.view.Plan.Digest != ask.Approved {
		return drafts.Answer{}, ErrPlanChanged
	}
	return drafts.Answer{Yes: true, Confirm: ask.Confirm, Confirmed: ask.Confirmed}, nil
}

// Progress handles an event of the engine.
func (l *Run) Progress(p runs.Progress) {
	if v := l.applyProgress(p); v != nil && l.Waits != nil {
		l.Waits(*v)
	}
}

// applyProgress adds a progress event to the view. It returns the run if it now waits for the user,
// else nil.
func (l *Run) applyProgress(p runs.Progress) (called *view.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e := p.Event.(type) {
	case runs.PlanEvent:
		l.setPlan(p.RunID, e.Planned)
	case runs.TaskEvent:
		l.beginTask(p.RunID, e)
	case runs.PartialEvent:
		l.setPartial(e)
	case runs.TurnEvent:
		l.addTurn(e.Turn)
	case runs.StepEvent:
		l.step(e.ActionID, func(s *view.Step) bool {
			switch {
			case e.Step != nil:
				l.setOutcome(s, *e.Step)
			case s.Status == string(trace.Running):
				return false // a heartbeat
			default:
				s.Status, s.StartedAt = string(trace.Running), time.Now().UnixMilli()
			}
			return true
		})
	case runs.NoteEvent:
		switch n := e.Note.(type) {
		case trace.ModelNote:
			l.addRequest(n)
		case trace.ConnectionNote:
			if n.Wire {
				break
			}
			l.view.Connections.Add(n)
			l.network = true
			l.flush()
		case trace.PageNote:
			return l.updateWaits(n)
		}
	}
	return nil
}

func (l *Run) setPlan(id string, made planning.Planned) {
	l.view.Text = WordsOf(l.Recipe, l.view.Text, made.Result)
	p, err := NewPlan(l.view.Text, made.Interpretation, made.Result)
	if err != nil {
		l.view.Error = view.FailureOf(err)
	}
	p.Adopt(l.LastPlan)
	p.Recipe = WithoutSecrets(l.Recipe, made.Result)
	l.begin(id, p)
}

// begin sets the id and the plan of the view. The caller holds l.mu.
func (l *Run) begin(id string, p view.Plan) {
	first := l.view.RunID == ""
	l.view.RunID, l.view.Plan, l.at = id, p, p.StepIndexes()
	l.view.Counts = view.CountSteps(p.Steps)
	l.send(view.RunEvent{Run: l.snapshot()})
	if first {
		close(l.started)
	}
}

// step changes a step; change reports whether it did.
func (l *Run) step(id string, change func(*view.Step) bool) {
	i, known := l.at[id]
	if !known {
		return
	}
	s := &l.view.Plan.Steps[i]
	before := s.Status
	if !change(s) {
		return
	}
	l.view.Counts.Move(before, s.Status)
	l.changed[i] = true
	l.flush()
}

// send numbers an event and sends it. The caller holds l.mu.
func (l *Run) send(e view.RunEvent) {
	l.view.Seq++
	e.RunID, e.Seq = l.view.RunID, l.view.Seq
	if e.Steps == nil {
		e.Steps = []view.Step{}
	}
	if e.Run != nil {
		e.Run.Seq = e.Seq
	}
	l.Emit(e)
}

// flush sends the changes: at once if nothing was sent in the last 50 ms, else after that time.
// The caller holds l.mu.
func (l *Run) flush() {
	if l.later != nil || len(l.changed) == 0 && !l.network {
		return
	}
	l.sendChanges()
	l.later = time.AfterFunc(SendEvery, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.later == nil {
			return // finish has already sent everything
		}
		l.later = nil
		l.flush()
	})
}

func (l *Run) sendChanges() {
	var e view.RunEvent
	if len(l.changed) > 0 {
		places := make([]int, 0, len(l.changed))
		for i := range l.changed {
			places = append(places, i)
		}
		slices.Sort(places)
		for _, i := range places[:min(len(places), sendSteps)] {
			e.Steps = append(e.Steps, l.view.Plan.Steps[i])
			delete(l.changed, i)
		}
		counts := l.view.Counts
		e.Counts = &counts
	}
	if l.network {
		sent := l.view.Connections
		sent.Hosts = slices.Clone(sent.Hosts)
		e.Connections, l.network = &sent, false
	}
	l.send(e)
}

// finish sends the last event of a run, which contains the whole run.
func (l *Run) finish(report runs.Report, err error, countWaiting func(runID string) int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.later != nil {
		l.later.Stop()
		l.later = nil
	}
	l.err = err
	v := &l.view
	l.openWaits, v.Waits = nil, nil
	v.DurationMS, v.Stopping = time.Now().UnixMilli()-v.StartedAt, false
	v.Status, v.Answer, v.DraftID = string(report.Status), report.Answer, report.DraftID
	v.Error = view.NewFailure(report.Error)
	if err != nil {
		v.Status, v.Error = string(trace.Failed), view.FailureOf(err)
	}
	v.Plan.ApplyVerdicts(report.Verdicts)
	for _, t := range report.Steps {
		if i, known := l.at[t.StepID]; known {
			l.setOutcome(&v.Plan.Steps[i], t)
		}
		v.CanUndo = v.CanUndo || t.Undo != nil && t.Status == trace.Done
	}
	l.finishAgent(report)
	v.Files += filesOf(report.Steps)
	if v.RunID != "" {
		v.Processes = countWaiting(v.RunID)
	}
	v.Counts = view.CountSteps(v.Plan.Steps)
	v.Plan.Gate = v.Plan.DecideGate()
	if v.RunID != "" {
		l.send(view.RunEvent{Run: l.snapshot()})
	}
}

// snapshot returns a copy for the page that shares no memory with l. The caller holds l.mu.
func (l *Run) snapshot() *view.Run {
	v := l.view
	v.Plan = v.Plan.FirstPage()
	v.Connections.Hosts = slices.Clone(v.Connections.Hosts)
	return &v
}

// Look returns the present state of the run.
func (l *Run) Look() (view.Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *l.snapshot(), l.err
}

// Steps returns a range of the run's steps in their present state.
func (l *Run) Steps(from, limit int) view.StepsPage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return view.SliceSteps(l.view, from, limit)
}

// IsCurrent reports whether the view of the newest run has its state. A draft that waits may have been
// rejected since: the record knows.
func (l *Run) IsCurrent(v view.Run) bool {
	return l.Active() || v.Status != string(trace.NeedsApproval)
}

// Work executes a live run until its end.
type Work func(ctx context.Context) (runs.Report, error)

// ErrPlanChanged is the error for an approval of another plan than the one that was shown.
var ErrPlanChanged = tool.NewError(tool.PolicyDenied, "plan_changed", message.New("window.plan_changed")).
	WithHint(message.New("window.plan_changed_hint"))
