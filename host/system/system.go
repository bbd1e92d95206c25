// Package system is the tools of the program itself: starting an app of the
// catalogue and telling what the machine is doing. It also takes the snapshot
// that a plan starts from.
//
// Nothing here goes through a shell and nothing asks another program: an app
// is started from an argument vector of the catalogue, the machine is read
// with gopsutil and the standard library, the window in front over the X11
// socket. No call opens a network connection.
package system

import (
	"context"
	"os/exec"
	"time"

	"errand/host/tool"
)

// App is an app of the catalogue, as far as this package needs it.
type App struct {
	ID string
	// Exec are the argument vectors to try in order. Each has at least the
	// executable: a name that is looked up in PATH, or an absolute path.
	Exec    [][]string
	Browser bool
}

// Options are what the tools need from outside. The zero Options give tools
// that know no app and open no page, and still answer questions.
type Options struct {
	// App answers the argument vectors of the app with this catalogue id, to
	// be tried in order.
	App func(id string) (argvs [][]string, ok bool)
	// Browser says whether the id means a web browser.
	Browser func(id string) bool
	// Apps lists the catalogue, for telling which of its apps are running.
	Apps func() []App
	// OpenURL opens a page in the managed browser, after its own policy check.
	OpenURL func(ctx context.Context, url string) (tool.Result, error)

	// Allowed says why a URL is not handed to another browser; nil: it is. Where it
	// is not set, none is.
	Allowed func(ctx context.Context, url string) *tool.Error

	// LookPath finds an executable; nil means [exec.LookPath].
	LookPath func(file string) (string, error)
	// Now is the clock; nil means [time.Now].
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.App == nil {
		o.App = func(string) ([][]string, bool) { return nil, false }
	}
	if o.Browser == nil {
		o.Browser = func(string) bool { return false }
	}
	if o.Apps == nil {
		o.Apps = func() []App { return nil }
	}
	if o.LookPath == nil {
		o.LookPath = exec.LookPath
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Tools are system.apps.launch.shell, system.query and system.open_external.
func Tools(o Options) []tool.Tool {
	o = o.withDefaults()
	return []tool.Tool{launchTool(o), queryTool(o), externalTool(o)}
}
