package view

import (
	"reflect"
	"unicode/utf8"

	"errand/app/agent/transcript"
	"errand/app/answers"
	"errand/host/llm/price"
	"errand/host/trace"
	"errand/planner/message"
)

// Limits of the texts of a conversation, in bytes. The record has all of it.
const (
	maxSaid  = 16 << 10 // of an answer of the model
	maxFound = 4 << 10  // of a value in a result
)

// Agent is the conversation of a run that a language model plans. The calls are the steps of the run's plan.
type Agent struct {
	Turns []Turn `json:"turns"`

	Requests  int    `json:"requests"` // that were answered
	TokensIn  int    `json:"tokens_in"`
	TokensOut int    `json:"tokens_out"`
	Cost      string `json:"cost"`     // in dollars; "" if no price is known
	Unpriced  int    `json:"unpriced"` // requests that Cost lacks
	// MaxSteps, MaxTokens, MaxWallMS and MaxFailures are the limits of the run; 0: none.
	MaxSteps    int   `json:"max_steps"`
	MaxTokens   int   `json:"max_tokens"`
	MaxWallMS   int64 `json:"max_wall_ms"`
	MaxFailures int   `json:"max_failures"`

	StopReason  string `json:"stop_reason"`  // completed, awaiting_approval, max_steps, …; "" while it runs
	CanContinue bool   `json:"can_continue"` // [API.ContinueRun] goes on with it
}

// Turn is one answer of the model. Its text is untrusted.
type Turn struct {
	Number    int      `json:"number"` // from 1
	Provider  string   `json:"provider"`
	Model     string   `json:"model"`
	Text      string   `json:"text"`
	LeftOut   int      `json:"left_out"` // bytes of the text that are not here
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	Calls     []string `json:"calls"` // action ids of the run's steps
	Failed    []Failed `json:"failed"`
	Answered  bool     `json:"answered"`
}

// Failed is a request to a provider that was not answered.
type Failed struct {
	Provider   string          `json:"provider"`
	Why        message.Message `json:"why"`
	DurationMS int64           `json:"duration_ms"`
}

// Untrusted says that a result has text that others wrote.
type Untrusted struct {
	From       []string `json:"from"`       // where it is from, as far as it is known
	Suspicious []string `json:"suspicious"` // parts that read like instructions to a model
	Hidden     int      `json:"hidden"`     // bytes that the page hid from people, and that the model did not get
}

// NewAgent returns the view of a conversation. maxTokens is the limit of a run; 0: none.
func NewAgent(c *transcript.Conversation, maxTokens int) *Agent {
	a := &Agent{
		Turns: make([]Turn, len(c.Turns)), Requests: c.Use.Requests, TokensIn: c.Use.TokensIn, TokensOut: c.Use.TokensOut, Unpriced: c.Use.Unpriced,
		MaxSteps: c.Limits.MaxSteps, MaxTokens: maxTokens, MaxWallMS: c.Limits.MaxWallTime.Milliseconds(), MaxFailures: c.Limits.MaxFailures,
	}
	if c.Use.Requests > c.Use.Unpriced {
		a.Cost = price.Dollars(c.Use.Micros)
	}
	for i, t := range c.Turns {
		v := Turn{
			Number: t.Number, Provider: t.Provider, Model: t.Model, TokensIn: t.TokensIn, TokensOut: t.TokensOut,
			Calls: OrEmpty(t.Calls), Failed: []Failed{}, Answered: t.Answered,
		}
		v.Text, v.LeftOut = cut(message.EscapeHidden(t.Text, "\n\t"), maxSaid)
		for _, n := range t.Failed {
			v.Failed = append(v.Failed, Failed{n.Provider, message.New("window.request_failed", "why", n.Failure, "status", n.Status), n.DurationMS})
		}
		a.Turns[i] = v
	}
	return a
}

// Brief returns the summary of a call without its arguments, where they are shown beside it.
func Brief(m message.Message) message.Message {
	if inner, ok := m.Params["summary"].(message.Message); ok && m.Code == "answer.call_with" {
		return inner
	}
	return m
}

// cut returns the beginning of a text, and the number of bytes after it.
func cut(text string, limit int) (head string, leftOut int) {
	if len(text) <= limit {
		return text, 0
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit], len(text) - limit
}

// AddCalls adds the calls of a conversation as the steps of the plan that are not there yet.
func (p *Plan) AddCalls(c *transcript.Conversation) {
	for _, a := range c.Actions[len(p.Steps):] {
		p.Steps = append(p.Steps, NewStep(len(p.Steps), a))
	}
	p.Total = len(p.Steps)
}

// SetCallOutcome sets the outcome of a model's call: the arguments that it was made with, and all of its
// result that fits.
func (s *Step) SetCallOutcome(t trace.Step) {
	if t.Args != nil && !reflect.DeepEqual(t.Args, s.Action.Args) {
		s.Action.Args, s.Args, s.Preview = t.Args, PairsOf(t.Args), answers.SummarizeBriefly(s.Tool, t.Args)
	}
	s.SetOutcome(t)
	if payload, _ := t.Payload.(map[string]any); payload != nil {
		if text, ok := payload["text"].(string); ok { // it is not the answer of the run
			s.Result = append([]Fact{{Name: "text", Value: message.Verbatim(text)}}, s.Result...)
		}
	}
	for i, f := range s.Result {
		if text, ok := f.Value.Text(); ok {
			text, s.Result[i].LeftOut = cut(text, maxFound)
			s.Result[i].Value = message.Verbatim(text)
		}
	}
	if u := t.Untrusted; u != nil {
		s.Untrusted = &Untrusted{From: OrEmpty(u.From), Suspicious: []string{}, Hidden: u.Hidden}
		for _, f := range u.Findings {
			s.Untrusted.Suspicious = append(s.Untrusted.Suspicious, message.Visible(f.Excerpt))
		}
	}
}
