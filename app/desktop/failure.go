package desktop

import (
	"errors"

	"errand/app/config"
	"errand/host/tool"
)

// Error lets a bound method return a Failure as it is.
func (f *Failure) Error() string { return f.Message }

// Text is the message of a failure that there need not be.
func (f *Failure) Text() string {
	if f == nil {
		return ""
	}
	return f.Message
}

// Format turns the error of a bound method into what the page's promise is
// rejected with: always a [Failure].
func Format(err error) any { return failureOf(err) }

func failureOf(err error) *Failure {
	var f *Failure
	if err == nil || errors.As(err, &f) {
		return f
	}
	return failure(tool.AsError(err))
}

func failure(e *tool.Error) *Failure {
	if e == nil {
		return nil
	}
	return &Failure{Class: string(e.Class), Code: e.Code, Message: e.Message, Hint: e.Hint, Retriable: e.Retriable}
}

var errSafeMode = tool.Errorf(tool.ToolUnavailable, "safe_mode", "nothing can run while the configuration has faults").
	WithHint("mend the lines shown, then start Errand again")

var errEnding = tool.Errorf(tool.ToolUnavailable, "ending", "Errand is being closed")

var errRunActive = tool.Errorf(tool.ValidationError, "run_active", "another goal is being carried out").
	WithHint("wait until it ends, or stop it")

// Faults lists what is wrong with the configuration, for safe mode. An error
// that is no config.Faults becomes one fault without a line.
func Faults(err error) []Fault {
	var found config.Faults
	if !errors.As(err, &found) {
		return []Fault{{Message: err.Error()}}
	}
	out := make([]Fault, len(found))
	for i, f := range found {
		out[i] = Fault{Source: f.Source, Line: f.Line, Key: f.Key, Message: f.Message}
	}
	return out
}
