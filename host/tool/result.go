package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"errand/planner/message"
)

// Result is the result of a call.
type Result struct {
	OK      bool   `json:"ok"`
	Payload any    `json:"payload,omitempty"` // plain JSON values
	Error   *Error `json:"error,omitempty"`   // set if OK is false
	// Partial reports that a failed call may have had a part of its effect.
	Partial    bool       `json:"-"`
	Artifacts  []Artifact `json:"artifacts,omitempty"`
	DurationMS int64      `json:"duration_ms"` // set by the dispatcher
	// Fuel is the approximate number of WebAssembly instructions that a metered call
	// executed. It is the same for the same call, and 0 if the tool isn't metered.
	Fuel uint64 `json:"fuel,omitempty"`
	// Warning is an error besides the call: the call succeeded, but its record could not
	// be written. The dispatcher sets it.
	Warning *Error `json:"warning,omitempty"`

	// Untrusted marks text written by others. The dispatcher sets it.
	Untrusted *Untrusted `json:"untrusted,omitempty"`
	// From names the possible source hosts of untrusted text, if the tool knows them
	// better than the call's arguments show.
	From []string `json:"-"`
	// UserOnlyKeys names keys of Payload, which is a map, that are only for the user and the
	// record. Planners don't receive them. A tool whose only untrusted text is in these
	// keys, such as the title of a page, doesn't need to be marked untrusted.
	UserOnlyKeys []string `json:"-"`

	// Facts are the facts that hold because of the call, in the notation of a world:
	// "exists:/home/ann/Reports", or "!exists:…" for a deleted file. Only the executor
	// stores them.
	Facts []string `json:"facts,omitempty"`
	// Undo is a call that undoes this one, if nothing else has changed its result. It is
	// offered to the user and never made automatically. It is nil if the call can't be
	// undone or changed nothing.
	Undo *Inverse `json:"undo,omitempty"`
	// Secrets are arguments that turned out to be secret, such as text typed into a
	// password field. They are removed from everything written from now on.
	Secrets []string `json:"-"`
	// World, if set, has the changes of the call to the world's snapshot.
	World *WorldChange `json:"-"`
}

// Inverse is a call that undoes another one. Its arguments contain the preconditions: a
// created folder, for example, is deleted only if it is empty and still the same folder.
type Inverse struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// WorldChange is a change of the world's snapshot, in addition to facts.
type WorldChange struct {
	BrowserLastURL string // the URL of the opened page
	AppStarted     string // catalogue id of the started app
}

// Artifact is a file that a call produced, such as a screenshot. Data is held in memory
// only until the record has stored it.
type Artifact struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	Path      string `json:"path,omitempty"` // where the record stored it
	Data      []byte `json:"-"`
}

// NewArtifact makes an artifact of data.
func NewArtifact(name, mediaType string, data []byte) Artifact {
	sum := sha256.Sum256(data)
	return Artifact{Name: name, MediaType: mediaType, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Data: data}
}

// OK returns the result of a successful call.
func OK(payload any) Result { return Result{OK: true, Payload: payload} }

// Fail returns the result of a failed call.
func Fail(class Class, code string, m message.Message) Result {
	return Result{Error: NewError(class, code, m)}
}

// Class is the machine-readable class of an error (typed error semantics of the agent
// plan). It determines exit codes and HTTP statuses.
type Class string

// Error classes.
const (
	ValidationError Class = "validation_error" // the call or its input is invalid
	PolicyDenied    Class = "policy_denied"    // policy or a person refused the call
	ToolTimeout     Class = "tool_timeout"     // the deadline passed
	ToolUnavailable Class = "tool_unavailable" // a requirement of the tool is missing
	ExecutionError  Class = "execution_error"  // the tool tried and failed
)

// PluginCode begins the codes that plugins give their errors, so that no code of Errand
// is among them. Those of bundled plugins are the program's own.
const PluginCode = "plugin."

// Error is an error in the form that users, records and the API see.
type Error struct {
	Class        Class           `json:"class"`
	Code         string          `json:"code"`
	Message      message.Message `json:"message"`
	Hint         message.Message `json:"hint,omitzero"` // what the user can do
	Recoverable  bool            `json:"recoverable"`   // the user can fix it
	Retriable    bool            `json:"retriable"`     // the same call may succeed later
	RetryAfterMS int64           `json:"retry_after_ms,omitempty"`
	// Permanent reports that the same call fails again, whatever the user does first. The
	// hint says what to do instead of it.
	Permanent bool `json:"permanent,omitempty"`
	// Details are lines for debugging, such as a stack or the end of a log.
	Details []string `json:"details,omitempty"`
}

// Error is for logs and tests, not for people.
func (e *Error) Error() string { return e.Message.String() }

// AsMessage returns what happened.
func (e *Error) AsMessage() message.Message { return e.Message }

// WithHint sets the hint, which tells the user what to do, and returns a copy of e.
func (e *Error) WithHint(hint message.Message) *Error {
	c := *e
	c.Hint, c.Recoverable = hint, true
	return &c
}

// WithAlternative sets a hint that says what to do instead of the call, and returns a copy of
// e that is permanent. The hint may be zero.
func (e *Error) WithAlternative(hint message.Message) *Error {
	c := *e
	c.Hint, c.Recoverable, c.Permanent, c.Retriable = hint, !hint.IsZero(), true, false
	return &c
}

// Outlook says whether the same call can succeed in another attempt.
type Outlook int

// Outlooks, the best last.
const (
	NeverSucceeds    Outlook = iota // it fails again
	SucceedsAfterFix                // it can succeed once the user has removed the cause
	MaySucceed                      // it can succeed as it is
)

// Outlook returns whether the same call can succeed in another attempt. Invalid calls and
// permanent errors fail again. An error that is not retriable and has a hint needs the user
// first. Nil, such as that of a run that was killed, says nothing against another attempt.
func (e *Error) Outlook() Outlook {
	switch {
	case e == nil || e.Retriable:
		return MaySucceed
	case e.Permanent || e.Class == ValidationError:
		return NeverSucceeds
	case !e.Hint.IsZero() || e.Class == ToolUnavailable:
		return SucceedsAfterFix
	case e.Class == PolicyDenied:
		return NeverSucceeds
	}
	return MaySucceed
}

// NewError makes an error. Timeouts and unavailable tools are retriable.
func NewError(class Class, code string, m message.Message) *Error {
	return &Error{
		Class: class, Code: code, Message: m,
		Retriable: class == ToolTimeout || class == ToolUnavailable,
	}
}

// UnavailableError makes an error of a tool that can't run until the user changes something:
// the same call fails again.
func UnavailableError(code string, m message.Message) *Error {
	return &Error{Class: ToolUnavailable, Code: code, Message: m}
}

// AsError returns the typed error in err's chain, or makes one: tool_timeout for a
// deadline, execution_error for everything else. It returns nil for nil.
func AsError(err error) *Error {
	var typed *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &typed):
		return typed
	case errors.Is(err, context.DeadlineExceeded):
		return NewError(ToolTimeout, "deadline_exceeded", message.FromError(err))
	case errors.Is(err, context.Canceled):
		return NewError(ExecutionError, "interrupted", message.FromError(err))
	}
	return NewError(ExecutionError, "failed", message.FromError(err))
}
