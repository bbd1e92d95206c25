// Package agent lets a language model plan a run: it keeps the conversation and turns answers
// of the model into calls of tools.
package agent

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"errand/host/agent/reading"
	"errand/host/llm"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// Codes of errors.
const (
	CodeMalformed   = "malformed_args" // of a call whose arguments are not a JSON object
	CodeSecretLost  = "secret_lost"    // of a recorded call whose arguments had a secret
	CodeTokenBudget = "token_budget"   // the run used its tokens
)

// Options of a [Planner].
type Options struct {
	// Ask asks a model; turn is the number of the turn. Errors end the run.
	Ask       func(ctx context.Context, turn int, r llm.Request) (llm.Turn, error)
	Task      string      // what the user wants, in words
	Tools     []tool.Spec // that the model may call
	Known     []tool.Spec // all tools; policy denies the others, and the run should say so
	Folders   []string    // that tools may use, for the model to name
	Prompt    string      // the user's own words for the model, after those of the program
	MaxTokens int         // of the run, sent and received; 0: no limit
	// PlanActions is the most actions of a whole plan, which the model makes in its first answer. It then
	// sums up the results, and calls nothing more. 0: it calls tools turn by turn.
	PlanActions int
	// Say returns a message as the model reads it. Nil: it reads codes.
	Say func(message.Message) string
	// Clean removes the run's secrets from a JSON value before it is sent. Nil: nothing is removed.
	Clean func(any) any

	// Turns and Steps are what earlier attempts of the run recorded.
	Turns []trace.Turn
	Steps []trace.Step
	// AddTurn records an entry of the conversation, without secrets. Nil: nothing is recorded.
	AddTurn func(ctx context.Context, number int, role string, body any) error
	// RecordPrompts records what the model is sent, beside what it answers.
	RecordPrompts bool
	// Partial hears how far the text of the answer to a turn is, as far as no secret can begin in it. The
	// text is shorter than before, or another one, after another request has begun. Nil: nothing is
	// streamed.
	Partial func(turn int, text string)
}

// Planner implements [run.Planner]. It is for one attempt of a run and for one goroutine at a
// time. The ids of its calls, t<turn>.<number>, are unique in the run. A later attempt goes on
// with the recorded conversation: calls of its last turn that have no result are made again, with
// the same ids, before the model is asked.
type Planner struct {
	o        Options
	messages []llm.Message // nil before the first turn
	turn     int           // the last one
	tokens   int

	calls   []llm.Call            // of the last turn
	results map[string]llm.Result // of these calls, by their ids
	closed  bool                  // the conversation has their results
	answer  string                // a recorded answer that ends the run; empty: none
}

// New makes a planner. It sends nothing.
func New(o Options) *Planner {
	if o.Clean == nil {
		o.Clean = func(v any) any { return v }
	}
	if o.Say == nil {
		o.Say = message.Message.String
	}
	if o.AddTurn == nil {
		o.AddTurn = func(context.Context, int, string, any) error { return nil }
	}
	return &Planner{o: o, closed: true}
}

//go:embed prompt.md
var prompt string

// Plan implements [run.Planner]. Errors are *[tool.Error], or that of ctx.
func (p *Planner) Plan(ctx context.Context, rc *run.RunContext) (run.AssistantAction, error) {
	if p.messages == nil {
		if err := p.begin(ctx); err != nil {
			return run.AssistantAction{}, err
		}
	}
	p.takeResults(rc.Results)
	if open := p.openCalls(); len(open) > 0 {
		return act(llm.Turn{Calls: open}), nil
	}
	if p.answer != "" {
		return run.Respond(p.answer), nil
	}
	if err := p.closeTurn(ctx); err != nil {
		return run.AssistantAction{}, err
	}
	if p.o.MaxTokens > 0 && p.tokens >= p.o.MaxTokens {
		return run.AssistantAction{}, tool.NewError(tool.ExecutionError, CodeTokenBudget, message.New("agent.token_budget", "used", p.tokens, "limit", p.o.MaxTokens)).
			WithHint(message.New("agent.token_budget_hint"))
	}
	dropOld(p.messages)
	answer, err := p.ask(ctx, rc.World)
	if err != nil {
		return run.AssistantAction{}, err
	}
	p.turn++
	for i := range answer.Calls {
		c := &answer.Calls[i]
		c.ID = fmt.Sprintf("t%d.%d", p.turn, i+1)
		if !slices.ContainsFunc(p.o.Tools, func(s tool.Spec) bool { return s.Name == c.Name }) {
			// It has a name that was not offered, which may be any text. The record has it.
			c.Name = reading.Cut(p.clean(llm.NewWireNames(p.o.Known).Tool(c.Name)), maxName)
		}
	}
	if err := p.o.AddTurn(ctx, p.turn, string(llm.Assistant), bodyOf(answer)); err != nil {
		return run.AssistantAction{}, err
	}
	p.addAnswer(answer)
	return act(answer), nil
}

// ask asks the model for its next answer.
func (p *Planner) ask(ctx context.Context, world plan.World) (llm.Turn, error) {
	if p.o.PlanActions > 0 && p.turn == 0 {
		return p.makePlan(ctx, world)
	}
	answer, err := p.o.Ask(ctx, p.turn+1, llm.Request{System: p.system(), Messages: p.messages, Tools: p.o.Tools, Partial: p.partial(ctx)})
	if p.o.PlanActions > 0 {
		answer.Calls = nil
	}
	return answer, err
}

// system returns the instructions to the model.
func (p *Planner) system() string {
	system := prompt
	if p.o.Prompt != "" {
		system += "\n" + p.clean(p.o.Prompt) + "\n"
	}
	if len(p.o.Folders) > 0 {
		system += "\n" + string(llm.Marshal(map[string]any{"folders": p.o.Folders}))
	}
	return system
}

func (p *Planner) clean(text string) string {
	cleaned, _ := p.o.Clean(text).(string)
	return cleaned
}

// addAnswer adds an answer of the model to the conversation.
func (p *Planner) addAnswer(t llm.Turn) {
	p.tokens += t.Usage.In + t.Usage.Out
	p.messages = append(p.messages, t.Message())
	p.calls, p.results, p.closed = t.Calls, map[string]llm.Result{}, len(t.Calls) == 0
}

// takeResults keeps the results of calls of the last turn.
func (p *Planner) takeResults(results []run.ToolResult) {
	for _, r := range results {
		if i := slices.IndexFunc(p.calls, func(c llm.Call) bool { return c.ID == r.ActionID }); i >= 0 && !p.closed {
			p.results[r.ActionID] = llm.Result{CallID: r.ActionID, Content: p.content(r, p.calls[i]), IsError: !r.OK}
		}
	}
}

// openCalls returns the calls of the last turn that have no result.
func (p *Planner) openCalls() []llm.Call {
	if p.closed {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.calls), func(c llm.Call) bool { _, has := p.results[c.ID]; return has })
}

// closeTurn adds the results of the last turn to the conversation, in the order of its calls.
func (p *Planner) closeTurn(ctx context.Context) error {
	if p.closed {
		return nil
	}
	results := p.addResults()
	if !p.o.RecordPrompts {
		return nil
	}
	return p.o.AddTurn(ctx, p.turn, string(llm.Tool), resultBodies(results))
}

func (p *Planner) addResults() []llm.Result {
	m := llm.Message{Role: llm.Tool}
	for _, c := range p.calls {
		if r, has := p.results[c.ID]; has {
			m.Results = append(m.Results, r)
		}
	}
	p.messages, p.closed = append(p.messages, m), true
	return m.Results
}

// act converts an answer. A text without calls ends the run; an answer with neither does nothing.
func act(t llm.Turn) run.AssistantAction {
	if len(t.Calls) == 0 {
		if t.Text == "" {
			return run.AssistantAction{}
		}
		return run.Respond(t.Text)
	}
	out := run.AssistantAction{CallErrors: map[string]*tool.Error{}}
	for _, c := range t.Calls {
		a := plan.Action{ActionID: c.ID, Tool: c.Name, Args: c.Args}
		for _, n := range c.After {
			turn, _, _ := strings.Cut(c.ID, ".")
			a.DependsOn = append(a.DependsOn, turn+"."+strconv.Itoa(n))
		}
		switch {
		case c.Malformed != "":
			a.Args = map[string]any{}
			out.CallErrors[c.ID] = tool.NewError(tool.ValidationError, CodeMalformed, message.New("agent.malformed_args", "tool", c.Name))
		case lacksSecret(c):
			out.CallErrors[c.ID] = tool.NewError(tool.ValidationError, CodeSecretLost, message.New("agent.secret_lost", "tool", c.Name))
		}
		out.Calls = append(out.Calls, a)
	}
	return out
}
