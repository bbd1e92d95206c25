package tool

import (
	"context"
	"errors"
	"fmt"
)

// Result is what came of a call.
type Result struct {
	OK      bool   `json:"ok"`
	Payload any    `json:"payload,omitempty"` // plain JSON values
	Error   *Error `json:"error,omitempty"`   // set unless OK
	// Partial says of a call that failed that a part of its effect may be there.
	Partial    bool       `json:"-"`
	Artifacts  []Artifact `json:"artifacts,omitempty"`
	DurationMS int64      `json:"duration_ms"` // filled by the dispatcher
	// Fuel is what the call of a metered tool used: WebAssembly instructions,
	// about, and the same for the same call. 0: it isn't metered.
	Fuel uint64 `json:"fuel,omitempty"`
	// Warning is a fault beside the call: what the call did stands, but its
	// record could not be written. Filled by the dispatcher.
	Warning *Error `json:"warning,omitempty"`

	// Untrusted marks what others wrote. Filled by the dispatcher.
	Untrusted *Untrusted `json:"untrusted,omitempty"`
	// From names the hosts that the words of others came from, or may have, where
	// the tool knows better than the call's arguments.
	From []string `json:"-"`
	// Aside names keys of Payload, which is a map, that are for the person who
	// looks on and go to the record alone: no planner is given them. A tool whose
	// only foreign words are these, such as the title of the page that it shows,
	// need not be untrusted.
	Aside []string `json:"-"`

	// Facts are what now holds because of the call, as a world spells facts
	// ("exists:/home/ann/Reports", or "!exists:…" for what is gone). Only the
	// executor writes them down.
	Facts []string `json:"facts,omitempty"`
	// Undo is the call that takes this one back, while nothing else has changed
	// what it made. It is proposed to a person and never made by itself. Nil:
	// the call can't be taken back, or changed nothing.
	Undo *Inverse `json:"undo,omitempty"`
	// Secrets are values among the arguments that turned out to be secrets, such as
	// what was typed into a field that hides it. Nothing that is written from now
	// on holds them.
	Secrets []string `json:"-"`
	// World, where set, names what the call changed of the snapshot.
	World *WorldChange `json:"-"`
}

// Inverse is a call that takes another one back. Its arguments say under which
// conditions it may: a folder that was made is deleted only while it is empty
// and the same one.
type Inverse struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// WorldChange is what a call changed of the world's snapshot, beside facts.
type WorldChange struct {
	BrowserLastURL string // a page was opened and is at this URL now
	AppStarted     string // catalogue id of an app that was started
}

// Artifact is something that a call produced: a screenshot, a file. Data is
// held in memory only until the record has stored it.
type Artifact struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	Path      string `json:"path,omitempty"` // where it was stored
	Data      []byte `json:"-"`
}

// OK is the result of a call that worked.
func OK(payload any) Result { return Result{OK: true, Payload: payload} }

// Fail is the result of a call that did not work.
func Fail(class Class, code, format string, args ...any) Result {
	return Result{Error: Errorf(class, code, format, args...)}
}

// Class is the machine-readable kind of a failure (typed error semantics of
// the agent plan). Faces map it to exit codes and HTTP statuses.
type Class string

// Error classes.
const (
	ValidationError Class = "validation_error" // the call or its input is wrong
	PolicyDenied    Class = "policy_denied"    // policy said no, or a person did
	ToolTimeout     Class = "tool_timeout"     // the deadline passed
	ToolUnavailable Class = "tool_unavailable" // what the tool needs is not there
	ExecutionError  Class = "execution_error"  // the tool tried and failed
)

// Error is a failure as a value that crosses every edge: command line, window,
// record.
type Error struct {
	Class        Class  `json:"class"`
	Code         string `json:"code"`
	Message      string `json:"message"`
	Hint         string `json:"hint,omitempty"` // what a person can do
	Recoverable  bool   `json:"recoverable"`    // a person can fix it
	Retriable    bool   `json:"retriable"`      // the same call may work later
	RetryAfterMS int64  `json:"retry_after_ms,omitempty"`
	// Details are lines for who looks into the failure: a stack, the end of a log.
	Details []string `json:"details,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// WithHint returns e with a line that says what a person can do about it.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint, c.Recoverable = fmt.Sprintf(format, args...), true
	return &c
}

// Errorf makes an error. Timeouts and unavailable tools are retriable.
func Errorf(class Class, code, format string, args ...any) *Error {
	return &Error{
		Class: class, Code: code, Message: fmt.Sprintf(format, args...),
		Retriable: class == ToolTimeout || class == ToolUnavailable,
	}
}

// AsError finds the typed error in err's chain or makes one: a deadline becomes
// tool_timeout, all else execution_error. It answers nil for nil.
func AsError(err error) *Error {
	var typed *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, context.DeadlineExceeded):
		return Errorf(ToolTimeout, "deadline_exceeded", "%v", err)
	case errors.Is(err, context.Canceled):
		return Errorf(ExecutionError, "interrupted", "%v", err)
	}
	return Errorf(ExecutionError, "failed", "%v", err)
}
