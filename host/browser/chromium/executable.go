package chromium

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// Executables of Chromium-based browsers in order of preference: names to look up in PATH,
// then paths. Chromium is first because distributions ship it and the tests use it.
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

// Find returns the path of the browser's executable: bin if it is set (a path or a name in
// PATH), else one of the usual names and paths. It never downloads anything. tried lists
// every inspected path, even if one was found, for `errand doctor`. err is a *tool.Error
// of class tool_unavailable.
func Find(bin string) (path string, tried []string, err error) {
	candidates := []string{bin}
	if bin == "" {
		candidates = append(browserNames[:len(browserNames):len(browserNames)], browserPaths[runtime.GOOS]...)
	}
	for _, c := range candidates {
		if filepath.IsAbs(c) && slices.Contains(tried, c) {
			continue // already found in PATH
		}
		found, look := findExecutable(c)
		tried = append(tried, look...)
		if found != "" {
			return found, tried, nil
		}
	}
	if bin != "" {
		return "", tried, tool.UnavailableError("browser_not_found",
			message.New("browser.browser_not_found", "bin", bin)).
			WithHint(message.New("browser.correct_bin"))
	}
	return "", tried, tool.UnavailableError("browser_not_found",
		message.New("browser.no_browser", "tried", tried)).
		WithHint(message.New("browser.install_browser"))
}

// findExecutable looks for one candidate and returns the inspected paths. A bare name is
// listed as "name (PATH)".
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
