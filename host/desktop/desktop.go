// Package desktop has the tools that control the desktop: the volume, media players, the clipboard,
// notifications, the session, the screen and the radios. Each of its packages is one adapter; nothing connects to
// a service before a call needs it.
package desktop

import (
	"context"
	"os/exec"
	"slices"

	"errand/host/desktop/audio"
	"errand/host/desktop/brightness"
	"errand/host/desktop/clipboard"
	"errand/host/desktop/media"
	"errand/host/desktop/notify"
	"errand/host/desktop/power"
	"errand/host/desktop/screenshot"
	"errand/host/desktop/toggle"
	"errand/host/tool"
)

// Options configure the tools.
type Options struct {
	// LookPath finds a program. Nil means [exec.LookPath].
	LookPath func(name string) (string, error)
	// Capture takes a picture of the screen of the X server, as PNG. Nil: it can't be taken.
	Capture func(ctx context.Context) ([]byte, error)
}

// backlights is where the kernel lists the backlights of displays.
const backlights = "/sys/class/backlight"

// Tools returns the tools for the desktop.
func Tools(o Options) []tool.Tool {
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	return slices.Concat(audio.Tools(o.LookPath), media.Tools(), clipboard.Tools(o.LookPath), notify.Tools(), power.Tools(), brightness.Tools(backlights), screenshot.Tools(o.Capture), toggle.Tools(o.LookPath))
}
