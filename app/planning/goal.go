package planning

import (
	"strings"
	"unicode/utf8"

	"errand/planner/calc"

	"errand/host/tool"
	"errand/planner/interpret"
	"errand/planner/interpret/lexicon"
	"errand/planner/message"
)

// CheckGoal refuses a goal that no rule could read: one that is too long, empty or
// not UTF-8. [Planner.Plan] answers such a goal as unsupported.
func CheckGoal(text string) error {
	switch {
	case len(text) > interpret.MaxBytes:
		return tool.NewError(tool.ValidationError, "goal_too_long", message.New("planning.goal_too_long", "size", len(text), "limit", interpret.MaxBytes)).
			WithHint(message.New("planning.goal_too_long_hint"))
	case !utf8.ValidString(text):
		return tool.NewError(tool.ValidationError, "goal_not_utf8", message.New("planning.goal_not_utf8")).
			WithHint(message.New("planning.goal_not_utf8_hint"))
	case strings.TrimSpace(text) == "":
		return tool.NewError(tool.ValidationError, "goal_empty", message.New("planning.goal_empty")).
			WithHint(message.New("planning.goal_empty_hint"))
	}
	return nil
}

// IsAddress reports whether a text is only the address of a page, which is a goal without a
// verb: "github.com", "localhost:3000".
func IsAddress(text string) bool { return lexicon.IsAddress(text) }

// IsCalculation reports whether a text without spaces is a calculation in digits: "2+2*3".
func IsCalculation(text string) bool {
	if !strings.ContainsAny(text, "0123456789") || strings.HasPrefix(text, "-") {
		return false
	}
	_, ok := calc.Read(text)
	return ok
}
