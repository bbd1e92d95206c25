package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Hide makes a console show nothing of what is typed, until show is called.
func Hide(f *os.File) (show func(), ok bool) {
	var was uint32
	console := windows.Handle(f.Fd())
	if windows.GetConsoleMode(console, &was) != nil {
		return nil, false
	}
	now := was&^windows.ENABLE_ECHO_INPUT | windows.ENABLE_LINE_INPUT | windows.ENABLE_PROCESSED_INPUT
	if windows.SetConsoleMode(console, now) != nil {
		return nil, false
	}
	return func() {
		_ = windows.SetConsoleMode(console, was)
		_, _ = os.Stderr.WriteString("\n") // which was not shown either
	}, true
}
