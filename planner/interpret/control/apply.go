package control

import (
	"maps"
	"strings"

	"errand/planner/interpret/parse"
)

const (
	// SitePrefix begins the keys of the default sites.
	SitePrefix = "search."
	// PlatformSetting is the key of the site that searches the web.
	PlatformSetting = SitePrefix + "default_platform"
)

// Apply sets the default sites of the clauses that are read after c.
func (p *Reader) Apply(c *parse.Clause) {
	if c.Frame != parse.ControlFrame || c.Outcome != parse.Understood || c.Negated {
		return
	}
	for _, d := range c.Drafts {
		topic, ok := strings.CutPrefix(d.Goal.Target, SitePrefix)
		switch {
		case d.Goal.Target == PlatformSetting:
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
