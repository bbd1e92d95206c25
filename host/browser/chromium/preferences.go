package chromium

import (
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
// for a permission is denied, because no user would answer the prompt. A named
// profile keeps what pages store themselves. It does not keep the values of forms or
// the history, whose addresses contain what was sent by GET.
const preferences = `{
  "net": {"network_prediction_options": 2},
  "dns_prefetching": {"enabled": false},
  "alternate_error_pages": {"enabled": false},
  "search": {"suggest_enabled": false},
  "safebrowsing": {"enabled": false},
  "translate": {"enabled": false},
  "signin": {"allowed": false, "allowed_on_next_startup": false},
  "credentials_enable_service": false,
  "autofill": {"profile_enabled": false, "credit_card_enabled": false, "payment_methods_mandatory_reauth": false, "payment_cvc_storage": false},
  "history": {"saving_disabled": true},
  "session": {"restore_on_startup": 5},
  "profile": {
    "exit_type": "Normal", "exited_cleanly": true,
    "password_manager_enabled": false,
    "default_content_setting_values": {
      "ar": 2, "automatic_downloads": 2, "bluetooth_guard": 2, "bluetooth_scanning": 2, "clipboard": 2,
      "file_system_write_guard": 2, "geolocation": 2, "hid_guard": 2, "idle_detection": 2, "local_fonts": 2,
      "local_network_access": 2, "local_network": 2, "loopback_network": 2,
      "media_stream_camera": 2, "media_stream_mic": 2, "midi": 2, "midi_sysex": 2, "notifications": 2,
      "payment_handler": 2, "sensors": 2, "serial_guard": 2, "usb_guard": 2, "vr": 2, "window_placement": 2
    }
  }
}
`

// writePreferences merges Errand's preferences into the profile at data.
func writePreferences(data string) error {
	dir := filepath.Join(data, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var ours, kept map[string]any
	if err := json.Unmarshal([]byte(preferences), &ours); err != nil {
		return message.Error("browser.write_preferences", "cause", err)
	}
	file := filepath.Join(dir, "Preferences")
	if b, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(b, &kept) // like Chromium, drop a file that can't be read
	}
	b, err := json.Marshal(mergePreferences(kept, ours))
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
