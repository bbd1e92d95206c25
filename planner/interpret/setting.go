package interpret

import (
	"maps"
	"strings"

	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// A command that sets a default site holds for the commands after it: "use bing as my search
// engine and search for cats".

const (
	sitePrefix      = "search." // begins the keys of the default sites
	platformSetting = sitePrefix + "default_platform"
)

// applySettings sets the default sites of the clauses that are read after c.
func (p *parser) applySettings(c *parse.Clause) {
	if c.Frame != parse.ControlFrame || c.Outcome != parse.Understood || c.Negated {
		return
	}
	for _, d := range c.Drafts {
		topic, ok := strings.CutPrefix(d.Goal.Target, sitePrefix)
		switch {
		case d.Goal.Target == platformSetting:
			p.Platform = d.Goal.Value
		case ok:
			p.Sites = maps.Clone(p.Sites)
			if p.Sites == nil {
				p.Sites = map[string]string{}
			}
			p.Sites[topic] = d.Goal.Value
			if topic == "maps" {
				p.Sites["directions"] = d.Goal.Value
			}
		}
	}
}

// setPlatform gives the searches of c that name no site a site: that of the page which the search
// before them was for ("open wikipedia, look up mars, then look up venus"), else the default site
// that a clause before them sets. A page that was just opened serves the first search.
func (t *tally) setPlatform(c *parse.Clause) {
	visited := ""
	for i := range c.Drafts {
		g := &c.Drafts[i].Goal
		isOpen := g.GoalType == plan.BrowserSearch && g.Platform == ""
		switch {
		case g.GoalType == plan.SystemControl && g.Target == platformSetting:
			t.platform = g.Value
		case isOpen && hasPage(t.Words, t.drafts):
			visited = t.drafts[len(t.drafts)-1].Goal.Platform
		case isOpen && t.visited != "":
			g.Platform, visited = t.visited, t.visited
		case isOpen:
			g.Platform = t.platform
		}
	}
	t.visited = visited
}
