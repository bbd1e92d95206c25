// Package doctor looks for what is missing or wrong on this machine, and tests the
// network boundary of the browser.
package doctor

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"errand/app/agent"
	"errand/app/config"
	"errand/app/grants"
	"errand/app/plugins"
	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/store"
	"errand/host/tool"
	"errand/planner/message"
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
	Name   string          `json:"name"`
	Status Status          `json:"status"`
	Detail message.Message `json:"detail"`
	Hint   message.Message `json:"cure,omitzero"`
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
	// Agent asks the resident process for its status. Nil: there is none on this platform.
	Agent func(context.Context) (Agent, error)
	// Notifications returns why nothing shows notifications. Nil: there are none on this platform.
	Notifications func(context.Context) error
	// Unshown counts the timers that rang and were not shown. Nil: it is not checked.
	Unshown func(context.Context) (int, error)
	// Servers lists what is wrong with the servers of others whose tools are used.
	Servers func() []*tool.Error
	// ModelAgent describes the model-driven agent.
	ModelAgent func(context.Context) (agent.Status, error)
	// ChangeablePath are folders that Errand leaves out of PATH, because tools may change them.
	ChangeablePath []string
	// Launch starts the browser of a run behind a proxy.
	Launch func(context.Context, *guard.Proxy, page.Options) (*page.Browser, error)
}

// noHint is the cure of a check that needs none.
var noHint message.Message

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
		if full, ok := d.checkProfiles(); ok {
			checks = append(checks, full)
		}
	}
	if d.Agent != nil {
		checks = append(checks, d.checkAgent(ctx))
	}
	if d.Notifications != nil {
		checks = append(checks, d.checkNotifications(ctx))
	}
	if d.Unshown != nil {
		checks = append(checks, d.checkUnshown(ctx)...)
	}
	checks = append(checks, d.checkStore(), d.checkPermissions(), d.checkPlugins(), d.checkRoots(), d.checkNetwork(ctx))
	checks = append(checks, d.checkServers()...)
	if d.Config.Agent.Internal.Enabled && d.ModelAgent != nil {
		checks = append(checks, d.checkModels(ctx))
		if c, found := d.checkAgentRules(ctx); found {
			checks = append(checks, c)
		}
	}
	if !slices.Contains(d.Config.Policy.AllowedDomains, config.KnownSites) {
		checks = append(checks, d.checkSites())
	}
	return checks
}

// checkSites warns if the site that searches go to may not be opened because the list
// of hosts lacks the sites that the program knows.
func (d *Doctor) checkSites() Check {
	site, ok := d.Config.Catalogue.Site(d.Config.Search.DefaultPlatform)
	if !ok || d.Policy.DecideURL(site.Home).Verdict == policy.Allow {
		return Check{"sites", OK, message.Verbatim(strings.Join(d.Config.Policy.AllowedDomains, ", ")), noHint}
	}
	return Check{
		"sites", Warn, message.New("doctor.searches_refused", "host", address.Hostname(site.Home)),
		message.New("doctor.allow_known_sites", "entry", config.KnownSites),
	}
}

func (d *Doctor) checkConfig() Check {
	if info, err := os.Stat(d.Config.Paths.File); err == nil && d.hasPluginSettings() && config.Exposed(d.Config.Paths.File, info)&0o044 != 0 {
		return Check{"configuration", Warn, message.New("doctor.config_readable", "file", d.Config.Paths.File), message.New("doctor.close_by_hand", "folder", d.Config.Paths.File)}
	}
	if d.Config.Paths.FileExists {
		return Check{"configuration", OK, message.Verbatim(d.Config.Paths.File), noHint}
	}
	return Check{"configuration", OK, message.New("doctor.no_config", "file", d.Config.Paths.File), noHint}
}

// hasPluginSettings reports whether the configuration has settings of plugins, which may be
// secret.
func (d *Doctor) hasPluginSettings() bool {
	for _, p := range d.Config.Plugins.ByID {
		if len(p.Config) > 0 {
			return true
		}
	}
	return false
}

func (d *Doctor) checkBrowser() Check {
	path, tried, err := chromium.Find(d.Config.Browser.Bin)
	if err != nil {
		return Check{
			"browser", Fail, message.New("doctor.no_browser", "tried", tried),
			message.New("doctor.install_browser"),
		}
	}
	if managed := chromium.CheckManaged(path); managed != nil {
		return Check{"browser", Fail, managed.Message, managed.Hint}
	}
	if len(tried) > 1 { // it is the last of them
		return Check{"browser", OK, message.New("doctor.browser_found_later", "path", path, "tried", tried[:len(tried)-1]), noHint}
	}
	return Check{"browser", OK, message.Verbatim(path), noHint}
}

func (d *Doctor) checkSandbox() Check {
	if os.Geteuid() == 0 {
		return Check{
			"browser sandbox", Warn, message.New("doctor.sandbox_off"),
			message.New("doctor.run_as_user"),
		}
	}
	return Check{"browser sandbox", OK, message.New("doctor.sandbox_on"), noHint}
}

func (d *Doctor) checkStore() Check {
	if _, err := d.Store(); err != nil {
		return Check{"record", Fail, message.FromError(err), message.New("doctor.make_data_writable", "folder", d.Config.Paths.Data)}
	}
	return Check{"record", OK, message.Verbatim(d.Config.Paths.Data), noHint}
}

func (d *Doctor) checkPlugins() Check {
	list, err := d.Plugins.List()
	if err != nil {
		return Check{"plugins", Fail, message.FromError(err), message.New("doctor.fix_lock_file")}
	}
	var names []string
	for _, p := range list {
		switch p.State {
		case plugins.Refused, plugins.NewFolder, plugins.ChangedFolder:
			return Check{"plugins", Warn, p.Problem.Message, p.Problem.Hint} // the others are there
		case plugins.On:
			names = append(names, p.ID+" "+p.Version)
		}
	}
	if stray, err := d.Plugins.UnlistedFolders(); err == nil && len(stray) > 0 {
		return Check{"plugins", Warn, message.New("doctor.stray_plugins", "folders", stray), plugins.StrayHint}
	}
	return Check{"plugins", OK, message.Verbatim(strings.Join(names, ", ")), noHint}
}

func (d *Doctor) checkRoots() Check {
	if len(d.ChangeablePath) > 0 {
		return Check{"folders", Warn, message.New("doctor.changeable_path", "folders", d.ChangeablePath), message.New("doctor.changeable_path_hint")}
	}
	var missing []string
	for _, root := range d.Config.Roots() {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			missing = append(missing, root)
		}
	}
	if len(missing) > 0 {
		return Check{"folders", OK, message.New("doctor.folders_made_later", "folders", missing), noHint}
	}
	return Check{"folders", OK, message.Verbatim(strings.Join(d.Config.Roots(), ", ")), noHint}
}

// reachable says in a sentence whether policy allows a host, and its addresses.
func reachable(host string, v policy.Verdict, addresses []string) message.Message {
	return message.New("doctor.host_decision", "host", host, "verdict", v, "addresses", addresses)
}

func (d *Doctor) checkNetwork(ctx context.Context) Check {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	site, ok := d.Config.Catalogue.Site(d.Config.Search.DefaultPlatform)
	if !ok {
		return Check{"network", Warn, message.New("doctor.unknown_platform"), message.New("doctor.set_platform")}
	}
	c, err := d.Policy.CheckURL(ctx, site.Home)
	var unresolved *guard.ResolveError
	switch {
	case errors.As(err, &unresolved) || c.Unresolved:
		return Check{
			"network", Warn, message.New("doctor.host_not_resolved", "host", address.Hostname(site.Home)),
			message.New("doctor.connect_network"),
		}
	case err != nil:
		return Check{"network", Warn, message.FromError(err), noHint}
	}
	return Check{"network", OK, reachable(address.Hostname(site.Home), c.Verdict, c.Addresses), noHint}
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
		name, Warn, message.New("doctor.own_browser", "address", strings.TrimSpace(d.Config.Browser.CDP+" "+product)),
		message.New("doctor.own_browser_hint"),
	}
}
