package external

import (
	"context"
	"sync"

	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// callQueue is the planner of a session's run: its answers are the calls of the client, one at a time in
// the order in which they arrive.
type callQueue struct {
	calls   chan *pending
	closing chan struct{} // closed when the session ends
	ended   chan struct{} // closed when the run has ended
	clean   func(any) any // removes the run's secrets; set before the first call

	mu      sync.Mutex
	current *pending    // the call under way; nil: none
	failure *tool.Error // why the run ended, if the client did not end it
	runID   string
}

// pending is a call of the client that has no result yet.
type pending struct {
	ctx      context.Context
	action   plan.Action
	progress func(run.Event) // may be nil
	result   chan outcome    // has room for one
}

// outcome is the result of a call, and the rule by which policy decided about it.
type outcome struct {
	run.ToolResult
	rule string
}

func newCallQueue() *callQueue {
	return &callQueue{calls: make(chan *pending), closing: make(chan struct{}), ended: make(chan struct{})}
}

// Plan implements [run.Planner].
func (q *callQueue) Plan(ctx context.Context, rc *run.RunContext) (run.AssistantAction, error) {
	q.mu.Lock()
	q.runID = rc.RunID
	q.mu.Unlock()
	for _, r := range rc.Results {
		o := outcome{ToolResult: r}
		if n := len(rc.Steps); n > 0 && rc.Steps[n-1].StepID == r.ActionID {
			o.rule = rc.Steps[n-1].Rule
		}
		q.deliver(o)
	}
	for {
		select {
		case p := <-q.calls:
			if p.ctx.Err() != nil { // it was cancelled while it waited
				continue
			}
			q.mu.Lock()
			q.current = p
			q.mu.Unlock()
			return run.ToolCalls(p.action), nil
		case <-q.closing:
			return run.Respond(""), nil
		case <-ctx.Done():
			return run.AssistantAction{}, ctx.Err()
		}
	}
}

// CallContext implements [callscope.Planner]: a call ends with the request of the client.
func (q *callQueue) CallContext(ctx context.Context, id string) (context.Context, context.CancelFunc) {
	p := q.find(id)
	if p == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(p.ctx, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

// find returns the call under way, if it has this id.
func (q *callQueue) find(id string) *pending {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.current != nil && q.current.action.ActionID == id {
		return q.current
	}
	return nil
}

// deliver hands the client the result of the call under way.
func (q *callQueue) deliver(o outcome) {
	if p := q.find(o.ActionID); p != nil {
		q.mu.Lock()
		q.current = nil
		q.mu.Unlock()
		o.Payload = q.clean(o.Payload)
		p.result <- o
	}
}

// hear tells the client of the progress of its call.
func (q *callQueue) hear(e run.Event) {
	if p := q.find(e.ActionID); p != nil && p.progress != nil {
		p.progress(e)
	}
}

// end reports that the run has ended. A call that was under way gets its recorded step as result.
func (q *callQueue) end(ctx context.Context, steps []trace.Step, failure *tool.Error) {
	if len(steps) > 0 {
		last := steps[len(steps)-1]
		q.deliver(outcome{run.ResultOf(ctx, last), last.Rule})
	}
	q.mu.Lock()
	q.failure = failure
	q.mu.Unlock()
	close(q.ended)
}

// submit hands a call to the run and waits for its result. ok is false if the run ended without one,
// or if the request was cancelled before the call began.
func (q *callQueue) submit(p *pending) (o outcome, ok bool) {
	select {
	case q.calls <- p:
	case <-q.ended:
		return o, false
	case <-p.ctx.Done():
		return o, false
	}
	select {
	case o = <-p.result: // a cancelled call ends soon, and its step says how
		return o, true
	case <-q.ended:
	}
	select {
	case o = <-p.result:
		return o, true
	default:
		return o, false
	}
}

// run returns the id of the run.
func (q *callQueue) run() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.runID
}

// isIdle reports whether no call is under way.
func (q *callQueue) isIdle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.current == nil
}

// explain returns why a call has no result.
func (q *callQueue) explain(ctx context.Context) *tool.Error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return tool.NewError(tool.ExecutionError, "interrupted", message.New("external.cancelled"))
	case q.failure != nil:
		return q.failure
	}
	return tool.NewError(tool.ToolUnavailable, CodeSessionEnded, message.New("external.session_closed"))
}
