package chromium

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"errand/host/tool"
)

// Where browsers of the Chromium family are, in order of preference: names
// that are looked up in PATH, then places. Chromium first: it is what a
// distribution ships and what the tests run against.
var (
	browserNames = []string{
		"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
		"microsoft-edge-stable", "microsoft-edge", "brave-browser",
	}
	browserPaths = map[string][]string{
		"linux": {
			"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/lib/chromium/chromium",
			"/usr/bin/google-chrome-stable", "/opt/google/chrome/chrome",
			"/opt/microsoft/msedge/msedge", "/snap/bin/chromium",
		},
		"darwin": {
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
		},
	}
)

// Find looks for the browser's executable: bin alone if it is set (a path or a
// name in PATH), else the usual names and places. Nothing is ever downloaded.
// tried lists every path that was looked at, also when one was found, for
// `errand doctor`. err is a *tool.Error of class tool_unavailable.
func Find(bin string) (path string, tried []string, err error) {
	candidates := []string{bin}
	if bin == "" {
		candidates = append(browserNames[:len(browserNames):len(browserNames)], browserPaths[runtime.GOOS]...)
	}
	for _, c := range candidates {
		if filepath.IsAbs(c) && slices.Contains(tried, c) {
			continue // PATH led here already
		}
		found, look := findExecutable(c)
		tried = append(tried, look...)
		if found != "" {
			return found, tried, nil
		}
	}
	if bin != "" {
		return "", tried, tool.Errorf(tool.ToolUnavailable, "browser_not_found",
			"find browser: %q is not an executable file", bin).
			WithHint("correct `bin` in the [browser] section of the config, or leave it empty to search")
	}
	return "", tried, tool.Errorf(tool.ToolUnavailable, "browser_not_found",
		"find browser: no Chromium, Chrome or Edge; looked for %s", strings.Join(tried, ", ")).
		WithHint("install one (`apt install chromium`), or set `bin` in the [browser] section of the config")
}

// findExecutable looks for one candidate and says where it looked. A bare name
// stands in the answer as "name (PATH)".
func findExecutable(candidate string) (path string, tried []string) {
	if strings.ContainsRune(candidate, filepath.Separator) {
		abs, err := filepath.Abs(candidate)
		if err != nil {
			return "", []string{candidate}
		}
		if info, err := os.Stat(abs); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return abs, []string{abs}
		}
		return "", []string{abs}
	}
	if found, err := exec.LookPath(candidate); err == nil && filepath.IsAbs(found) {
		return found, []string{found}
	}
	return "", []string{candidate + " (PATH)"}
}
