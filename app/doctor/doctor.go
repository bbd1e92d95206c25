// Package doctor looks for what is missing or wrong on this machine, and tests the
// network boundary of the browser.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"errand/app/config"
	"errand/app/grants"
	"errand/app/plugins"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/store"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/guard"
)

// Status is the result of a check.
type Status string

// Statuses of checks. A warning costs a feature, a failure the main job.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// Check is one thing that the doctor looked at.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail"`
	Cure   string `json:"cure,omitempty"`
}

// Doctor checks this machine.
type Doctor struct {
	Config  *config.Loaded
	Policy  *grants.Checker
	Plugins *plugins.Set
	Store   func() (store.Store, error)
	// OwnBrowser asks the user's own browser for its name. Nil: Errand starts a
	// browser of its own.
	OwnBrowser func(context.Context) (product string, err error)
	// Launch starts the browser of a run behind a proxy.
	Launch func(context.Context, *guard.Proxy, page.Options) (*page.Browser, error)
}

// lookupTimeout bounds a lookup of a name.
const lookupTimeout = 3 * time.Second

// Check looks at everything that the program needs of this machine. It starts no
// browser and fetches nothing.
func (d *Doctor) Check(ctx context.Context) []Check {
	checks := []Check{d.checkConfig()}
	if d.OwnBrowser != nil {
		checks = append(checks, d.checkOwnBrowser(ctx))
	} else {
		checks = append(checks, d.checkBrowser(), d.checkSandbox())
	}
	return append(checks, d.checkStore(), d.checkPlugins(), d.checkRoots(), d.checkNetwork(ctx))
}

func (d *Doctor) checkConfig() Check {
	if d.Config.Paths.Found {
		return Check{"configuration", OK, d.Config.Paths.File, ""}
	}
	return Check{"configuration", OK, "none at " + d.Config.Paths.File + "; the defaults hold", ""}
}

func (d *Doctor) checkBrowser() Check {
	path, tried, err := chromium.Find(d.Config.Browser.Bin)
	if err != nil {
		return Check{
			"browser", Fail, "not found; tried " + strings.Join(tried, ", "),
			"install Chromium (Debian: apt-get install chromium), or set bin in [browser]",
		}
	}
	if len(tried) > 1 { // it is the last of them
		path += "; looked before at " + strings.Join(tried[:len(tried)-1], ", ")
	}
	return Check{"browser", OK, path, ""}
}

func (d *Doctor) checkSandbox() Check {
	if os.Geteuid() == 0 {
		return Check{
			"browser sandbox", Warn, "off: Chromium has none when it runs as root",
			"run Errand as an ordinary user",
		}
	}
	return Check{"browser sandbox", OK, "on", ""}
}

func (d *Doctor) checkStore() Check {
	if _, err := d.Store(); err != nil {
		return Check{"record", Fail, err.Error(), "make " + d.Config.Paths.Data + " writable, or set XDG_DATA_HOME"}
	}
	return Check{"record", OK, d.Config.Paths.Data, ""}
}

func (d *Doctor) checkPlugins() Check {
	list, err := d.Plugins.List()
	if err != nil {
		return Check{"plugins", Fail, err.Error(), "mend plugins.lock, or the folder that it names"}
	}
	var names []string
	for _, p := range list {
		switch p.State {
		case plugins.Refused:
			return Check{"plugins", Warn, p.Problem.Message, p.Problem.Hint} // the others are there
		case plugins.On:
			names = append(names, p.ID+" "+p.Version)
		}
	}
	if stray, err := d.Plugins.Stray(); err == nil && len(stray) > 0 {
		return Check{"plugins", Warn, "plugins.lock says nothing of what was installed in " + strings.Join(stray, ", "), plugins.StrayHint}
	}
	return Check{"plugins", OK, strings.Join(names, ", "), ""}
}

func (d *Doctor) checkRoots() Check {
	var missing []string
	for _, root := range d.Config.Roots() {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			missing = append(missing, root)
		}
	}
	if len(missing) > 0 {
		return Check{"folders", OK, "made when first used: " + strings.Join(missing, ", "), ""}
	}
	return Check{"folders", OK, strings.Join(d.Config.Roots(), ", "), ""}
}

// reachable says in a sentence whether policy allows a host, and its addresses.
func reachable(host string, v policy.Verdict, addresses []string) string {
	said := map[policy.Verdict]string{policy.Allow: "allowed", policy.Ask: "allowed once you say yes", policy.Deny: "not allowed"}[v]
	return fmt.Sprintf("%s is %s (%s)", host, said, strings.Join(addresses, ", "))
}

func (d *Doctor) checkNetwork(ctx context.Context) Check {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	site, ok := d.Config.Catalogue.Site(d.Config.Search.DefaultPlatform)
	if !ok {
		return Check{"network", Warn, "the default platform is unknown", "set default_platform in [search]"}
	}
	c, err := d.Policy.CheckURL(ctx, site.Home)
	var unresolved *guard.ResolveError
	switch {
	case errors.As(err, &unresolved) || c.Unresolved:
		return Check{
			"network", Warn, hostOf(site.Home) + " can't be resolved",
			"connect to a network; `errand demo` works without one",
		}
	case err != nil:
		return Check{"network", Warn, err.Error(), ""}
	}
	return Check{"network", OK, reachable(hostOf(site.Home), c.Verdict, c.Addresses), ""}
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return u.Hostname()
}

// checkOwnBrowser asks the user's own browser for its name.
func (d *Doctor) checkOwnBrowser(ctx context.Context) Check {
	const name = "own browser"
	product, err := d.OwnBrowser(ctx)
	if err != nil {
		e := tool.AsError(err)
		return Check{name, Fail, e.Message, e.Hint}
	}
	return Check{
		name, Warn, strings.TrimSpace("at "+d.Config.Browser.CDP+" "+product) + "; network policy not enforced: there is no proxy around it",
		"take cdp out of [browser] to have Errand start a browser behind its proxy",
	}
}
