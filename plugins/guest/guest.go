//go:build wasip1

// Package guest is what the bundled plugins have in common: their talk with
// the host. A call is one JSON object on standard input, its answer one on
// standard output; see docs on plugins for the format.
package guest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Call is one call of a tool.
type Call struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Config map[string]any  `json:"config"`
	CallID string          `json:"call_id"`
	// Key names the effect: two calls of one key are one effect. Empty for reads.
	Key string `json:"idempotency_key"`
}

// Answer is what a tool that worked answers.
type Answer struct {
	Payload any      `json:"payload"`
	Facts   []string `json:"facts,omitempty"` // what holds now: "exists:/root/0/x"
	Undo    *Inverse `json:"undo,omitempty"`  // what takes the call back; nil where nothing does
	State   State    `json:"state,omitempty"` // of a tool that finds out what came of a call
}

// Inverse is a call that takes another one back, of one of the plugin's own
// tools.
type Inverse struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// State is what came of a call whose end nobody saw.
type State string

// States.
const (
	Committed State = "committed" // it had its effect
	Released  State = "released"  // it had none
	Unknown   State = "unknown"   // it can't be told
)

// Error is a tool's no.
type Error struct {
	Class       string `json:"class,omitempty"` // execution_error where empty
	Code        string `json:"code"`
	Message     string `json:"message"`
	Hint        string `json:"hint,omitempty"`
	Recoverable bool   `json:"recoverable"`
	Retriable   bool   `json:"retriable"`
}

func (e *Error) Error() string { return e.Message }

// Fail makes an error that a person can do something about: what the hint says.
func Fail(code, hint, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint, Recoverable: hint != ""}
}

// Tool carries out one call.
type Tool func(Call) (Answer, error)

// With makes a tool of a function that takes the arguments as a struct. The
// host has held them against the schema; a field that the struct doesn't have
// is an error all the same.
func With[Args any](f func(Args) (Answer, error)) Tool {
	return func(c Call) (Answer, error) {
		var args Args
		d := json.NewDecoder(bytes.NewReader(c.Args))
		d.DisallowUnknownFields()
		if err := d.Decode(&args); err != nil {
			return Answer{}, &Error{Class: "validation_error", Code: "bad_args", Message: err.Error()}
		}
		return f(args)
	}
}

// Main reads the call, has the tool carry it out, and writes the answer. An
// exit code other than 0 means that there is none.
func Main(tools map[string]Tool) {
	var c Call
	if err := json.NewDecoder(os.Stdin).Decode(&c); err != nil {
		fmt.Fprintln(os.Stderr, "read the call:", err)
		os.Exit(2)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer(tools, c)); err != nil {
		fmt.Fprintln(os.Stderr, "write the answer:", err)
		os.Exit(2)
	}
}

func answer(tools map[string]Tool, c Call) any {
	f, ok := tools[c.Tool]
	if !ok {
		return no(&Error{Class: "validation_error", Code: "unknown_tool", Message: fmt.Sprintf("there is no tool %q in this plugin", c.Tool)})
	}
	a, err := f(c)
	var typed *Error
	switch {
	case errors.As(err, &typed):
		return no(typed)
	case err != nil:
		return no(&Error{Code: "failed", Message: err.Error()})
	}
	return struct {
		OK bool `json:"ok"`
		Answer
	}{true, a}
}

func no(e *Error) any {
	return struct {
		OK    bool   `json:"ok"`
		Error *Error `json:"error"`
	}{false, e}
}
