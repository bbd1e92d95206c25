// Package cli is the command line, one file for each command. Groups of commands
// are in packages beside it: plugincmd, policycmd, draftcmd and recordcmd. What
// commands share is in [shell]; what they print, and their exit codes, in [print];
// what they read, in [input].
package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"errand/app/cli/help"
	"errand/app/cli/input"
	"errand/app/cli/print"
	"errand/app/cli/shell"
	"errand/planner/message"
)

// System is the environment of a command as values, so that tests can replace the process.
type System struct {
	Args        []string // without the program's name
	Env         []string // in the format of os.Environ
	Work        string   // the current folder; empty if it was deleted
	Stdin       io.Reader
	Stdout      io.Writer
	Stderr      io.Writer
	Terminal    bool // standard output is a terminal
	TerminalErr bool // standard error is
	// TerminalID identifies the terminal, as far as a file's name can. It is empty without a
	// terminal.
	TerminalID string
	Color      bool // standard output is a terminal that shows colours
	ColorErr   bool // standard error is
	CanAsk     bool // standard input and error are a terminal
	// Discard discards typed input that was not read yet. It is nil if standard input is not a
	// terminal.
	Discard func()
	// Hide makes the terminal hide typed input until show is called. ok is false if the terminal
	// can't. Nil means the same.
	Hide func() (show func(), ok bool)
	// Program is the path of the program, which can be started as the resident process. Empty: it
	// is not started, and pages are not shown in a window that stays.
	Program string
	// Page has the files of `errand serve`, with index.html at its root. Nil: the program was built
	// without them.
	Page fs.FS
}

// Main runs one command and returns its exit code. When ctx ends the command
// stops what it is doing, cleans up and returns 130.
func Main(ctx context.Context, sys System) int {
	out := &print.Sink{Writer: sys.Stdout}
	sys.Stdout = out
	s := newCommands(ctx, sys)
	args, short := expandGoal(sys.Args)
	var only []group
	if g, ok := findGroup(args); ok {
		only = append(only, g)
	}
	root := s.root(only...)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd { // which offers help texts
		help.Describe(root, s.SpokenLanguage())
	}
	s.shortForm = short
	root.SetArgs(args)
	root.SetIn(s.Stdin)
	root.SetOut(s.Stdout)
	root.SetErr(s.Stderr)
	err := root.ExecuteContext(ctx)
	if closeErr := s.Close(); closeErr != nil && err == nil {
		err = closeErr
	}
	if out.Err != nil && (err == nil || errors.Is(err, out.Err)) {
		err = message.Error("cli.write_answer", "cause", out.Err)
	}
	if err == nil {
		return int(s.Code)
	}
	return int(s.Fail(ctx, err, out.Err != nil))
}

// commands makes the commands of errand for one invocation.
type commands struct {
	*shell.Shell
	page      fs.FS    // what `errand serve` shows
	args      []string // of the program
	shortForm bool     // the goal was given in quotes, without `run`
}

func newCommands(ctx context.Context, sys System) *commands {
	in := input.New(ctx, sys.Stdin)
	if sys.Page == nil {
		sys.Page = noPage{}
	}
	console := &print.Console{
		Writer: print.Writer{Stdout: sys.Stdout, Stderr: sys.Stderr, Color: sys.Color, ColorErr: sys.ColorErr},
		In:     in.Stdin, Terminal: sys.Terminal, TerminalErr: sys.TerminalErr, CanAsk: sys.CanAsk, Discard: sys.Discard, Hide: sys.Hide,
		JSON: wantsJSON(sys.Args),
	}
	sh := shell.New(console, in, sys.Env, sys.Work)
	sh.TerminalID, sh.Program = sys.TerminalID, sys.Program
	return &commands{Shell: sh, page: sys.Page, args: sys.Args}
}

// wantsJSON looks for --json before the flags are parsed, because errors in the flags must have
// the requested format, too.
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

// noPage is the page of a program without one.
type noPage struct{}

func (noPage) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
