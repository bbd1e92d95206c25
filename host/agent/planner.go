// Package agent lets a language model plan a run: it keeps the conversation and turns answers
// of the model into calls of tools.
package agent

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"

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
	MaxTokens int         // of this planner, sent and received; 0: no limit
	// Clean removes the run's secrets from a JSON value before it is sent. Nil: nothing is removed.
	Clean func(any) any
}

// Planner implements [run.Planner]. It is for one attempt of a run and for one goroutine at a
// time. The ids of its calls, t<turn>.<number>, are unique in the run: the first turn of a later
// attempt follows the last one that has a step.
type Planner struct {
	o        Options
	messages []llm.Message // nil before the first turn
	turn     int           // the last one
	tokens   int
}

// New makes a planner. It sends nothing.
func New(o Options) *Planner {
	if o.Clean == nil {
		o.Clean = func(v any) any { return v }
	}
	return &Planner{o: o}
}

//go:embed prompt.md
var prompt string

// Plan implements [run.Planner]. Errors are *[tool.Error], or that of ctx.
func (p *Planner) Plan(ctx context.Context, rc *run.RunContext) (run.AssistantAction, error) {
	if p.messages == nil {
		p.messages = []llm.Message{{Role: llm.User, Text: p.clean(p.o.Task)}}
		p.recall(rc)
	} else {
		p.addResults(rc.Results)
	}
	if p.o.MaxTokens > 0 && p.tokens >= p.o.MaxTokens {
		return run.AssistantAction{}, tool.NewError(tool.ExecutionError, CodeTokenBudget, message.New("agent.token_budget", "used", p.tokens, "limit", p.o.MaxTokens)).
			WithHint(message.New("agent.token_budget_hint"))
	}
	system := prompt
	if len(p.o.Folders) > 0 {
		system += "\n" + string(llm.Marshal(map[string]any{"folders": p.o.Folders}))
	}
	p.turn++
	dropOld(p.messages)
	answer, err := p.o.Ask(ctx, p.turn, llm.Request{System: system, Messages: p.messages, Tools: p.o.Tools})
	if err != nil {
		return run.AssistantAction{}, err
	}
	p.tokens += answer.Usage.In + answer.Usage.Out
	for i := range answer.Calls {
		c := &answer.Calls[i]
		c.ID = fmt.Sprintf("t%d.%d", p.turn, i+1)
		if !slices.ContainsFunc(p.o.Tools, func(s tool.Spec) bool { return s.Name == c.Name }) {
			c.Name = llm.NewWireNames(p.o.Known).Tool(c.Name) // it has a name that was not offered
		}
	}
	p.messages = append(p.messages, answer.Message())
	return act(answer), nil
}

func (p *Planner) clean(text string) string {
	cleaned, _ := p.o.Clean(text).(string)
	return cleaned
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
		if c.Malformed != "" {
			a.Args = map[string]any{}
			out.CallErrors[c.ID] = tool.NewError(tool.ValidationError, CodeMalformed, message.New("agent.malformed_args", "tool", c.Name))
		}
		out.Calls = append(out.Calls, a)
	}
	return out
}

// addResults adds the results of the last turn.
func (p *Planner) addResults(results []run.ToolResult) {
	if len(results) == 0 {
		return
	}
	m := llm.Message{Role: llm.Tool}
	for _, r := range results {
		m.Results = append(m.Results, llm.Result{CallID: r.ActionID, Content: p.content(r), IsError: !r.OK})
	}
	p.messages = append(p.messages, m)
}

// recall adds the calls of earlier attempts with what is recorded of their results. The results
// of the last calls are complete.
func (p *Planner) recall(rc *run.RunContext) {
	byTurn := map[int][]trace.Step{}
	for id, s := range rc.Done {
		var turn, number int
		if n, _ := fmt.Sscanf(id, "t%d.%d", &turn, &number); n == 2 {
			byTurn[turn] = append(byTurn[turn], s)
			p.turn = max(p.turn, turn)
		}
	}
	for turn := 1; turn <= p.turn; turn++ {
		steps := byTurn[turn]
		if len(steps) == 0 {
			continue
		}
		slices.SortFunc(steps, func(a, b trace.Step) int {
			return cmp.Or(cmp.Compare(len(a.StepID), len(b.StepID)), cmp.Compare(a.StepID, b.StepID))
		})
		m, results := llm.Message{Role: llm.Assistant}, []run.ToolResult{}
		for _, s := range steps {
			m.Calls = append(m.Calls, llm.Call{ID: s.StepID, Name: s.ToolName, Args: s.Args})
			r := run.ResultOf(s)
			if i := slices.IndexFunc(rc.Results, func(last run.ToolResult) bool { return last.ActionID == s.StepID }); i >= 0 {
				r = rc.Results[i]
			}
			results = append(results, r)
		}
		p.messages = append(p.messages, m)
		p.addResults(results)
	}
}
