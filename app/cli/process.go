package cli

import (
	"os"

	"github.com/mattn/go-isatty"
)

// Process is the System of the running program.
func Process() System {
	colored := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return System{
		Args: os.Args[1:], Env: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: terminal(os.Stdout), Color: colored && terminal(os.Stdout), ColorErr: colored && terminal(os.Stderr),
		CanAsk:  terminal(os.Stdin) && terminal(os.Stderr),
		Discard: func() { discard(os.Stdin) },
		Hide:    func() (func(), bool) { return hide(os.Stdin) },
	}
}

func terminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }
