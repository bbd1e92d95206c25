package external

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// closeTimeout is how long the end of a session waits for the end of its run.
const closeTimeout = 8 * time.Second

// Call is a call of a tool.
type Call struct {
	Tool     string
	Args     map[string]any
	Progress func(run.Event) // hears of the call while it is under way; nil: nothing
}

// Result is what became of a call.
type Result struct {
	run.ToolResult
	RunID string       // of the record
	Draft *drafts.View // that waits for the user; nil: none
}

// Session is the connection of one client. Its calls are made one after another.
type Session struct {
	agents *Agents
	id     string
	client string

	proposing sync.Mutex // held while a call becomes a draft

	mu      sync.Mutex
	queue   *callQueue // of the run; nil: none is under way
	calls   int
	drafts  map[string]draftCall // by tool and arguments
	follows []string             // runs whose readings count as those of the session, besides its own
	closed  bool
	ended   sync.WaitGroup
}

// draftCall is a call that became a draft.
type draftCall struct{ draftID, runID, actionID string }

// Open begins the session of a client, by the name that it gives itself. The caller closes it.
func (a *Agents) Open(client string) *Session {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.opens++
	return &Session{agents: a, id: strconv.Itoa(a.opens), client: clientName(client), drafts: map[string]draftCall{}}
}

// Close ends the session and its run. A call under way is interrupted.
func (s *Session) Close() {
	s.mu.Lock()
	f := s.queue
	if !s.closed && f != nil {
		close(f.closing)
	}
	s.closed = true
	s.mu.Unlock()
	s.ended.Wait()
}

// Clean removes secrets from a JSON value.
func (s *Session) Clean(v any) any {
	s.mu.Lock()
	f := s.queue
	s.mu.Unlock()
	if f != nil && f.clean != nil {
		v = f.clean(v)
	}
	return s.agents.o.Clean(v)
}

// Call makes a call. If it needs approval, the result has the draft that waits for the user; after
// the approval, the same call has the result of the draft.
func (s *Session) Call(ctx context.Context, c Call) Result {
	set, err := s.agents.o.Tools(ctx)
	if err != nil {
		return failed(tool.AsError(err))
	}
	t, known := set.Get(c.Tool)
	if !known {
		return failed(set.Unknown(tool.ValidationError, c.Tool))
	}
	key := c.Tool + "\x00" + tool.HashArgs(c.Args)
	if r, found := s.recall(ctx, key); found {
		return r
	}
	s.mu.Lock()
	s.calls++
	a := plan.Action{ActionID: "c" + strconv.Itoa(s.calls), Tool: c.Tool, Args: c.Args}
	follows := slices.Clone(s.follows)
	s.mu.Unlock()
	if len(follows) > 0 && t.Spec().SideEffectClass != tool.Read { // it has read text of others in another run
		return s.propose(ctx, key, a, set, follows)
	}
	f, fault := s.begin()
	if fault != nil {
		return failed(fault)
	}
	p := &pending{ctx: ctx, action: a, progress: c.Progress, result: make(chan outcome, 1)}
	o, ok := f.submit(p)
	if !ok {
		return failed(f.explain(ctx))
	}
	r := Result{ToolResult: o.ToolResult, RunID: f.run()}
	switch {
	case o.Status != trace.NeedsApproval:
		return r
	case o.rule == policy.RuleUnlisted:
		e := *o.Error
		e.Code = CodeHostNotAllowed
		return r.denied(&e)
	case t.Spec().PageUse(c.Args).NeedsPage():
		e := *o.Error
		e.Code, e.Hint = CodeNeedsPage, message.New("external.needs_page_hint")
		return r.denied(&e)
	}
	return s.propose(ctx, key, a, set, append(follows, f.run()))
}

// begin returns the queue of the session's run, which it starts if none is under way.
func (s *Session) begin() (*callQueue, *tool.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, tool.NewError(tool.ToolUnavailable, CodeSessionEnded, message.New("external.session_closed"))
	}
	if s.queue != nil {
		return s.queue, nil
	}
	state, err := json.Marshal(taskState{s.id, s.client})
	if err != nil {
		return nil, tool.AsError(err)
	}
	f := newCallQueue()
	s.queue = f
	s.agents.mu.Lock()
	s.agents.queues[s.id] = f
	s.agents.mu.Unlock()
	s.ended.Go(func() { s.carryOut(f, state) })
	return f, nil
}

// carryOut runs the session's run until the session ends, or an error ends the run.
func (s *Session) carryOut(f *callQueue, state json.RawMessage) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // ends with the run: a call under way is interrupted when the session ends
		select {
		case <-f.closing:
			if f.isIdle() {
				return
			}
			cancel()
		case <-f.ended:
		}
	}()
	report, err := s.agents.o.Start(ctx, runs.Request{
		Origin: plan.MCP, Words: s.client, Task: &runs.Task{Kind: Kind, State: state, ContinueDenied: true, ContinuePending: true},
		Progress: func(p runs.Progress) {
			if e, ok := p.Event.(runs.StepEvent); ok {
				f.hear(e.Event)
			}
		},
	})
	fault := report.Error
	if err != nil {
		fault = tool.AsError(err)
	}
	ended, stop := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer stop()
	f.end(ended, report.Steps, fault)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = nil
	if !s.closed && slices.ContainsFunc(report.Steps, func(step trace.Step) bool { return step.Untrusted != nil }) {
		s.follows = append(s.follows, report.RunID)
	}
	s.agents.mu.Lock()
	delete(s.agents.queues, s.id)
	s.agents.mu.Unlock()
}

// denied returns the result with an error in place of the need for an approval, which would not help.
func (r Result) denied(e *tool.Error) Result {
	r.Status, r.Error, r.ErrorCode = trace.Denied, e, e.Code
	return r
}

// failed returns the result of a call that was not made.
func failed(e *tool.Error) Result {
	status := trace.Failed
	if e.Class == tool.PolicyDenied {
		status = trace.Denied
	}
	return Result{ToolResult: run.ToolResult{Status: status, Error: e, ErrorCode: e.Code, Retriable: e.Retriable}}
}
