// Package llm talks to language models. An [Adapter] speaks the protocol of one provider;
// a [Chain] asks several of them in turn.
//
// The packages below it have an adapter each. They write the providers' wire formats by
// hand and get their HTTP client from the caller, so that every request passes the guard.
package llm

import (
	"context"

	"errand/host/tool"
)

// Adapter asks one provider. Its methods may be called by several goroutines at once.
type Adapter interface {
	// Name is the provider's name in the configuration.
	Name() string
	// Model is the model that Complete asks.
	Model() string
	// Complete sends a conversation and returns the answer. The error is a *[Failure], or
	// that of ctx.
	Complete(ctx context.Context, r Request) (Turn, error)
	// Models lists the ids of the models that the provider offers, sorted. Errors are those
	// of Complete.
	Models(ctx context.Context) ([]string, error)
}

// Request is a conversation that a model continues.
type Request struct {
	System    string // empty: none
	Messages  []Message
	Tools     []tool.Spec // that the model may call
	MaxOutput int         // tokens of the answer; 0: the adapter's own limit
	// Partial is called with the text of the answer so far, whenever there is more of it. The text is
	// shorter than before after another attempt has begun. Nil: the answer comes at once. The answer is
	// the same either way.
	Partial func(text string)
}

// Role is the author of a message.
type Role string

// Roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// Message is a part of a conversation. An assistant's message has Text, Calls or both; a
// tool message has the Results of the calls before it.
type Message struct {
	Role    Role
	Text    string
	Calls   []Call
	Results []Result
}

// Call is a model's call of a tool.
type Call struct {
	ID   string // unique in the conversation
	Name string // the tool's name, without the spelling of the provider
	Args map[string]any
	// Malformed is the text of arguments that are not a JSON object, or were cut. Args is
	// nil then.
	Malformed string
	// After are the numbers of calls of the same answer, from 1, that have to end before this one. Only
	// whole plans have it; no protocol does.
	After []int
}

// Result is what a call returned.
type Result struct {
	CallID  string
	Name    string // of the tool
	Content string
	IsError bool
}

// Finish is why an answer ends.
type Finish string

// Reasons for the end of an answer. Other words of a provider are kept.
const (
	FinishStop     Finish = "stop"
	FinishCalls    Finish = "calls"
	FinishLength   Finish = "length"   // the limit of tokens; the last call may be cut
	FinishFiltered Finish = "filtered" // the provider refused to answer
)

// Usage counts tokens, as the provider reports them.
type Usage struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Bounded returns the usage within what a budget can add up: providers may report anything.
func (u Usage) Bounded() Usage {
	bound := func(n int) int { return min(max(n, 0), maxTokens) }
	return Usage{bound(u.In), bound(u.Out)}
}

// Turn is a model's answer. An answer without text and calls is possible.
type Turn struct {
	Provider string // the adapter's name
	Model    string // as the provider reports it, which can be more exact
	Text     string
	Calls    []Call
	Finish   Finish
	Usage    Usage
}

// Message returns the answer as a message of the conversation.
func (t Turn) Message() Message { return Message{Role: Assistant, Text: t.Text, Calls: t.Calls} }
