package system

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/installed"
	"errand/planner/message"
)

// LaunchName is the launcher's name. "Shell" means the desktop shell; no command
// shell is involved.
const LaunchName = "system.apps.launch.shell"

const launchSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "app_name": {"type": "string", "minLength": 1, "maxLength": 200, "description": "catalogue id of the app, such as calculator or chrome, or the id of an installed .desktop file, such as org.gnome.Maps.desktop"},
    "desktop_file": {"type": "string", "minLength": 1, "maxLength": 4096, "description": "only with the id of a .desktop file: the file that it has to be"},
    "url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "page to open; only with a browser"},
    "args": {"type": "array", "maxItems": 32, "items": {"type": "string", "minLength": 1, "maxLength": 4096}, "description": "file names or words for the app; no options, no addresses, not with a browser"}
  },
  "required": ["app_name"],
  "additionalProperties": false
}`

// settle is how long a started app is watched. A failure in that time is reported.
// An app that exits successfully has passed the request to a running instance, as
// browsers and editors do. Without a display, an app may need longer until it fails.
const (
	settle      = 1500 * time.Millisecond
	settleBlind = 4 * time.Second
)

func launchTool(o Options) tool.Tool {
	l := launcher{o}
	return launching{tool.Func(tool.Spec{
		Name:            LaunchName,
		Description:     "Start an app of the catalogue or an installed one, or open a page in the managed browser when app_name is a browser and url is given.",
		ArgsSchema:      []byte(launchSchema),
		TimeoutMS:       60_000, // the first page load on a slow machine
		RetryProfile:    tool.RetryNone,
		SideEffectClass: tool.Write,
		Effect:          tool.EffectNavigate,
		CanAchieve:      []string{"app_launch", "browser_navigate", "browser_search", "browser_open"},
		Effects:         []string{"browser_running", "page_open", "url_loaded"},
		PageOfURL:       new(tool.OpensPage),
		Source:          "builtin",
		Display:         display.Tool{Summary: [][]string{{"url", "app_name"}, {"app_name"}}, View: display.View{Passing: true}}.WithName(LaunchName),
	}, l.call)}
}

// launching is the launcher tool.
type launching struct{ tool.Tool }

var _ tool.Reconciler = launching{}

// Reconcile implements [tool.Reconciler]. A page may be opened again, because that
// changes nothing permanent. For an app the effect is unknown, because the user
// may have started it.
func (launching) Reconcile(_ context.Context, call tool.Call) (tool.Reconciled, error) {
	if url, _ := call.Args["url"].(string); url != "" {
		return tool.Reconciled{Effect: tool.Released}, nil
	}
	return tool.Reconciled{Effect: tool.Unknown}, nil
}

type launcher struct{ Options }

func (l launcher) call(ctx context.Context, call tool.Call) (tool.Result, error) {
	req, err := readLaunch(call.Args)
	if err != nil {
		return tool.Result{Error: err}, nil
	}
	browser := l.Browser(req.app)
	if err := req.check(browser); err != nil {
		return tool.Result{Error: err}, nil
	}
	if installed.IsID(req.app) {
		return l.startInstalled(ctx, req), nil
	}
	if req.url != "" {
		if l.OpenURL == nil {
			return tool.Result{Error: tool.UnavailableError("browser_unavailable",
				message.New("system.browser_unavailable", "url", req.url)).
				WithHint(message.New("system.run_doctor"))}, nil
		}
		r, err := l.OpenURL(ctx, req.url)
		if err != nil && ctx.Err() == nil { // the page did not open, and nothing else happened
			r.OK, r.Error, err = false, tool.AsError(err), nil
		}
		return r, err
	}
	path, argv, lerr := l.find(req.app)
	if lerr != nil {
		return tool.Result{Error: lerr}, nil
	}
	if missing := missingDisplay(); browser && !missing.IsZero() && !slices.ContainsFunc(argv, isHeadless) {
		return tool.Result{Error: noDisplay(tool.ToolUnavailable, req.app, missing)}, nil
	}
	return l.start(ctx, req.app, path, append(argv, req.args...), homeDir()), nil
}

// launch is the parsed arguments of a call.
type launch struct {
	app, url string
	file     string // that describes an installed app
	args     []string
}

func readLaunch(args map[string]any) (launch, *tool.Error) {
	var req launch
	for name, v := range args {
		ok := true
		switch name {
		case "app_name":
			req.app, ok = v.(string)
		case "url":
			req.url, ok = v.(string)
		case "desktop_file":
			req.file, ok = v.(string)
		case "args":
			req.args, ok = stringList(v)
		default:
			return launch{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("system.unknown_argument", "tool", LaunchName, "argument", name))
		}
		if !ok {
			return launch{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("system.bad_argument", "tool", LaunchName, "argument", name))
		}
	}
	if req.app == "" {
		return launch{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("system.no_app_name", "tool", LaunchName))
	}
	return req, nil
}

func stringList(v any) ([]string, bool) {
	switch list := v.(type) {
	case []string:
		return list, true
	case []any:
		out := make([]string, len(list))
		for i, e := range list {
			s, ok := e.(string)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		return out, true
	}
	return nil, false
}

// address matches text that a program may take for a URL. A single letter before
// the colon is a drive, not a scheme.
var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^[a-z][a-z0-9+.-]+:`) })

// check refuses arguments that could make an app do more than start. An option can
// name a command to run (a terminal's -e, a browser's --renderer-cmd-prefix). An
// address would be opened without a policy check, and a browser may take any word
// for an address.
func (req launch) check(browser bool) *tool.Error {
	if req.url != "" && !browser {
		return tool.NewError(tool.ValidationError, "url_needs_browser",
			message.New("system.url_needs_browser", "url", req.url, "app", req.app)).
			WithHint(message.New("system.use_chrome"))
	}
	if req.file != "" && !installed.IsID(req.app) {
		return tool.NewError(tool.ValidationError, "invalid_args", message.New("system.file_needs_id", "app", req.app))
	}
	if len(req.args) > 0 && installed.IsID(req.app) { // it may be a browser or a terminal
		return tool.NewError(tool.ValidationError, "args_refused", message.New("system.installed_takes_no_args", "app", req.app))
	}
	if len(req.args) > 0 && browser {
		return tool.NewError(tool.ValidationError, "args_refused",
			message.New("system.browser_takes_no_args", "app", req.app))
	}
	for _, a := range req.args {
		switch {
		case strings.HasPrefix(a, "-"), os.PathSeparator == '\\' && strings.HasPrefix(a, "/"):
			return tool.NewError(tool.ValidationError, "option_refused",
				message.New("system.option_refused", "app", req.app, "argument", a)).
				WithHint(message.New("system.options_in_config"))
		case address().MatchString(a):
			return tool.NewError(tool.ValidationError, "url_refused",
				message.New("system.address_refused", "app", req.app, "argument", a))
		case a == "" || strings.ContainsRune(a, 0):
			return tool.NewError(tool.ValidationError, "invalid_args", message.New("system.argument_refused", "app", req.app, "argument", a))
		}
	}
	return nil
}

// find returns the first candidate whose executable exists. The returned vector is
// a copy without the executable.
func (l launcher) find(app string) (path string, argv []string, _ *tool.Error) {
	argvs, ok := l.App(app)
	if !ok {
		return "", nil, tool.UnavailableError("unknown_app", message.New("system.unknown_app", "app", app)).
			WithHint(message.New("system.configure_app", "app", app))
	}
	var tried []message.Message
	for _, candidate := range argvs {
		if len(candidate) == 0 {
			continue
		}
		path, err := l.LookPath(candidate[0])
		if err == nil {
			return path, append([]string(nil), candidate[1:]...), nil
		}
		looked := message.New("system.tried", "program", candidate[0])
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) { // it is there and can't be run
			looked = message.New("system.tried_failed", "program", candidate[0], "cause", err)
		}
		tried = append(tried, looked)
	}
	if len(tried) == 0 {
		tried = append(tried, message.New("system.no_exec"))
	}
	return "", nil, tool.UnavailableError("app_not_installed", message.New("system.app_not_installed", "app", app, "tried", tried)).
		WithHint(message.New("system.install_app", "app", app))
}

// start runs the app in its own session, so that it outlives this program and gets
// no signals of its terminal.
func (l launcher) start(ctx context.Context, app, path string, argv []string, folder string) tool.Result {
	if err := ctx.Err(); err != nil {
		return tool.Result{Error: tool.AsError(err)}
	}
	// Don't use CommandContext: the app must outlive the call.
	cmd := exec.Command(path, argv...)
	cmd.Dir = folder // ours would stay in use and could not be unmounted
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil { // standard streams are the null device
		return tool.Fail(tool.ExecutionError, "start_failed", message.New("system.start_failed", "app", app, "cause", err))
	}
	pid := cmd.Process.Pid

	// Wait prevents a zombie. The goroutine ends with the app or with this
	// program.
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	missing, watched := missingDisplay(), settle
	if !missing.IsZero() {
		watched = settleBlind
	}
	payload := map[string]any{"app": app, "app_name": app, "executable": path, "pid": float64(pid), "running": true}
	timer := time.NewTimer(watched)
	defer timer.Stop()
	select {
	case err := <-ended:
		if err != nil && !missing.IsZero() {
			return tool.Result{Error: noDisplay(tool.ExecutionError, app, message.New("system.failed_without_display", "program", path, "cause", err, "display", missing))}
		}
		if err != nil {
			return tool.Result{Error: tool.NewError(tool.ExecutionError, "app_failed", message.New("system.app_failed", "app", app, "program", path, "cause", err)).
				WithHint(message.New("system.run_in_terminal", "program", filepath.Base(path)))}
		}
		payload["running"] = false // handed over to an instance that runs already
	case <-timer.C:
	case <-ctx.Done(): // the app has started anyway
	}
	res := tool.OK(payload)
	res.World = &tool.WorldChange{AppStarted: app}
	return res
}

// noDisplay is the error of an app that could not show a window.
func noDisplay(class tool.Class, app string, cause message.Message) *tool.Error {
	e := tool.NewError(class, "no_display", message.New("system.start_failed", "app", app, "cause", cause)).
		WithHint(message.New("system.set_display"))
	e.Retriable = false
	return e
}

// isHeadless reports whether an option of a browser asks it not to show a window.
func isHeadless(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return strings.TrimLeft(name, "-") == "headless"
}

func homeDir() string {
	if home, err := os.UserHomeDir(); err == nil {
		if info, err := os.Stat(home); err == nil && info.IsDir() {
			return home
		}
	}
	return string(filepath.Separator)
}
