package planning

import (
	"strings"
	"unicode/utf8"

	"errand/host/tool"
	"errand/planner/interpret"
)

// CheckGoal refuses a goal that no rule could read: one that is too long, empty or
// not UTF-8. [Planner.Plan] answers such a goal as unsupported.
func CheckGoal(text string) error {
	switch {
	case len(text) > interpret.MaxBytes:
		return tool.Errorf(tool.ValidationError, "goal_too_long", "the goal is %d bytes long; the limit is %d", len(text), interpret.MaxBytes).
			WithHint("say it shorter, or make several goals of it")
	case !utf8.ValidString(text):
		return tool.Errorf(tool.ValidationError, "goal_not_utf8", "the goal is not valid UTF-8").
			WithHint("check the terminal's encoding (locale says which it is)")
	case strings.TrimSpace(text) == "":
		return tool.Errorf(tool.ValidationError, "goal_empty", "the goal is empty").
			WithHint("for example: open youtube and search nvidia")
	}
	return nil
}
