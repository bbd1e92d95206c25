package cli

import (
	"os"

	"github.com/mattn/go-isatty"
)

// Process is the System of the running program.
func Process() System {
	return System{
		Args: os.Args[1:], Env: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Color:  terminal(os.Stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		CanAsk: terminal(os.Stdin) && terminal(os.Stderr),
	}
}

func terminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }
