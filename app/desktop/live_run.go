package desktop

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"errand/app/agent/transcript"
	"errand/app/desktop/view"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/runs"
	"errand/host/trace"
	"errand/planner/plan"
)

// Limits on the events of an active run.
const (
	sendEvery = 50 * time.Millisecond // 20 events a second
	sendSteps = 500                   // in one event; the others come with the next
)

// liveRun is an active run: its view, and the functions that it calls after a change.
type liveRun struct {
	// fixed before the run starts
	lastPlan view.Plan       // the plan that the user saw last
	recipe   *view.RecipeAsk // the recipe of the run; nil: none
	emit     func(view.RunEvent)
	waits    func(view.Run) // called when a page waits for the user; may be nil
	cancel   context.CancelFunc
	started  chan struct{} // closed when the view has its id
	done     chan struct{} // closed when the run has ended
	finished chan struct{} // closed when everything after its end is done too
	earlier  bool          // the run already has a record: that of a draft

	maxTokens int              // of a run of a language model, for the view
	classify  func(*view.Plan) // sets the kinds of effects of its calls

	mu        sync.Mutex // guards the fields below and orders the events
	view      view.Run   // with all steps
	at        map[string]int
	err       error        // of a program that could not run at all
	changed   map[int]bool // steps with changes that the page does not know
	network   bool         // the same for connections
	openWaits []pageWait   // pages that wait for the user, the longest first
	// conversation is that of a run that a language model plans; nil: none does.
	conversation *transcript.Conversation
	later        *time.Timer // sends the changes; nil: nothing was sent for sendEvery
}

func newLive(text string, shown view.Plan, cancel context.CancelFunc, emit func(view.RunEvent)) *liveRun {
	return &liveRun{
		lastPlan: shown, emit: emit, cancel: cancel, started: make(chan struct{}), done: make(chan struct{}), finished: make(chan struct{}), changed: map[int]bool{},
		view: view.Run{
			Text: text, Status: string(trace.Running), StartedAt: time.Now().UnixMilli(), Processes: -1,
			Connections: view.Connections{Hosts: []view.Host{}},
		},
	}
}

// active reports whether the run or one of its processes still runs. It returns false for nil.
func (l *liveRun) active() bool {
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

// stop interrupts the run if it is active.
func (l *liveRun) stop() {
	if !l.active() {
		return
	}
	l.mu.Lock()
	l.view.Stopping = true
	l.mu.Unlock()
	l.cancel()
}

// execute executes the run and returns when all of it has ended. left counts the run's processes
// that are then still alive.
func (l *liveRun) execute(ctx context.Context, do work, countWaiting func(runID string) int) {
	defer close(l.done)
	defer l.cancel()
	report, err := do(ctx)
	l.finish(report, err, countWaiting)
}

// approve answers approval requests. It approves only the plan that was shown, with the
// number of deletions that the user confirmed.
func (l *liveRun) approve(d drafts.View, ask view.RunAsk) (drafts.Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.OwnDigest != ask.Approved || l.view.Plan.Digest != ask.Approved {
		return drafts.Answer{}, errPlanChanged
	}
	return drafts.Answer{Yes: true, Confirm: ask.Confirm, Confirmed: ask.Confirmed}, nil
}

// progress handles an event of the engine.
func (l *liveRun) progress(p runs.Progress) {
	if v := l.applyProgress(p); v != nil && l.waits != nil {
		l.waits(*v)
	}
}

// applyProgress adds a progress event to the view. It returns the run if it now waits for the user,
// else nil.
func (l *liveRun) applyProgress(p runs.Progress) (called *view.Run) {
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

func (l *liveRun) setPlan(id string, made planning.Planned) {
	l.view.Text = wordsOf(l.recipe, l.view.Text, made.Result)
	p, err := plannedView(l.view.Text, made.Interpretation, made.Result)
	if err != nil {
		l.view.Error = view.FailureOf(err)
	}
	p.Adopt(l.lastPlan)
	p.Recipe = withoutSecrets(l.recipe, made.Result)
	l.begin(id, p)
}

// begin sets the id and the plan of the view. The caller holds l.mu.
func (l *liveRun) begin(id string, p view.Plan) {
	first := l.view.RunID == ""
	l.view.RunID, l.view.Plan, l.at = id, p, p.StepIndexes()
	l.view.Counts = view.CountSteps(p.Steps)
	l.send(view.RunEvent{Run: l.snapshot()})
	if first {
		close(l.started)
	}
}

// step changes a step; change reports whether it did.
func (l *liveRun) step(id string, change func(*view.Step) bool) {
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
func (l *liveRun) send(e view.RunEvent) {
	l.view.Seq++
	e.RunID, e.Seq = l.view.RunID, l.view.Seq
	if e.Steps == nil {
		e.Steps = []view.Step{}
	}
	if e.Run != nil {
		e.Run.Seq = e.Seq
	}
	l.emit(e)
}

// flush sends the changes: at once if nothing was sent in the last 50 ms, else after that time.
// The caller holds l.mu.
func (l *liveRun) flush() {
	if l.later != nil || len(l.changed) == 0 && !l.network {
		return
	}
	l.sendChanges()
	l.later = time.AfterFunc(sendEvery, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.later == nil {
			return // finish has already sent everything
		}
		l.later = nil
		l.flush()
	})
}

func (l *liveRun) sendChanges() {
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
func (l *liveRun) finish(report runs.Report, err error, countWaiting func(runID string) int) {
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
func (l *liveRun) snapshot() *view.Run {
	v := l.view
	v.Plan = v.Plan.FirstPage()
	v.Connections.Hosts = slices.Clone(v.Connections.Hosts)
	return &v
}

// look returns the present state of the run.
func (l *liveRun) look() (view.Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *l.snapshot(), l.err
}

// steps returns a range of the run's steps in their present state.
func (l *liveRun) steps(from, limit int) view.StepsPage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return view.SliceSteps(l.view, from, limit)
}

// plannedView returns the view of a new plan.
func plannedView(text string, in planning.Interpretation, result *plan.Result) (view.Plan, error) {
	interpretation, err := json.Marshal(in)
	if err != nil {
		return view.Plan{}, err
	}
	var doc []byte
	if result != nil {
		if doc, err = json.Marshal(result); err != nil {
			return view.Plan{}, err
		}
	}
	v, err := view.NewPlan(text, interpretation, doc)
	if err != nil || result == nil {
		return v, err
	}
	if p, ok := result.Plan(); ok {
		v.Digest = p.Digest()
	}
	return v, nil
}
