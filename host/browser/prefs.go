package browser

import (
	"os"
	"path/filepath"
)

// preferences is what a fresh profile is born with: things that have no
// command-line switch. Network prediction 2 is "never": without it Chromium
// connects to where a page is about to go before interception is asked.
const preferences = `{
  "net": {"network_prediction_options": 2},
  "credentials_enable_service": false,
  "profile": {"password_manager_enabled": false},
  "signin": {"allowed": false, "allowed_on_next_startup": false},
  "search": {"suggest_enabled": false},
  "safebrowsing": {"enabled": false},
  "dns_prefetching": {"enabled": false},
  "alternate_error_pages": {"enabled": false},
  "translate": {"enabled": false}
}
`

func writePreferences(data string) error {
	dir := filepath.Join(data, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "Preferences"), []byte(preferences), 0o600)
}
