package chromium

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// policyRoot is where the folders of policies are. Tests set another one.
var policyRoot = "/"

// policyFolder is the folders of one kind of browser.
type policyFolder struct {
	name    string // part of the name of its executable
	folders []string
}

// policyFolders has the folders of the policies that an administrator gives browsers (Chromium,
// docs/enterprise/add_new_policy.md). The last is for all others.
var policyFolders = []policyFolder{
	{"brave", []string{"etc/brave/policies/managed"}},
	{"edge", []string{"etc/opt/edge/policies/managed"}},
	{"vivaldi", []string{"etc/opt/vivaldi/policies/managed"}},
	{"chromium", []string{"etc/chromium/policies/managed", "etc/chromium-browser/policies/managed"}},
	{"chrome", []string{"etc/opt/chrome/policies/managed", "etc/opt/chrome_for_testing/policies/managed"}},
	{"", []string{"etc/chromium/policies/managed", "etc/opt/chrome/policies/managed"}},
}

// breakingPolicies are the policies that Errand's browser can't run with: they take
// precedence over its command line and lead its traffic past the proxy, its pages into
// another profile, or keep it from being controlled. Each has the values that do no harm.
var breakingPolicies = map[string][]any{
	"ProxyMode": nil, "ProxySettings": nil, "ProxyServer": nil, "ProxyServerMode": nil, "ProxyPacUrl": nil,
	"ProxyBypassList": nil, "ProxyOverrideRules": nil,
	"WebRtcIPHandling": {"disable_non_proxied_udp"}, "WebRtcIPHandlingUrl": nil,
	"UserDataDir": nil, "DiskCacheDir": nil,
	"RemoteDebuggingAllowed": {true}, "HeadlessMode": {float64(1)},
}

// CheckManaged returns an error if a managed policy of the browser bin breaks the boundary
// around it. The error names the policies and their file. It reads the policies of Linux
// only.
func CheckManaged(bin string) *tool.Error {
	for _, folder := range foldersOf(bin) {
		files, err := filepath.Glob(filepath.Join(policyRoot, folder, "*.json"))
		if err != nil {
			continue
		}
		for _, file := range files {
			if names := readBreaking(file); len(names) > 0 {
				return tool.UnavailableError("browser_managed", message.New("browser.managed", "path", bin, "file", file, "policies", names)).
					WithHint(message.New("browser.use_unmanaged"))
			}
		}
	}
	return nil
}

// foldersOf returns the policy folders of an executable.
func foldersOf(bin string) []string {
	names := strings.ToLower(filepath.Base(bin))
	if real, err := filepath.EvalSymlinks(bin); err == nil {
		names += " " + strings.ToLower(filepath.Base(real))
	}
	i := slices.IndexFunc(policyFolders, func(p policyFolder) bool { return strings.Contains(names, p.name) })
	return policyFolders[i].folders
}

// readBreaking returns the names of the breaking policies in a file, sorted.
func readBreaking(file string) (names []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var set map[string]any
	if json.Unmarshal(text, &set) != nil {
		return nil // Chromium ignores it too
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		harmless, breaks := breakingPolicies[name]
		if !breaks || slices.ContainsFunc(harmless, func(v any) bool { return v == set[name] }) {
			continue
		}
		names = append(names, name)
	}
	return names
}
