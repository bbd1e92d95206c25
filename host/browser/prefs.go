package browser

import (
	"os"
	"path/filepath"
)

// preferences is what a fresh profile is born with: things that have no
// command-line switch. Network prediction 2 is "never": without it Chromium
// connects to where a page is about to go before interception is asked. In the
// content settings 2 is "block": a page that asks for more than to be shown gets
// a no instead of a prompt that nobody answers.
const preferences = `{
  "net": {"network_prediction_options": 2},
  "dns_prefetching": {"enabled": false},
  "alternate_error_pages": {"enabled": false},
  "search": {"suggest_enabled": false},
  "safebrowsing": {"enabled": false},
  "translate": {"enabled": false},
  "signin": {"allowed": false, "allowed_on_next_startup": false},
  "credentials_enable_service": false,
  "profile": {
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

func writePreferences(data string) error {
	dir := filepath.Join(data, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "Preferences"), []byte(preferences), 0o600)
}
