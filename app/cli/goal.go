package cli

import (
	"slices"
	"strings"

	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/planning"
	"errand/planner/message"
)

// expandGoal inserts `run` before a goal without a command: a first argument that contains a
// space, is empty, an address or a calculation, with or without "--" before it.
func expandGoal(args []string) (expanded []string, short bool) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			if i+1 < len(args) && isGoal(args[i+1]) {
				return slices.Concat([]string{"run"}, args), true
			}
			return args, false
		case arg == "--config":
			i++ // its value
		case strings.HasPrefix(arg, "-"):
		case isGoal(arg):
			return slices.Concat([]string{"run"}, args), true
		default:
			return args, false
		}
	}
	return args, false
}

// isGoal reports whether an argument is a goal and can't be the name of a command.
func isGoal(arg string) bool {
	return isQuoted(arg) || planning.IsAddress(arg) || planning.IsCalculation(arg)
}

// isQuoted reports whether a shell passes this argument only if it was quoted.
func isQuoted(arg string) bool {
	return strings.TrimSpace(arg) == "" || strings.Contains(strings.TrimSpace(arg), " ")
}

// words joins a goal given as one or several arguments.
func words(args []string) string { return strings.Join(args, " ") }

// goalText returns the goal of a command's arguments, or of standard input for "-".
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
