package desktop

import (
	"errors"

	"errand/app/config"
	"errand/app/desktop/view"
	"errand/host/tool"
)

// Format turns the error of a bound method into what the page's promise is
// rejected with: always a [Failure].
func Format(err error) any { return view.FailureOf(err) }

var errSafeMode = tool.Errorf(tool.ToolUnavailable, "safe_mode", "nothing can run while the configuration has faults").
	WithHint("mend the lines shown, then start Errand again")

var errEnding = tool.Errorf(tool.ToolUnavailable, "ending", "Errand is being closed")

var errRunActive = tool.Errorf(tool.ValidationError, "run_active", "another goal is being carried out").
	WithHint("wait until it ends, or stop it")

// Faults lists what is wrong with the configuration, for safe mode. An error
// that is no config.Faults becomes one fault without a line.
func Faults(err error) []view.Fault {
	var found config.Faults
	if !errors.As(err, &found) {
		return []view.Fault{{Message: err.Error()}}
	}
	out := make([]view.Fault, len(found))
	for i, f := range found {
		out[i] = view.Fault{Source: f.Source, Line: f.Line, Key: f.Key, Message: f.Message}
	}
	return out
}
