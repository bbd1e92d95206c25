package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/print"
	"errand/planner/message"
)

// unknownCommand is the error for an argument that names no command below cmd. If it may be a
// goal, the hint has the command that runs it.
func (s *commands) unknownCommand(cmd *cobra.Command, args []string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	name := args[0]
	err := print.BadUsage("cli.unknown_command", "name", name, "command", cmd.CommandPath())
	if near := message.Nearest(name, known); near != "" {
		return err.Hint("cli.did_you_mean", "name", cmd.CommandPath()+" "+near)
	}
	switch {
	case strings.Contains(name, " "):
		return err.Hint("cli.run_goal_hint", "goal", name)
	case cmd.HasParent():
		return err.Hint("cli.known_commands", "names", known)
	case len(args) > 1:
		return err.Hint("cli.goal_needs_quotes", "goal", words(args))
	}
	return err.HintOf(s.hintForWord(name))
}

// maxExamples is the maximum number of goals to offer for one word.
const maxExamples = 3

// hintForWord suggests what to do with a word that names no command: goals that begin with it,
// the answer to it as a question, or how to run it as a goal.
func (s *commands) hintForWord(word string) message.Message {
	help := message.New("cli.help_goals_hint")
	app, err := s.Open(app.Options{})
	if err != nil {
		return help
	}
	goals := app.Complete(word, s.SystemLanguage(), maxExamples)
	if goals = slices.DeleteFunc(goals, func(goal string) bool { return !isGoal(goal) }); len(goals) > 0 {
		commands := make([]string, len(goals))
		for i, goal := range goals {
			commands[i] = `errand "` + goal + `"`
		}
		return message.New("cli.goal_examples", "commands", commands)
	}
	in := app.Interpret(word)
	switch {
	case in.IsAnswered():
		return in.Reason
	case in.Status == "unsupported", in.AsksBareWords():
		return help
	}
	return message.New("cli.run_goal_hint", "goal", word)
}

// namesNoCommand reports whether arguments begin with words that name no command. It returns the
// words without flags.
func (s *commands) namesNoCommand(root *cobra.Command) (unknown []string, ok bool) {
	for i, arg := range s.args {
		if i > 0 && s.args[i-1] == "--config" {
			continue // its value
		}
		if !strings.HasPrefix(arg, "-") {
			unknown = append(unknown, arg)
		}
	}
	return unknown, len(unknown) > 0 && !slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == unknown[0] || c.HasAlias(unknown[0]) })
}
