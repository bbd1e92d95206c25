// Package shell has what the commands of the command line share: opening the
// program, the language of its messages, and what `last` refers to.
package shell

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"errand/app"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/config"
	"errand/host/tool"
)

// Shell is one invocation of the command line.
type Shell struct {
	*print.Console
	*input.Reader
	Env        []string // as os.Environ gives it
	Work       string   // the folder that the user is in; empty if there is none
	Program    string   // path of the program, to start it as the resident process; empty: it is not started
	ConfigFile string   // of --config; empty: the default one
	TerminalID string   // tells the terminal from others; empty: there is none

	app        *app.App
	configured *string // the setting ui.language, where the program is not open; nil: not read yet
}

// New returns a Shell that chooses the language of the console's messages.
func New(console *print.Console, reader *input.Reader, env []string, work string) *Shell {
	s := &Shell{Console: console, Reader: reader, Env: env, Work: work}
	s.Language, s.ShownDraft, s.ShownRun = s.language, s.rememberDraft, s.rememberRun
	return s
}

// Open opens the program for a command.
func (s *Shell) Open(o app.Options) (*app.App, error) {
	if s.app != nil {
		return s.app, nil
	}
	o.Conversation = "cli"
	if o.Demo { // a real run must not mean a page of the demo
		o.Conversation = "demo"
	}
	o.Config, o.LeftOut = config.Options{File: s.ConfigFile, Env: s.Env, Work: s.Work}, s.LeftOut
	o.Program = s.ProgramLine()
	app, err := app.Open(o)
	s.app = app
	return app, err
}

// ProgramLine returns the command line that starts the program again, nil if it is unknown.
func (s *Shell) ProgramLine() []string {
	if s.Program == "" {
		return nil
	}
	return []string{s.Program}
}

// LeftOut says that the program goes on without a plugin, or without any that is
// installed.
func (s *Shell) LeftOut(why *tool.Error) {
	s.Say("cli.plugins_left_out", "note", print.PaintMessage(print.Yellow, "cli.note"), "reason", why.Message)
	s.SayHint(why.Hint)
}

// WithApp runs a command with the open program.
func (s *Shell) WithApp(do func(ctx context.Context, app *app.App, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		app, err := s.Open(app.Options{})
		if err != nil {
			return err
		}
		return do(cmd.Context(), app, args)
	}
}

// WithID runs a command with the open program, the id that resolve finds for the first
// argument, and the other arguments.
func (s *Shell) WithID(resolve Resolver, do func(ctx context.Context, app *app.App, id string, rest []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		app, id, err := s.OpenAndResolve(cmd.Context(), args[0], resolve, app.Options{})
		if err != nil {
			return err
		}
		return do(cmd.Context(), app, id, args[1:])
	}
}

// OpenAndResolve opens the program and returns the id that resolve finds for an
// argument.
func (s *Shell) OpenAndResolve(ctx context.Context, arg string, resolve Resolver, o app.Options) (*app.App, string, error) {
	app, err := s.Open(o)
	if err != nil {
		return nil, "", err
	}
	id, err := resolve(ctx, app, arg)
	return app, id, err
}

// OpenFor opens the program to go on with a draft or run as it was opened when that
// was made: in the demo, with the hosts that were allowed for the run. It returns
// the id that resolve finds for an argument.
func (s *Shell) OpenFor(ctx context.Context, arg string, resolve Resolver, o app.Options) (*app.App, string, error) {
	app, id, err := s.OpenAndResolve(ctx, arg, resolve, o)
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
	app, err = s.Open(o)
	return app, id, err
}

// Close closes the program if a command opened it.
func (s *Shell) Close() error {
	if s.app == nil {
		return nil
	}
	return s.app.Close()
}
