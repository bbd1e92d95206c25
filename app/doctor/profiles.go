package doctor

import (
	"path/filepath"

	"errand/host/browser/chromium"
	"errand/planner/message"
)

// checkProfiles warns about profiles that are too large for a browser to start with. It returns
// false if there are none.
func (d *Doctor) checkProfiles() (Check, bool) {
	list, err := chromium.Profiles{Dir: filepath.Join(d.Config.Paths.Data, "profiles")}.List()
	if err != nil {
		return Check{"profiles", Warn, message.FromError(err), noHint}, true
	}
	for _, p := range list {
		if p.Size > chromium.MaxProfile {
			return Check{
				"profiles", Warn, message.New("doctor.profile_full", "name", p.Name, "size", p.Size, "limit", chromium.MaxProfile),
				message.New("browser.storage_full_hint", "profile", p.Name),
			}, true
		}
	}
	return Check{}, false
}
