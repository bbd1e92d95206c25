// Package desktop has the tools that control the desktop: the volume, media players, the clipboard,
// notifications, the session and the screen. Each of its packages is one adapter; nothing connects to
// a service before a call needs it.
package desktop

import (
	"os/exec"
	"slices"

	"errand/host/desktop/audio"
	"errand/host/desktop/media"
	"errand/host/tool"
)

// Options configure the tools.
type Options struct {
	// LookPath finds a program. Nil means [exec.LookPath].
	LookPath func(name string) (string, error)
}

// Tools returns the tools for the desktop.
func Tools(o Options) []tool.Tool {
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	return slices.Concat(audio.Tools(o.LookPath), media.Tools())
}
