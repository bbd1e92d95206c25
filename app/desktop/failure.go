package desktop

import (
	"errors"

	"errand/app/config"
	"errand/app/desktop/view"
	"errand/host/tool"
	"errand/planner/message"
)

var errSafeMode = tool.NewError(tool.ToolUnavailable, "safe_mode", message.New("window.safe_mode")).
	WithHint(message.New("window.safe_mode_hint"))

var errEnding = tool.NewError(tool.ToolUnavailable, "ending", message.New("window.ending"))

var errRunActive = tool.NewError(tool.ValidationError, "run_active", message.New("window.run_active")).
	WithHint(message.New("window.run_active_hint"))

// Faults lists the errors in the configuration, for safe mode. An error of another
// type than config.Faults becomes one fault without a line.
func Faults(err error) []view.Fault {
	var found config.Faults
	if !errors.As(err, &found) {
		return []view.Fault{{Message: message.FromError(err)}}
	}
	out := make([]view.Fault, len(found))
	for i, f := range found {
		out[i] = view.Fault{Source: f.Source, Line: f.Line, Key: f.Key, Message: f.Message}
	}
	return out
}
