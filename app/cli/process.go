package cli

import (
	"os"

	"errand/app/cli/terminal"
)

// Process is the System of the running program.
func Process() System {
	colored := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	program, _ := os.Executable() // "" if it is unknown
	return System{
		Program: program,
		Args:    os.Args[1:], Env: os.Environ(), Work: workingFolder(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: terminal.IsTerminal(os.Stdout), Color: colored && terminal.IsTerminal(os.Stdout), ColorErr: colored && terminal.IsTerminal(os.Stderr),
		TerminalErr: terminal.IsTerminal(os.Stderr), TerminalID: terminal.ID(os.Stdin, os.Stderr, os.Stdout),
		CanAsk:  terminal.IsTerminal(os.Stdin) && terminal.IsTerminal(os.Stderr),
		Discard: func() { terminal.Discard(os.Stdin) },
		Hide:    func() (func(), bool) { return terminal.Hide(os.Stdin) },
	}
}

// workingFolder returns the current folder, or "" if it was deleted.
func workingFolder() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
