package app

import (
	"errand/app/config"
	"errand/host/browser/chromium"
	"errand/host/tool"
)

// useProfile puts a profile in the place of the configured one.
func useProfile(conf *config.Loaded, name string) error {
	switch {
	case name == "":
	case conf.Browser.CDP != "":
		return tool.Errorf(tool.ValidationError, "profile_not_used", "use browser profile %q: cdp in [browser] leads to your own browser, which has its own", name).
			WithHint("leave --profile out, or take cdp out of errand.toml")
	default:
		if err := chromium.CheckProfileName(name); err != nil {
			return tool.Errorf(tool.ValidationError, "bad_profile_name", "%v", err)
		}
	}
	conf.Browser.Profile = name
	return nil
}

// Profiles lists the named browser profiles.
func (a *App) Profiles() ([]chromium.Profile, error) { return a.sessions.Profiles().List() }

// RemoveProfile deletes a named browser profile with all that it remembers,
// unless it is in use.
func (a *App) RemoveProfile(name string) error { return a.sessions.Profiles().Remove(name) }
