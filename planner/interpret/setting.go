package interpret

import (
	"errand/planner/interpret/control"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// A command that sets a default site holds for the commands after it: "use bing as my search
// engine and search for cats".

// setPlatform gives the searches of c that name no site a site: that of the page which the search
// before them was for ("open wikipedia, look up mars, then look up venus"), else the default site
// that a clause before them sets. A page that was just opened serves the first search.
func (t *tally) setPlatform(c *parse.Clause) {
	visited := ""
	for i := range c.Drafts {
		g := &c.Drafts[i].Goal
		isOpen := g.GoalType == plan.BrowserSearch && g.Platform == ""
		switch {
		case g.GoalType == plan.SystemControl && g.Target == control.PlatformSetting:
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
