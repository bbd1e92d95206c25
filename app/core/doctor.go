package core

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"errand/app/plugins"

	"errand/host/browser/chromium"
	"errand/policy"
	"errand/policy/guard"
)

// CheckStatus is how one check of the doctor ended.
type CheckStatus string

// Statuses of checks. A warning costs a feature, a failure the main job.
const (
	CheckOK   CheckStatus = "ok"
	CheckWarn CheckStatus = "warn"
	CheckFail CheckStatus = "fail"
)

// Check is one thing that the doctor looked at.
type Check struct {
	Name   string      `json:"name"`
	Status CheckStatus `json:"status"`
	Detail string      `json:"detail"`
	Cure   string      `json:"cure,omitempty"`
}

// lookupTimeout bounds the doctor's question to the resolver.
const lookupTimeout = 3 * time.Second

// Doctor looks at everything that the program needs of this machine. It starts
// no browser and fetches nothing.
func (a *App) Doctor(ctx context.Context) []Check {
	checks := []Check{a.checkConfig()}
	if a.attaches() {
		checks = append(checks, a.checkCDP(ctx))
	} else {
		checks = append(checks, a.checkBrowser(), a.checkSandbox())
	}
	return append(checks, a.checkStore(), a.checkPlugins(), a.checkRoots(), a.checkNetwork(ctx))
}

func (a *App) checkConfig() Check {
	if a.conf.Paths.Found {
		return Check{"configuration", CheckOK, a.conf.Paths.File, ""}
	}
	return Check{"configuration", CheckOK, "none at " + a.conf.Paths.File + "; the defaults hold", ""}
}

func (a *App) checkBrowser() Check {
	path, tried, err := chromium.Find(a.conf.Browser.Bin)
	if err != nil {
		return Check{
			"browser", CheckFail, "not found; tried " + strings.Join(tried, ", "),
			"install Chromium (Debian: apt-get install chromium), or set bin in [browser]",
		}
	}
	if len(tried) > 1 { // it is the last of them
		path += "; looked before at " + strings.Join(tried[:len(tried)-1], ", ")
	}
	return Check{"browser", CheckOK, path, ""}
}

func (a *App) checkSandbox() Check {
	if os.Geteuid() == 0 {
		return Check{
			"browser sandbox", CheckWarn, "off: Chromium has none when it runs as root",
			"run Errand as an ordinary user",
		}
	}
	return Check{"browser sandbox", CheckOK, "on", ""}
}

func (a *App) checkStore() Check {
	if _, err := a.storage(); err != nil {
		return Check{"record", CheckFail, err.Error(), "make " + a.conf.Paths.Data + " writable, or set XDG_DATA_HOME"}
	}
	return Check{"record", CheckOK, a.conf.Paths.Data, ""}
}

func (a *App) checkPlugins() Check {
	list, err := a.plugins.List()
	if err != nil {
		return Check{"plugins", CheckFail, err.Error(), "mend plugins.lock, or the folder that it names"}
	}
	var names []string
	for _, p := range list {
		switch p.State {
		case plugins.Refused:
			return Check{"plugins", CheckWarn, p.Problem.Message, p.Problem.Hint} // the others are there
		case plugins.On:
			names = append(names, p.ID+" "+p.Version)
		}
	}
	if stray, err := a.plugins.Stray(); err == nil && len(stray) > 0 {
		return Check{"plugins", CheckWarn, "plugins.lock says nothing of what was installed in " + strings.Join(stray, ", "), plugins.StrayHint}
	}
	return Check{"plugins", CheckOK, strings.Join(names, ", "), ""}
}

func (a *App) checkRoots() Check {
	var missing []string
	for _, root := range a.conf.Roots() {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			missing = append(missing, root)
		}
	}
	if len(missing) > 0 {
		return Check{"folders", CheckOK, "made when first used: " + strings.Join(missing, ", "), ""}
	}
	return Check{"folders", CheckOK, strings.Join(a.conf.Roots(), ", "), ""}
}

// reachable says in a sentence what policy makes of a host that has addresses.
func reachable(host string, v policy.Verdict, addresses []string) string {
	said := map[policy.Verdict]string{policy.Allow: "allowed", policy.Ask: "allowed once you say yes", policy.Deny: "not allowed"}[v]
	return fmt.Sprintf("%s is %s (%s)", host, said, strings.Join(addresses, ", "))
}

func (a *App) checkNetwork(ctx context.Context) Check {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	site, ok := a.conf.Catalogue.Site(a.conf.Search.DefaultPlatform)
	if !ok {
		return Check{"network", CheckWarn, "the default platform is unknown", "set default_platform in [search]"}
	}
	c, err := a.Policy().CheckURL(ctx, site.Home)
	var unresolved *guard.ResolveError
	switch {
	case errors.As(err, &unresolved) || c.Unresolved:
		return Check{
			"network", CheckWarn, host(site.Home) + " can't be resolved",
			"connect to a network; `errand demo` works without one",
		}
	case err != nil:
		return Check{"network", CheckWarn, err.Error(), ""}
	}
	return Check{"network", CheckOK, reachable(host(site.Home), c.Verdict, c.Addresses), ""}
}
