// Package cli is the command line, one file for each command. What commands
// print, and their exit codes, are in [print]; what they read is in [input]; the
// commands of `errand plugin` are in [plugincmd].
package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"errand/app"
	"errand/app/cli/help"
	"errand/app/cli/input"
	"errand/app/cli/plugincmd"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/host/tool"
	"errand/planner/message"
)

// System is the process that a command runs in, as values, so that tests can
// be one.
type System struct {
	Args     []string // without the program's name
	Env      []string // as os.environ gives it
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	Terminal bool // standard output is a terminal
	Color    bool // standard output is a terminal that shows colours
	ColorErr bool // standard error is
	CanAsk   bool // standard input and error are a terminal
	// Discard throws away typed input that was not read yet. It is nil if standard
	// input is not a terminal.
	Discard func()
	// Hide makes the terminal show nothing of what is typed, until show is called.
	// ok is false where it can't. Nil: it can't.
	Hide func() (show func(), ok bool)
	// Page is what `errand serve` shows, with index.html at its root; nil: the
	// program was built without it.
	Page fs.FS
}

// Main runs one command and returns its exit code. When ctx ends the command
// stops what it is doing, cleans up and returns 130.
func Main(ctx context.Context, sys System) int {
	out := &print.Sink{Writer: sys.Stdout}
	sys.Stdout = out
	s := newShell(ctx, sys)
	args, short := expandGoal(sys.Args)
	root := s.root(only(args)...)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd { // which offers help texts
		help.Describe(root, s.SpokenLanguage())
	}
	s.shortForm = short
	root.SetArgs(args)
	root.SetIn(s.Stdin)
	root.SetOut(s.Stdout)
	root.SetErr(s.Stderr)
	err := root.ExecuteContext(ctx)
	if s.app != nil {
		if closeErr := s.app.Close(); closeErr != nil && err == nil {
			err = closeErr
		}
	}
	if out.Err != nil && (err == nil || errors.Is(err, out.Err)) {
		err = message.Error("cli.write_answer", "cause", out.Err)
	}
	if err == nil {
		return int(s.Code)
	}
	return int(s.Fail(ctx, err, out.Err != nil))
}

// shell is one invocation.
type shell struct {
	*print.Console
	*input.Reader
	env        []string // as os.environ gives it
	page       fs.FS    // what `errand serve` shows
	configFile string
	shortForm  bool // the goal was given in quotes, without `run`
	app        *app.App
	configured *string // the setting ui.language, where the program is not open; nil: not read yet
}

func newShell(ctx context.Context, sys System) *shell {
	in := input.New(ctx, sys.Stdin)
	if sys.Page == nil {
		sys.Page = noPage{}
	}
	s := &shell{
		Console: &print.Console{
			Writer: print.Writer{Stdout: sys.Stdout, Stderr: sys.Stderr, Color: sys.Color, ColorErr: sys.ColorErr},
			In:     in.Stdin, Terminal: sys.Terminal, CanAsk: sys.CanAsk, Discard: sys.Discard, Hide: sys.Hide,
			JSON: wantsJSON(sys.Args),
		},
		Reader: in, env: sys.Env, page: sys.Page,
	}
	s.Language = s.language
	return s
}

// open opens the program for a command.
func (s *shell) open(o app.Options) (*app.App, error) {
	if s.app != nil {
		return s.app, nil
	}
	o.Config, o.LeftOut = config.Options{File: s.configFile, Env: s.env}, s.leftOut
	app, err := app.Open(o)
	s.app = app
	return app, err
}

// leftOut says that the program goes on without a plugin, or without any that is
// installed.
func (s *shell) leftOut(why *tool.Error) {
	s.Say("cli.plugins_left_out", "note", print.PaintMessage(print.Yellow, "cli.note"), "reason", why.Message)
	s.SayHint(why.Hint)
}

// openFor opens the program to go on with a draft or run as it was opened when that
// was made: in the demo, with the hosts that were allowed for the run. It returns
// the id that resolve finds for an argument.
func (s *shell) openFor(ctx context.Context, arg string, resolve resolver, o app.Options) (*app.App, string, error) {
	app, err := s.open(o)
	if err != nil {
		return nil, "", err
	}
	id, err := resolve(ctx, app, arg)
	if err != nil {
		return nil, "", err
	}
	made, err := app.OpenOptionsOf(ctx, id)
	if err != nil || !made.Demo && len(made.Allow) == 0 {
		return app, id, err
	}
	o.Demo = made.Demo
	for _, host := range made.Allow {
		if !slices.Contains(o.Allow, host) {
			o.Allow = append(o.Allow, host)
		}
	}
	s.app = nil
	if err := app.Close(); err != nil {
		return nil, "", err
	}
	app, err = s.open(o)
	return app, id, err
}

// commands make the commands of errand, by name. The file of each adds it.
var commands []namedCommand

type namedCommand struct {
	name string
	make func(s *shell) *cobra.Command
}

func addCommand(name string, command func(s *shell) *cobra.Command) {
	commands = append(commands, namedCommand{name, command})
}

func init() {
	addCommand("plugin", func(s *shell) *cobra.Command {
		return (&plugincmd.Shell{Console: s.Console, Reader: s.Reader, Env: s.env, Open: s.open}).Command()
	})
}

// only returns the command that arguments begin with. It is the only one that they need.
// None means all commands: the first argument is a flag, help or unknown.
func only(args []string) (needed []namedCommand) {
	for _, c := range commands {
		if len(args) > 0 && c.name == args[0] {
			return []namedCommand{c}
		}
	}
	return nil
}

// root makes the command errand with the needed commands below it, or with all.
func (s *shell) root(needed ...namedCommand) *cobra.Command {
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
	root.PersistentFlags().StringVar(&s.configFile, "config", "", "")
	s.AddJSONFlag(root) // so that a wrong command is answered in the form that was asked for
	if err := root.Flags().MarkHidden("json"); err != nil {
		panic(err) // the flag was made one line above
	}
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(cmd, args[0])
	}
	for _, c := range needed {
		root.AddCommand(c.make(s))
	}
	root.CompletionOptions.DisableDefaultCmd = len(needed) > 0
	if len(needed) == 0 {
		for _, c := range commands {
			root.AddCommand(c.make(s))
		}
		root.InitDefaultHelpCmd()
		root.InitDefaultCompletionCmd()
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help.Print(s.Stdout, c, s.SpokenLanguage()) })
	for _, c := range help.Commands(root) {
		c.SetFlagErrorFunc(flagError)
		if c.HasParent() && c.Parent().Name() == "completion" {
			c.Args = print.NoArgs
		}
		switch {
		case c.Name() == "help":
			c.Args = func(cmd *cobra.Command, args []string) error {
				if found, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return unknownCommand(found, args[len(args)-max(len(rest), 1)])
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
					return unknownCommand(cmd, args[1])
				}
				return found.Help()
			}
		}
	}
	return root
}

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

// wantsJSON looks for --json before the flags are parsed: an error in them must
// come in the form that was asked for, wherever it stands.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--":
			return false
		case "--json", "--json=true":
			return true
		}
	}
	return false
}

// words joins a goal given as one or several arguments.
func words(args []string) string { return strings.Join(args, " ") }

// goalText is the goal that arguments give: their words, or standard input for "-".
func (s *shell) goalText(args []string) (string, error) {
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

func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	err := print.BadUsage("cli.unknown_command", "name", name, "command", cmd.CommandPath())
	if near := config.Nearest(name, known); near != "" {
		return err.Hint("cli.did_you_mean", "name", cmd.CommandPath()+" "+near)
	}
	if strings.Contains(name, " ") {
		return err.Hint("cli.run_goal_hint", "goal", name)
	}
	return err.Hint("cli.known_commands", "names", known)
}

// noAnswer is the fault of --json with a command that only holds others.
func noAnswer(cmd *cobra.Command) error {
	var with []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Flags().Lookup("json") != nil {
			with = append(with, cmd.CommandPath()+" "+c.Name())
		}
	}
	return print.BadUsage("cli.needs_command", "command", cmd.CommandPath()).Hint("cli.json_goes_with", "commands", with)
}

// flagError puts an error of the flags into the form of all others.
func flagError(cmd *cobra.Command, err error) error {
	see := message.New("cli.see_help", "command", cmd.CommandPath())
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
	if near := config.Nearest(name, known); near != "" {
		see = message.New("cli.did_you_mean_flag", "flag", "--"+near)
	}
	return print.BadUsage("cli.unknown_flag", "flag", "--"+name).HintOf(see)
}

// noPage is the page of a program that has none.
type noPage struct{}

func (noPage) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
