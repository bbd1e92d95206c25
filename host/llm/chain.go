package llm

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Waits before a request is repeated.
const (
	maxRetryAfter = 20 * time.Second // a provider that asks for more is skipped
	retryWait     = 500 * time.Millisecond
	retryJitter   = 250 * time.Millisecond
)

// Bounds of what a provider says about its answer.
const (
	maxTokens = 1_000_000_000
	maxWord   = 200 // bytes of the name of its model, and of the reason for its end
)

// Attempt is a request to a provider, answered or not.
type Attempt struct {
	Provider string        `json:"provider"`
	Model    string        `json:"model"`
	Turn     int           `json:"turn"`
	Attempt  int           `json:"attempt"` // 1, or 2 for a repetition
	Status   int           `json:"status,omitempty"`
	Reason   Reason        `json:"reason,omitempty"` // of a failure
	Duration time.Duration `json:"duration_ns"`
	Usage    Usage         `json:"usage"`
	Finish   Finish        `json:"finish,omitempty"`
}

// Chain asks providers in their order. It repeats a request that failed for a moment once and
// then asks the next provider; the next turn begins with the one that answered last. A request
// or a key that a provider refuses ends the turn. It is for one goroutine at a time.
type Chain struct {
	Adapters []Adapter
	// Attempted is called after each request. Nil: not called.
	Attempted func(Attempt)

	first int // the adapter that answered last
}

// Complete asks until a provider answers. turn is the number of the turn, for
// [Chain.Attempted]. The error is a *[tool.Error] with the code provider_error and a line
// for each provider in its details, or that of ctx.
func (c *Chain) Complete(ctx context.Context, turn int, r Request) (Turn, error) {
	var failures []*Failure
	for i := range c.Adapters {
		at := (c.first + i) % len(c.Adapters)
		answer, err := c.askTwice(ctx, c.Adapters[at], turn, r)
		if err == nil {
			c.first = at
			return answer, nil
		}
		var f *Failure
		if !errors.As(err, &f) {
			return Turn{}, err
		}
		if failures = append(failures, f); f.Reason != Transient {
			break
		}
	}
	return Turn{}, summarize(failures)
}

// askTwice asks one provider, and once more after a failure that may pass.
func (c *Chain) askTwice(ctx context.Context, a Adapter, turn int, r Request) (Turn, error) {
	answer, err := c.ask(ctx, a, turn, 1, r)
	var f *Failure
	if !errors.As(err, &f) || f.Reason != Transient || f.RetryAfter > maxRetryAfter {
		return answer, err
	}
	wait := f.RetryAfter
	if wait == 0 {
		wait = retryWait + rand.N(retryJitter)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return Turn{}, ctx.Err()
	case <-timer.C:
	}
	return c.ask(ctx, a, turn, 2, r)
}

func (c *Chain) ask(ctx context.Context, a Adapter, turn, attempt int, r Request) (Turn, error) {
	start := time.Now()
	answer, err := a.Complete(ctx, r)
	answer.Usage = answer.Usage.Bounded()
	answer.Model, answer.Finish = clip(answer.Model, maxWord), Finish(clip(string(answer.Finish), maxWord)) // the record has them
	if c.Attempted != nil {
		done := Attempt{
			Provider: a.Name(), Model: a.Model(), Turn: turn, Attempt: attempt, Duration: time.Since(start),
			Status: 200, Usage: answer.Usage, Finish: answer.Finish,
		}
		if answer.Model != "" {
			done.Model = answer.Model
		}
		if err != nil {
			done.Status, done.Reason = 0, Transient
			if f, ok := errors.AsType[*Failure](err); ok {
				done.Status, done.Reason = f.Status, f.Reason
			}
		}
		c.Attempted(done)
	}
	return answer, err
}

// summarize makes the error of a turn that no provider answered.
func summarize(failures []*Failure) error {
	if len(failures) == 0 {
		return tool.UnavailableError("agent_no_provider", message.New("llm.no_provider"))
	}
	e := tool.AsError(failures[len(failures)-1])
	if len(failures) == 1 {
		return e
	}
	all := make([]message.Message, len(failures))
	c := *e
	c.Details = nil
	for i, f := range failures {
		all[i] = f.AsMessage()
		c.Details = append(c.Details, f.line())
	}
	c.Message = message.New("llm.all_failed", "failures", all)
	return &c
}
