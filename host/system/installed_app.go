package system

import (
	"context"
	"os"
	"path/filepath"

	"errand/host/tool"
	"errand/planner/message"
)

// Installed is an installed app as its .desktop file describes it.
type Installed struct {
	File     string   // absolute path
	Name     string   // as its menu shows it; "": the id
	Argv     []string // the program, for PATH or as an absolute path, and its arguments
	Folder   string   // to work in; "": the user's home
	Terminal bool     // the program needs a terminal
	Names    []string // of its program and its windows, in lower case
}

// terminals are programs that run another one in a window, with what precedes its command line.
var terminals = [][]string{
	{"xdg-terminal-exec"},
	{"x-terminal-emulator", "-e"},
	{"gnome-terminal", "--"},
	{"kgx", "--"},
	{"konsole", "-e"},
	{"xfce4-terminal", "-x"},
	{"kitty"},
	{"alacritty", "-e"},
	{"xterm", "-e"},
}

// startInstalled starts an installed app. Its file must be the one that the call names, if it names
// one: another file can come to have the same id.
func (l launcher) startInstalled(ctx context.Context, req launch) tool.Result {
	app, err := l.Installed(req.app)
	switch {
	case err != nil:
		return tool.Result{Error: tool.NewError(tool.ToolUnavailable, "app_not_installed", message.New("system.entry_unusable", "app", req.app, "cause", err)).
			WithHint(message.New("system.install_app", "app", req.app))}
	case req.file != "" && req.file != app.File:
		return tool.Result{Error: tool.NewError(tool.ToolUnavailable, "app_changed", message.New("system.entry_moved", "app", req.app, "planned", req.file, "file", app.File))}
	}
	argv := app.Argv
	if app.Terminal {
		terminal := l.findTerminal()
		if terminal == nil {
			return tool.Result{Error: tool.NewError(tool.ToolUnavailable, "no_terminal", message.New("system.no_terminal", "app", req.app)).
				WithHint(message.New("system.run_in_terminal", "program", filepath.Base(argv[0])))}
		}
		argv = append(terminal, argv...)
	}
	path, err := l.LookPath(argv[0])
	if err != nil {
		return tool.Result{Error: tool.NewError(tool.ToolUnavailable, "app_not_installed", message.New("system.entry_program_missing", "app", req.app, "file", app.File, "program", argv[0], "cause", err)).
			WithHint(message.New("system.install_app", "app", req.app))}
	}
	folder := homeDir()
	if info, err := os.Stat(app.Folder); err == nil && info.IsDir() && filepath.IsAbs(app.Folder) {
		folder = app.Folder
	}
	r := l.start(ctx, req.app, path, argv[1:], folder)
	if payload, ok := r.Payload.(map[string]any); ok && app.Name != "" {
		payload["app"] = app.Name
	}
	return r
}

// findTerminal returns the first terminal that is here, as the start of a command line; nil: none.
func (l launcher) findTerminal() []string {
	for _, t := range terminals {
		if _, err := l.LookPath(t[0]); err == nil {
			return append([]string(nil), t...)
		}
	}
	return nil
}
