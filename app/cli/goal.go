package cli

import (
	"slices"
	"strings"

	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/planner/message"
)

// expandGoal inserts `run` before a goal that stands alone in quotes: a first
// argument that contains a space.
func expandGoal(args []string) (expanded []string, short bool) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return args, false
		case arg == "--config":
			i++ // its value
		case strings.HasPrefix(arg, "-"):
		case strings.Contains(strings.TrimSpace(arg), " "):
			return slices.Concat([]string{"run"}, args), true
		default:
			return args, false
		}
	}
	return args, false
}

// words joins a goal given as one or several arguments.
func words(args []string) string { return strings.Join(args, " ") }

// goalText is the goal that arguments give: their words, or standard input for "-".
func (s *commands) goalText(args []string) (string, error) {
	switch {
	case s.shortForm && len(args) > 1:
		return "", print.BadUsage("cli.goal_in_quotes").Hint("cli.goal_in_quotes_hint", "goal", words(args))
	case !slices.Equal(args, []string{"-"}):
		return words(args), nil
	}
	text, err := s.ReadInput()
	if err != nil {
		return "", input.ReadError(message.New("cli.stdin"), err)
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", print.BadUsage("cli.stdin_no_goal").Hint("cli.stdin_no_goal_hint")
	}
	return text, nil
}
