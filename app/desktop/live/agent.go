package live

import (
	"sync"

	"errand/app/agent/transcript"
	"errand/app/desktop/view"
	"errand/app/runs"
	"errand/host/trace"
	"errand/planner/message"
)

// agentView returns the view of a recorded conversation, with the outcomes of its calls. It returns false
// for runs that no language model plans.
func agentView(rec trace.Record, p *view.Plan) (*view.Agent, bool) {
	c, ok := transcript.Of(rec)
	if !ok {
		return nil, false
	}
	p.Steps = []view.Step{}
	p.AddCalls(c)
	at := p.StepIndexes()
	for _, t := range rec.Steps {
		if i, known := at[t.StepID]; known {
			p.Steps[i].SetCallOutcome(t)
		}
	}
	v := view.NewAgent(c, 0)
	v.StopReason, v.CanContinue = string(rec.StopReason), c.CanContinue(rec.Status, rec.StopReason)
	return v, true
}

// ContinueFrom returns a function that shows the run as it is recorded, once: what is added from then on
// belongs to the same conversation.
func (l *Run) ContinueFrom(rec trace.Record, maxTokens int) (begin func(), isAgent bool) {
	c, isAgent := transcript.Of(rec)
	v, err := OfRecord(rec)
	if err != nil || !isAgent {
		return func() {}, false
	}
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.earlier, l.conversation, l.MaxTokens = true, c, maxTokens
		v.Seq, v.Status, v.StartedAt, v.Error, v.Processes = l.view.Seq, string(trace.Running), l.view.StartedAt-v.DurationMS, nil, -1
		v.Answer = message.Message{}
		l.view = v
		l.view.RunID = "" // begin sets it
		l.view.Agent = l.agent()
		l.begin(rec.RunID, v.Plan)
	}), true
}

// isAgent reports whether a language model plans the run. The caller holds l.mu.
func (l *Run) isAgent() bool { return l.conversation != nil }

// agent returns the view of the conversation. The caller holds l.mu.
func (l *Run) agent() *view.Agent { return view.NewAgent(l.conversation, l.MaxTokens) }

// beginTask begins to show a conversation, unless it goes on. The caller holds l.mu.
func (l *Run) beginTask(id string, e runs.TaskEvent) {
	if l.isAgent() {
		return
	}
	l.conversation = &transcript.Conversation{Limits: e.Limits}
	l.view.Agent = l.agent()
	l.begin(id, view.Plan{
		Text: l.view.Text, Gate: view.GateRuns, Proof: view.Proof{Cuts: []view.Cut{}}, Hosts: []string{}, Steps: []view.Step{}, Questions: []view.Question{},
		Answers: []view.Answer{}, Nearest: []string{}, Risks: []view.Risk{}, Unmet: []string{}, Scopes: []view.Scope{}, Means: []message.Message{},
	})
}

// addTurn adds an answer of the model with its calls. The caller holds l.mu.
func (l *Run) addTurn(t trace.Turn) {
	if !l.isAgent() {
		return
	}
	l.conversation.AddTurn(t)
	l.view.Plan.AddCalls(l.conversation)
	l.Classify(&l.view.Plan)
	l.view.Agent, l.at, l.view.Counts = l.agent(), l.view.Plan.StepIndexes(), view.CountSteps(l.view.Plan.Steps)
	l.send(view.RunEvent{Run: l.snapshot()})
}

// setPartial shows the answer of the model as far as it has come. The caller holds l.mu.
func (l *Run) setPartial(e runs.PartialEvent) {
	if l.isAgent() {
		l.conversation.SetPartial(e.Number, e.Text)
		l.view.Agent = l.agent()
		l.send(view.RunEvent{Agent: l.view.Agent})
	}
}

// addRequest counts a request to a model. The caller holds l.mu.
func (l *Run) addRequest(n trace.ModelNote) {
	if !l.isAgent() {
		return
	}
	l.conversation.AddRequest(n)
	l.view.Agent = l.agent()
	l.send(view.RunEvent{Agent: l.view.Agent})
}

// setOutcome sets the outcome of a call. The caller holds l.mu.
func (l *Run) setOutcome(s *view.Step, t trace.Step) {
	if l.isAgent() {
		s.SetCallOutcome(t)
	} else {
		s.SetOutcome(t)
	}
}

// finishAgent says why the conversation ended. The caller holds l.mu.
func (l *Run) finishAgent(r runs.Report) {
	if l.isAgent() {
		l.view.Agent = l.agent()
		l.view.Agent.StopReason, l.view.Agent.CanContinue = string(r.StopReason), l.conversation.CanContinue(r.Status, r.StopReason)
	}
}
