package desktop

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"errand/app/core"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// connectionsEvery bounds how often a run's connections are sent to the page.
const connectionsEvery = 50 * time.Millisecond

// live is one run under way: the view that is its truth, and who hears of it.
type live struct {
	// fixed at creation
	shown    Plan   // what the person saw last
	approved string // digest that the person approved; "" for none
	counted  bool   // the person approves it again, after its count was shown
	emit     func(RunEvent)
	cancel   context.CancelFunc
	started  chan struct{} // closed when the view has its id
	done     chan struct{} // closed when nothing of the run is left

	mu    sync.Mutex // guards what follows and orders the events
	view  Run
	err   error       // of a program that could not run at all
	bulk  bool        // it waits for a second confirmation, with the count
	later *time.Timer // the connections that were not sent yet
}

func newLive(text string, shown Plan, approved string, cancel context.CancelFunc, emit func(RunEvent)) *live {
	return &live{
		shown: shown, approved: approved, emit: emit, cancel: cancel,
		started: make(chan struct{}), done: make(chan struct{}),
		view: Run{
			Text: text, Status: string(trace.Running), StartedAt: time.Now().UnixMilli(),
			Connections: Connections{Hosts: []Host{}},
		},
	}
}

// run carries the goal out and returns when all of it has ended.
func (l *live) run(ctx context.Context, engine Engine) {
	defer close(l.done)
	defer l.cancel()
	request := core.RunRequest{Text: l.view.Text, Progress: l.progress}
	if l.approved != "" { // without a yes nobody can be asked: the run then waits for one
		request.Approve = l.approve
	}
	report, err := engine.Run(ctx, request)
	l.finish(report, err)
}

// approve answers for the person: yes only to the very plan that was shown. So
// many things at once that their number has to be confirmed are approved twice.
func (l *live) approve(_ context.Context, d core.DraftView) (core.Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d.PlanDigest != l.approved || l.view.Plan.Digest != l.approved {
		return core.Answer{}, tool.Errorf(tool.PolicyDenied, "plan_changed", "the plan is no longer the one that was approved").
			WithHint("look at the new plan and approve it")
	}
	answer := core.Answer{Yes: true}
	if l.counted {
		answer.Confirm = d.Confirm
	}
	return answer, nil
}

// progress takes in what the engine tells.
func (l *live) progress(p core.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch data := p.Data.(type) {
	case core.Planned:
		l.begin(p.RunID, data)
	case core.StepEvent:
		l.step(data.ActionID, func(s *Step) {
			if data.Step != nil {
				s.settle(*data.Step)
				return
			}
			if p.Kind == "step_started" || s.Status != string(trace.Running) {
				s.Status, s.StartedAt = string(trace.Running), time.Now().UnixMilli()
			}
		})
	case map[string]any:
		if p.Kind == "connection" {
			l.view.Connections.add(data)
			l.sendLater()
		}
	}
}

func (l *live) begin(id string, planned core.Planned) {
	p, err := plannedView(l.view.Text, planned.Interpretation, planned.Result)
	if err != nil {
		l.view.Error = failureOf(err)
	}
	p.adopt(l.shown)
	l.view.RunID, l.view.Plan = id, p
	l.send(RunEvent{Run: l.snapshot()})
	close(l.started)
}

func (l *live) step(id string, change func(*Step)) {
	s := l.view.Plan.step(id)
	if s == nil {
		return
	}
	change(s)
	sent := *s
	l.send(RunEvent{Steps: []Step{sent}})
}

// send numbers an event and gives it away. The caller holds l.mu.
func (l *live) send(e RunEvent) {
	l.view.Seq++
	e.RunID, e.Seq = l.view.RunID, l.view.Seq
	if e.Steps == nil {
		e.Steps = []Step{}
	}
	if e.Run != nil {
		e.Run.Seq = e.Seq
	}
	l.emit(e)
}

// sendLater gathers connections, which come in bursts. The caller holds l.mu.
func (l *live) sendLater() {
	if l.later != nil {
		return
	}
	l.later = time.AfterFunc(connectionsEvery, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.later == nil {
			return // the run's end came first and said it all
		}
		l.later = nil
		sent := l.view.Connections
		sent.Hosts = slices.Clone(sent.Hosts)
		l.send(RunEvent{Connections: &sent})
	})
}

// finish is the last event of a run: it holds the whole.
func (l *live) finish(report core.Report, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.later != nil {
		l.later.Stop()
		l.later = nil
	}
	l.err = err
	v := &l.view
	v.DurationMS = time.Now().UnixMilli() - v.StartedAt
	v.Status, v.Answer = string(report.Status), report.Answer
	if e := failure(report.Error); e != nil {
		v.Error = e
	}
	l.bulk = report.Error != nil && report.Error.Code == core.CodeConfirm
	if err != nil {
		v.Status, v.Error = string(trace.Failed), failureOf(err)
	}
	v.Plan.judge(report.Verdicts)
	for _, t := range report.Steps {
		if s := v.Plan.step(t.StepID); s != nil {
			s.settle(t)
		}
	}
	v.Plan.Gate = v.Plan.gate()
	if v.RunID != "" {
		l.send(RunEvent{Run: l.snapshot()})
	}
}

// snapshot is a copy that shares nothing which still changes. The caller holds
// l.mu.
func (l *live) snapshot() *Run {
	v := l.view
	v.Plan.Steps = slices.Clone(v.Plan.Steps)
	v.Connections.Hosts = slices.Clone(v.Connections.Hosts)
	return &v
}

// confirms reports whether an approval of a plan is the second one of it: the
// run before was told how many things it changes.
func (l *live) confirms(approved string) bool {
	if l == nil || approved == "" {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bulk && l.approved == approved
}

// look is the run as it stands.
func (l *live) look() (Run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return *l.snapshot(), l.err
}

// plannedView is the view of a plan that was just made.
func plannedView(text string, in core.Interpretation, result *plan.Result) (Plan, error) {
	interpretation, err := json.Marshal(in)
	if err != nil {
		return Plan{}, err
	}
	var doc []byte
	if result != nil {
		if doc, err = json.Marshal(result); err != nil {
			return Plan{}, err
		}
	}
	v, err := planView(text, interpretation, doc)
	if err != nil || result == nil {
		return v, err
	}
	if p, ok := result.Plan(); ok {
		v.Digest = p.Digest()
	}
	return v, nil
}
