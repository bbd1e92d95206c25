package interpret

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// shown is the clause whose page is spoken of after clause c: "open github.com
// and take a screenshot". What starts an app takes the page out of sight.
func (p *pageReader) shown(c, before *clause) *clause {
	for _, d := range slices.Backward(c.drafts) {
		switch g := d.goal; {
		case g.GoalType == plan.AppLaunch:
			return nil
		case g.GoalType != plan.BrowserSearch && g.GoalType != plan.BrowserNavigate:
		case g.Action+"_"+g.ObjectType == plan.OpenExternal, g.Action+"_"+g.ObjectType == plan.DownloadFile:
			return before
		default:
			return c
		}
	}
	return before
}

// overThat gives the goals of c that are about the page before it that page. Of
// several pages that a search shows each is meant; of several that were opened
// nobody knows which.
func (p *pageReader) overThat(c, before *clause) {
	if !slices.ContainsFunc(c.drafts, func(d draft) bool { return d.that }) {
		return
	}
	if before == nil {
		c.outcome, c.reason = unknown, "why_which_page"
		if c.drafts[0].goal.Query != "" {
			c.reason = "why_download"
		}
		return
	}
	if len(before.drafts) > 1 && before.frame != searchFrame {
		c.outcome, c.ask = asks, question{key: "ask_referent", at: span{c.lo, c.hi}}
		return
	}
	var out []draft
	for _, d := range c.drafts {
		if !d.that {
			out = append(out, d)
			continue
		}
		if d.rows.hi > 0 && before.drafts[0].goal.GoalType == plan.BrowserNavigate {
			c.outcome, c.ask = asks, p.whichRows(c.lang, d.rows, d.goal.Limit, before.drafts[0].goal)
			return
		}
		for _, page := range before.drafts {
			if d.goal.Query != "" && page.goal.GoalType != plan.BrowserNavigate { // a file of what was searched for
				c.outcome, c.reason = unknown, "why_download"
				return
			}
			out = append(out, wantOf(d, page))
		}
	}
	c.drafts = out
}

// wantOf is what is wanted of the page that another goal shows. The links of what
// a search found are its results.
func wantOf(d, page draft) draft {
	g := page.goal
	if d.goal.Query != "" { // the name of a file there
		g.Query = d.goal.Query
	}
	g.Action, g.ObjectType, g.Limit, g.SaveTo = d.goal.Action, d.goal.ObjectType, d.goal.Limit, d.goal.SaveTo
	if g.GoalType == plan.BrowserSearch && g.Action+"_"+g.ObjectType == plan.ListLinks {
		g.Action, g.ObjectType, _ = strings.Cut(plan.ListResults, "_")
	}
	if g.GoalType == plan.BrowserNavigate && g.Action+"_"+g.ObjectType == plan.ListResults {
		g.Action, g.ObjectType, _ = strings.Cut(plan.ListLinks, "_")
	}
	d.goal, d.that = g, false
	for _, s := range page.spans {
		if s.slot == "platform" || s.slot == "query" || s.slot == "target" {
			d.spans = append(d.spans, s)
		}
	}
	return d
}

// nextPage reads one more page for the deed before it: "screenshot github.com
// and gitlab.com". Where the form of a document still stands out the whole is
// read anew: "save example.com and example.org as pdf".
func (p *pageReader) nextPage(c *clause, lo, hi int) bool {
	if c.outcome == asks {
		c.dirty = true
		return true
	}
	last := c.drafts[len(c.drafts)-1]
	end := p.tail(lo, hi, true)
	d, ok := p.pageAt(p.skip(lo, end, kOf), end)
	if !ok || d.that || last.that || last.goal.GoalType != plan.BrowserNavigate || last.goal.Query != "" {
		return false
	}
	g := last.goal
	d.goal.Action, d.goal.ObjectType, d.goal.Limit, d.goal.SaveTo = g.Action, g.ObjectType, g.Limit, g.SaveTo
	d.spans = append(d.spans, slotSpan{"goal_type", c.verb, false}, slotSpan{"action", c.verb, false})
	c.drafts = append(c.drafts, d)
	c.listed = true
	return true
}
