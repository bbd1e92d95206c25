// Package system has the tools that start apps of the catalogue and report the
// machine's state. It also takes the snapshot that a plan starts from.
//
// It uses no shell and asks no other program. An app is started with an argument
// vector of the catalogue. gopsutil and the standard library read the machine's
// state, and the X11 socket provides the front window. No call opens a network
// connection.
package system

import (
	"context"
	"os/exec"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// App is an app of the catalogue with the fields for this package.
type App struct {
	ID string
	// Exec are the argument vectors to try in order. Each starts with the
	// executable: a name for PATH or an absolute path.
	Exec    [][]string
	Browser bool
}

// Options configure the tools. With the zero Options they know no app and open no
// page, but report the machine's state.
type Options struct {
	// App returns the argument vectors of the app with a catalogue id, to be tried
	// in order.
	App func(id string) (argvs [][]string, ok bool)
	// AppNames are the names of the installed apps, sorted. Nil: there are none.
	AppNames func() []string
	// Installed finds an installed app by its desktop file id. Nil: there are none. The error says why
	// it can't be started.
	Installed func(id string) (Installed, error)
	// Browser reports whether the id is a web browser.
	Browser func(id string) bool
	// Apps returns the catalogue, to find which apps are running.
	Apps func() []App
	// OpenURL opens a page in the managed browser, after its own policy check.
	OpenURL func(ctx context.Context, url string) (tool.Result, error)

	// Allowed returns why a URL must not be opened in another browser, or nil. If
	// Allowed is nil, every URL is refused.
	Allowed func(ctx context.Context, url string) *tool.Error

	// Roots returns the granted folders, in which files and folders may be opened. Nil grants
	// none.
	Roots func() []string
	// Granted are those of Roots that the user allowed for a run or until revoked.
	Granted []string

	// Settings reads and changes the program's settings. Nil: none can be changed.
	Settings Settings

	// LookPath finds an executable. Nil means [exec.LookPath].
	LookPath func(file string) (string, error)
	// Now is the clock. Nil means [time.Now].
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.App == nil {
		o.App = func(string) ([][]string, bool) { return nil, false }
	}
	if o.Installed == nil {
		o.Installed = func(id string) (Installed, error) {
			return Installed{}, message.Error("system.no_such_entry", "id", id)
		}
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

// Tools returns system.apps.launch.shell, system.apps.close, system.apps.switch, system.apps.minimize, system.apps.maximize, system.query, system.open_external,
// system.open_path, system.set_setting and system.calculate.
func Tools(o Options) []tool.Tool {
	o = o.withDefaults()
	return append(dayTools(o), launchTool(o), closeTool(o), switchTool(o), minimizeTool(o), maximizeTool(o), queryTool(o), externalTool(o), openPathTool(o), setSettingTool(o), calculateTool())
}
