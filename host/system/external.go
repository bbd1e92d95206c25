package system

import (
	"context"
	"os/exec"
	"runtime"

	"errand/host/tool"
)

// openers are the programs that hand a URL to the person's default browser.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
	"linux":   {"xdg-open"},
}

// OpenExternal hands a URL that policy has allowed to the person's default
// browser. From there on no policy of this program holds: the browser resolves
// and loads by itself, and the record ends with the hand-over.
func OpenExternal(ctx context.Context, url string) (tool.Result, error) {
	argv, ok := openers[runtime.GOOS]
	if !ok {
		argv = openers["linux"]
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return tool.Result{Error: tool.Errorf(tool.ToolUnavailable, "no_default_browser",
			"open %q in the default browser: %s is not installed", url, argv[0]).
			WithHint("install xdg-utils, or set mode = \"managed\" in [browser]")}, nil
	}
	result := launcher{}.start(ctx, "default browser", path, append(argv[1:len(argv):len(argv)], url))
	if result.OK {
		result.Payload = map[string]any{"url": url, "external": true}
		result.World = &tool.WorldChange{BrowserLastURL: url}
	}
	return result, nil
}
