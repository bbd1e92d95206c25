package system

import (
	"context"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// ExternalName is the name of the tool that opens a page in the default browser.
const ExternalName = "system.open_external"

const externalSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "http or https URL"}
  },
  "required": ["url"],
  "additionalProperties": false
}`

func externalTool(o Options) tool.Tool {
	return tool.Func(tool.Spec{
		Name: ExternalName,
		Description: "Open an allowed page in the user's own default browser. From there on the page is the user's: nothing is automated, " +
			"and no policy of this program holds.",
		ArgsSchema:      []byte(externalSchema),
		TimeoutMS:       10_000,
		RetryProfile:    tool.RetryNone,
		SideEffectClass: tool.Write,
		Effect:          tool.EffectNavigate,
		CanAchieve:      []string{"open_external"},
		Effects:         []string{"opened_externally"},
		Source:          "builtin",
		Display:         display.Tool{Summary: display.OneOf("url")}.WithName(ExternalName),
	}, func(ctx context.Context, call tool.Call) (tool.Result, error) {
		raw, _ := call.Args["url"].(string)
		if fault := handable(raw); fault != nil {
			return tool.Result{Error: fault}, nil
		}
		if o.Allowed == nil {
			return tool.Fail(tool.PolicyDenied, "no_policy", message.New("system.no_policy", "url", raw)), nil
		}
		if fault := o.Allowed(ctx, raw); fault != nil {
			return tool.Result{Error: fault}, nil
		}
		return openExternal(ctx, launcher{o}, raw)
	})
}

// openers are the programs that open a URL in the default browser.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
	"linux":   {"xdg-open"},
}

// handable refuses a URL that an opener could take for something else: an option,
// a file or another program's scheme. It also refuses text that parsers read
// differently. The URL is passed on exactly as it was checked.
func handable(raw string) *tool.Error {
	u, err := url.Parse(raw)
	odd := strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("\\\"'`<>^{}|", r) })
	switch {
	case err != nil, odd:
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.User != nil, !strings.HasPrefix(strings.ToLower(raw), u.Scheme+"://"):
	default:
		return nil
	}
	return tool.NewError(tool.ValidationError, "url_refused", message.New("system.url_refused", "url", raw)).
		WithHint(message.New("system.percent_encode"))
}

// OpenExternal opens a URL that policy has allowed in the user's default browser
// instead of ours. Policy does not apply to that browser, and the record ends
// here. lookPath finds the program that opens it.
func OpenExternal(ctx context.Context, lookPath func(string) (string, error), raw string) (tool.Result, error) {
	if fault := handable(raw); fault != nil {
		return tool.Result{Error: fault}, nil
	}
	r, err := openExternal(ctx, launcher{Options{LookPath: lookPath}}, raw)
	if r.OK {
		r.World = &tool.WorldChange{BrowserLastURL: raw}
	}
	return r, err
}

// OpenFile opens one of this program's own files in the user's default browser.
// path must be absolute.
func OpenFile(ctx context.Context, path string) (tool.Result, error) {
	place := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	return openExternal(ctx, launcher{Options{LookPath: exec.LookPath}}, place.String())
}

func openExternal(ctx context.Context, l launcher, raw string) (tool.Result, error) {
	argv, ok := openers[runtime.GOOS]
	if !ok {
		argv = openers["linux"]
	}
	path, err := l.LookPath(argv[0])
	if err != nil {
		return tool.Result{Error: tool.UnavailableError("no_default_browser",
			message.New("system.no_default_browser", "url", raw, "program", argv[0])).
			WithHint(message.New("system.install_xdg_utils"))}, nil
	}
	result := l.start(ctx, "default browser", path, append(argv[1:len(argv):len(argv)], raw), homeDir())
	if result.OK {
		result.Payload, result.World = map[string]any{"url": raw, "external": true}, nil
	}
	return result, nil
}
