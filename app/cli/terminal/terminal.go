// Package terminal controls the terminal that the program runs in.
package terminal

import (
	"os"

	"github.com/mattn/go-isatty"
)

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }
