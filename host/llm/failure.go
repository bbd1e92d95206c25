package llm

import (
	"fmt"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Reason is why a provider gave no answer.
type Reason string

// Reasons.
const (
	// Transient: the same request may succeed soon, or at another provider.
	Transient Reason = "transient"
	// Unauthorized: the provider refuses the key.
	Unauthorized Reason = "unauthorized"
	// Rejected: the provider refuses the request. Another provider would too.
	Rejected Reason = "rejected"
	// Blocked: the request was not sent; policy denies the address.
	Blocked Reason = "blocked"
)

// Failure is an answer that a provider did not give. It unwraps to a *[tool.Error] with the
// code provider_error and the class tool_unavailable.
type Failure struct {
	Provider   string
	Reason     Reason
	Status     int             // HTTP status; 0: there was no answer
	Detail     message.Message // the provider's own text, or the cause; never a key
	RetryAfter time.Duration   // as the provider asks for; 0: it does not
	Hint       message.Message
}

// CodeProviderError is the code of a turn that no provider answered.
const CodeProviderError = "provider_error"

// Error is for logs and tests, not for people.
func (f *Failure) Error() string { return f.AsMessage().String() }

// AsMessage says what happened.
func (f *Failure) AsMessage() message.Message {
	m := message.New("llm.failure", "provider", f.Provider, "reason", string(f.Reason), "status", f.Status)
	if f.Detail.IsZero() {
		return m
	}
	return message.New("llm.failure_detail", "failure", m, "detail", f.Detail)
}

// Unwrap returns the error for people and records.
func (f *Failure) Unwrap() error {
	e := tool.NewError(tool.ToolUnavailable, CodeProviderError, f.AsMessage())
	e.Retriable, e.RetryAfterMS = f.Reason == Transient, f.RetryAfter.Milliseconds()
	e.Details = []string{f.line()}
	if !f.Hint.IsZero() {
		e = e.WithHint(f.Hint)
	}
	return e
}

// line is the failure in the details of an error.
func (f *Failure) line() string {
	return fmt.Sprintf("%s: %s %d: %s", f.Provider, f.Reason, f.Status, f.Detail)
}
