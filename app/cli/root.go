package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app"
	"errand/app/cli/draftcmd"
	"errand/app/cli/help"
	"errand/app/cli/mcpcmd"
	"errand/app/cli/plugincmd"
	"errand/app/cli/policycmd"
	"errand/app/cli/print"
	"errand/app/cli/recordcmd"
	"errand/app/cli/servecmd"
	"errand/app/cli/telegramcmd"
	"errand/app/cli/timercmd"
	"errand/planner/message"
)

// group has the names of commands and the function that makes them.
type group struct {
	names []string
	make  func(s *commands) []*cobra.Command
}

// groups make the commands of errand. The file of each command of this package adds its own.
var groups = []group{
	{[]string{"plugin"}, func(s *commands) []*cobra.Command { return []*cobra.Command{plugincmd.Command(s.Shell)} }},
	{[]string{"policy"}, func(s *commands) []*cobra.Command { return []*cobra.Command{policycmd.Command(s.Shell)} }},
	{[]string{"drafts", "approve", "apply", "reject", "edit", "answer"}, func(s *commands) []*cobra.Command { return draftcmd.Commands(s.Shell) }},
	{[]string{"serve"}, func(s *commands) []*cobra.Command { return []*cobra.Command{servecmd.Command(s.Shell, s.page)} }},
	{[]string{"mcp"}, func(s *commands) []*cobra.Command { return []*cobra.Command{mcpcmd.Command(s.Shell)} }},
	{[]string{"telegram"}, func(s *commands) []*cobra.Command { return []*cobra.Command{telegramcmd.Command(s.Shell)} }},
	{[]string{"timers"}, func(s *commands) []*cobra.Command { return timercmd.Commands(s.Shell) }},
	{[]string{"runs", "show", "replay", "export", "undo"}, func(s *commands) []*cobra.Command { return recordcmd.Commands(s.Shell) }},
}

func addCommand(name string, constructor func(s *commands) *cobra.Command) {
	groups = append(groups, group{[]string{name}, func(s *commands) []*cobra.Command { return []*cobra.Command{constructor(s)} }})
}

// findGroup returns the group of the command that arguments begin with: a run of the
// program makes no other commands. ok is false if all are needed, because the first
// argument is a flag, help or unknown.
func findGroup(args []string) (g group, ok bool) {
	for _, g := range groups {
		if len(args) > 0 && slices.Contains(g.names, args[0]) {
			return g, true
		}
	}
	return group{}, false
}

// root makes the command errand with the commands of a group, or of all groups.
func (s *commands) root(only ...group) *cobra.Command {
	root := &cobra.Command{
		Use:               "errand",
		Version:           app.Version,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.JSON { // and no help is one JSON document
				return print.BadUsage("cli.no_command").Hint("cli.no_command_hint")
			}
			return cmd.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	root.SetVersionTemplate("errand {{.Version}}\n")
	root.PersistentFlags().BoolVarP(&s.Quiet, "quiet", "q", false, "")
	root.PersistentFlags().StringVar(&s.ConfigFile, "config", "", "")
	s.AddJSONFlag(root) // so that a wrong command is answered in the form that was asked for
	if err := root.Flags().MarkHidden("json"); err != nil {
		panic(err) // the flag was made one line above
	}
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return s.unknownCommand(cmd, args)
	}
	root.CompletionOptions.DisableDefaultCmd = len(only) > 0
	for _, g := range only {
		root.AddCommand(g.make(s)...)
	}
	if len(only) == 0 {
		for _, g := range groups {
			root.AddCommand(g.make(s)...)
		}
		root.InitDefaultHelpCmd()
		root.InitDefaultCompletionCmd()
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help.Print(s.Stdout, c, s.SpokenLanguage()) })
	for _, c := range help.Commands(root) {
		c.SetFlagErrorFunc(s.flagError)
		if c.HasParent() && c.Parent().Name() == "completion" {
			c.Args = print.NoArgs
		}
		switch {
		case c.Name() == "help":
			c.Args = func(cmd *cobra.Command, args []string) error {
				if found, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return s.unknownCommand(found, args[len(args)-max(len(rest), 1):])
				}
				return nil
			}
		case c.HasSubCommands() && c != root && c.RunE == nil:
			c.Args = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 && args[0] == "help" { // errand help of it, from the other end
					return nil
				}
				return root.Args(cmd, args)
			}
			c.RunE = func(cmd *cobra.Command, args []string) error {
				found, rest, err := cmd.Find(args[min(1, len(args)):])
				if err != nil || len(rest) > 0 {
					return s.unknownCommand(cmd, args[1:])
				}
				return found.Help()
			}
		}
	}
	return root
}

// noAnswer is the error for --json with a command that only contains others.
func noAnswer(cmd *cobra.Command) error {
	var with []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Flags().Lookup("json") != nil {
			with = append(with, cmd.CommandPath()+" "+c.Name())
		}
	}
	return print.BadUsage("cli.needs_command", "command", cmd.CommandPath()).Hint("cli.json_goes_with", "commands", with)
}

// flagError converts an error of the flags to a usage error.
func (s *commands) flagError(cmd *cobra.Command, err error) error {
	see := message.New("cli.see_help", "command", cmd.CommandPath())
	if unknown, ok := s.namesNoCommand(cmd); ok && !cmd.HasParent() {
		return s.unknownCommand(cmd, unknown)
	}
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown, see)
	case errors.As(err, &missing):
		return print.BadUsage("cli.flag_value_missing", "flag", "--"+missing.GetFlag().Name).HintOf(see)
	case errors.As(err, &invalid):
		return print.BadUsage("cli.flag_value_invalid", "flag", "--"+invalid.GetFlag().Name, "value", invalid.GetValue()).HintOf(see)
	case errors.As(err, &syntax):
		return print.BadUsage("cli.flag_syntax", "flag", syntax.GetSpecifiedFlag()).HintOf(see)
	}
	return print.BadUsageOf(err).HintOf(see)
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError, see message.Message) error {
	name := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return print.BadUsage("cli.unknown_flag", "flag", "-"+name).HintOf(see)
	}
	if name == "json" && cmd.HasSubCommands() && cmd.HasParent() {
		return noAnswer(cmd)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if near := message.Nearest(name, known); near != "" {
		see = message.New("cli.did_you_mean_flag", "flag", "--"+near)
	}
	return print.BadUsage("cli.unknown_flag", "flag", "--"+name).HintOf(see)
}
