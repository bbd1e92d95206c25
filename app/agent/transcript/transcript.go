// Package transcript shows the run of a language model as a conversation: what the model said, the
// calls that it made, the requests that failed, and what all of it used.
package transcript

import (
	"slices"

	"errand/app/agent"
	"errand/app/answers"
	"errand/app/setting"
	host "errand/host/agent"
	"errand/host/llm"
	"errand/host/run"
	"errand/host/trace"
	"errand/planner/plan"
)

// Conversation is the conversation of one run.
type Conversation struct {
	Turns []Turn
	// Actions are the calls of all turns, in their order. Their previews say what they are about.
	Actions []plan.Action
	Use     trace.ModelUse
	Limits  run.Limits
	// ContinueDenied says that the model reads about a rejected call and goes on.
	ContinueDenied bool
}

// Turn is one answer of a model, or the requests for it that failed.
type Turn struct {
	Number          int // from 1
	Provider, Model string
	Text            string
	TokensIn        int
	TokensOut       int
	Calls           []string          // the ids of its actions
	Failed          []trace.ModelNote // requests for it that were not answered
	Answered        bool
}

// Of returns the conversation of a recorded run. It returns false for other runs.
func Of(rec trace.Record) (*Conversation, bool) {
	recorded, err := setting.Read(rec.Setting)
	if err != nil || recorded.Run.Task == nil || recorded.Run.Task.Kind != agent.Kind {
		return nil, false
	}
	c := &Conversation{Limits: recorded.Run.Task.Limits, ContinueDenied: recorded.Run.Task.ContinueDenied}
	for _, t := range rec.Turns {
		c.AddTurn(t)
	}
	for _, e := range rec.Events {
		if n, ok := trace.ModelNoteOf(e); ok {
			c.AddRequest(n)
		}
	}
	return c, true
}

// AddTurn adds an entry of the record, if it is an answer of the model, and returns the actions of its
// calls.
func (c *Conversation) AddTurn(t trace.Turn) []plan.Action {
	bodies, err := host.ReadTurns([]trace.Turn{t})
	if err != nil || len(bodies) == 0 {
		return nil // the record's reader reports what is damaged
	}
	b := bodies[0]
	turn := c.turn(t.Number)
	if turn.Answered {
		return nil
	}
	turn.Provider, turn.Model, turn.Text, turn.Answered = b.Provider, b.Model, b.Text, true
	turn.TokensIn, turn.TokensOut = b.TokensIn, b.TokensOut
	var added []plan.Action
	for _, call := range b.Turn().Calls {
		turn.Calls = append(turn.Calls, call.ID)
		added = append(added, actionOf(call))
	}
	c.Actions = append(c.Actions, added...)
	return added
}

// actionOf returns the action of a call. Policy and the tools judge it when it is made.
func actionOf(call llm.Call) plan.Action {
	a := plan.Action{ActionID: call.ID, Tool: call.Name, Args: call.Args, DependsOn: []string{}}
	if a.Args == nil {
		a.Args = map[string]any{}
	}
	a.Preview = answers.SummarizeBriefly(a.Tool, a.Args)
	return a
}

// SetPartial sets the text of an answer that still comes.
func (c *Conversation) SetPartial(number int, text string) {
	if turn := c.turn(number); !turn.Answered {
		turn.Text = text
	}
}

// AddRequest counts a request to a model.
func (c *Conversation) AddRequest(n trace.ModelNote) {
	c.Use.Add(n)
	if !n.IsAnswered() {
		turn := c.turn(n.Turn)
		turn.Failed = append(turn.Failed, n)
		if !turn.Answered {
			turn.Text = "" // its answer did not end
		}
	}
}

// CanContinue reports whether a run of a language model can go on: it was stopped, no provider answered,
// or the model is to read that its calls were rejected. Limits count for the whole run.
func (c *Conversation) CanContinue(status trace.Status, why trace.StopReason) bool {
	if c == nil {
		return false
	}
	switch status {
	case trace.Interrupted:
		return true
	case trace.Failed:
		return why == trace.StopError
	case trace.Cancelled:
		return c.ContinueDenied
	}
	return false
}

// turn returns the turn with a number. Turns stay in the order of their numbers.
func (c *Conversation) turn(number int) *Turn {
	i, found := slices.BinarySearchFunc(c.Turns, number, func(t Turn, n int) int { return t.Number - n })
	if !found {
		c.Turns = slices.Insert(c.Turns, i, Turn{Number: number})
	}
	return &c.Turns[i]
}
