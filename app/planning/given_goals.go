package planning

import (
	"net/url"
	"slices"
	"strings"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// normalizeGoals reads given goals as leniently as words: a site or an app by its id,
// name, alias or host, and an address without its scheme. It keeps unknown values, so that
// the planner's error names them.
func normalizeGoals(goals []plan.Goal, c *catalogue.Catalogue) []plan.Goal {
	out := slices.Clone(goals)
	for i := range out {
		g := &out[i]
		switch g.GoalType {
		case plan.BrowserSearch:
			if strings.TrimSpace(g.Platform) == "" { // the place to search, not the default one
				g.Platform, g.Target = g.Target, ""
			}
			if site, ok := findSite(c, g.Platform); ok {
				g.Platform = site.ID
			}
		case plan.BrowserNavigate:
			normalizeVisit(g, c)
		case plan.AppLaunch:
			if id, ok := findNamed(c, g.Target, true); ok {
				g.Target = id
			}
		}
	}
	return out
}

// normalizeVisit completes the address of a visit. Without a target it is the site's home.
func normalizeVisit(g *plan.Goal, c *catalogue.Catalogue) {
	if site, ok := findSite(c, g.Platform); ok {
		g.Platform = site.ID
		if strings.TrimSpace(g.Target) == "" {
			g.Target = site.Home
			return
		}
	}
	target := strings.TrimSpace(g.Target)
	if strings.Contains(target, "://") || target == "" {
		return
	}
	if lexicon.IsDomain(target) {
		if u, reason := lexicon.ParseAddress(target); reason == "" {
			g.Target = u.String()
		}
		return
	}
	if site, ok := findSite(c, target); ok {
		g.Platform, g.Target = site.ID, site.Home
	}
}

// findSite finds a site by its id, a name, a host or an address.
func findSite(c *catalogue.Catalogue, name string) (catalogue.Site, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if site, ok := c.Site(name); ok || name == "" {
		return site, ok
	}
	host := name
	if u, err := url.Parse(name); err == nil && u.Host != "" {
		host = u.Hostname()
	}
	if site, ok := c.SiteOf(strings.TrimSuffix(host, "/")); ok {
		return site, true
	}
	if id, ok := findNamed(c, name, false); ok {
		return c.Site(id)
	}
	return catalogue.Site{}, false
}

// findNamed returns the id of a site, or of an app, with a name or an alias.
func findNamed(c *catalogue.Catalogue, name string, app bool) (string, bool) {
	if _, ok := c.App(strings.ToLower(strings.TrimSpace(name))); ok && app {
		return "", false // it is an id already
	}
	folded := catalogue.Fold(name)
	for _, n := range c.Names() {
		if n.App == app && folded != "" && slices.Contains(n.Plain, folded) {
			return n.ID, true
		}
	}
	return "", false
}
