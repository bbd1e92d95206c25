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

// setPlatform gives the searches of c that name no site, and that no page was opened for, the
// default site that a clause before it sets.
func (t *tally) setPlatform(c *parse.Clause) {
	for i := range c.Drafts {
		switch g := &c.Drafts[i].Goal; {
		case g.GoalType == plan.SystemControl && g.Target == platformSetting:
			t.platform = g.Value
		case g.GoalType == plan.BrowserSearch && g.Platform == "" && t.platform != "" && !hasPage(t.Words, t.drafts):
			g.Platform = t.platform
		}
	}
}
