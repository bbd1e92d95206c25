package chromium

import (
	_ "embed"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"

	"errand/host/atomicfile"
	"errand/planner/message"
)

// preferences are set in a profile at every start; they have no command-line switch.
// Network prediction 2 is "never": otherwise Chromium connects to the next page
// before interception sees it. In the content settings 2 is "block": a page's request
// for a permission is denied, because no user would answer the prompt. Chromium starts the
// desktop's program for mailto:, news: and snews: without a prompt: the first two become
// navigations, which policy refuses, and the third is blocked. A named
// profile keeps what pages store themselves. It does not keep the values of forms or
// the history, whose addresses contain what was sent by GET.
//
//go:embed preferences.json
var preferences []byte

// writePreferences merges Errand's preferences into the profile at data.
func writePreferences(data string) error {
	dir := filepath.Join(data, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var wanted, stored map[string]any
	if err := json.Unmarshal(preferences, &wanted); err != nil {
		return message.Error("browser.write_preferences", "cause", err)
	}
	file := filepath.Join(dir, "Preferences")
	if b, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(b, &stored) // like Chromium, drop a file that can't be read
	}
	b, err := json.Marshal(mergePreferences(stored, wanted))
	if err != nil {
		return err
	}
	return atomicfile.Write(file, b, 0o600)
}

// mergePreferences returns base with the values of top replacing its own.
func mergePreferences(base, top map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range top {
		below, isMap := v.(map[string]any)
		if was, both := out[k].(map[string]any); isMap && both {
			v = mergePreferences(was, below)
		}
		out[k] = v
	}
	return out
}
