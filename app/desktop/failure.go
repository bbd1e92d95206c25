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

// Problems lists the errors in the configuration, for safe mode. An error of another
// type than config.Problems becomes one problem without a line.
func Problems(err error) []view.Problem {
	var found config.Problems
	if !errors.As(err, &found) {
		return []view.Problem{{Message: message.FromError(err)}}
	}
	out := make([]view.Problem, len(found))
	for i, f := range found {
		out[i] = view.Problem{Source: f.Source, Line: f.Line, Key: f.Key, Message: f.Message}
	}
	return out
}
