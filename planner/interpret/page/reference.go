package page

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// PageAfter is the clause whose page a reference after clause c means: "open
// github.com and take a screenshot". Starting an app hides the page.
func (p *Reader) PageAfter(c, before *parse.Clause) *parse.Clause {
	for _, d := range slices.Backward(c.Drafts) {
		switch g := d.Goal; {
		case g.GoalType == plan.AppLaunch:
			return nil
		case g.ControlsPage():
			if before == nil || plan.LeavesPage(g.Action+"_"+g.ObjectType) {
				return c
			}
			return before
		case g.GoalType != plan.BrowserSearch && g.GoalType != plan.BrowserNavigate:
		case g.Action+"_"+g.ObjectType == plan.OpenExternal, g.Action+"_"+g.ObjectType == plan.DownloadFile:
			return before
		default:
			return c
		}
	}
	return before
}

// picturesScreen makes "take a screenshot", which names no page, a goal about the screen. The words may say
// where the picture goes.
func picturesScreen(p *Reader, c *parse.Clause) bool {
	m, ok := p.Longest(c.Verb.Lo, c.Hi, lexicon.Screenshot)
	if !ok || c.Verb.Lo != p.SkipMarks(c.Verb.Lo, c.Hi) {
		return false
	}
	at := c.Verb.Lo + m.Len
	var place parse.Destination
	named := trimName(p.Text, at, p.trimDestination(at, p.TrimTail(c.Verb.Lo, c.Hi, true), &place), &place)
	if p.SkipMarks(at, named) < named || len(c.Drafts) != 1 || c.Drafts[0].Goal.Action+"_"+c.Drafts[0].Goal.ObjectType != plan.ScreenshotPage {
		return false
	}
	d := &c.Drafts[0]
	d.Goal, d.AboutLastPage = plan.Goal{GoalType: plan.SystemControl, Action: "screenshot", ObjectType: plan.ScreenType, SaveTo: d.Goal.SaveTo}, false
	c.Frame, c.NeedsPage = parse.ControlFrame, false
	return true
}

// Resolve gives the drafts of c that refer to the last page that page. If a search
// shows several pages, all are meant. If several pages were opened, it asks which.
func (p *Reader) Resolve(c, before *parse.Clause) {
	if !slices.ContainsFunc(c.Drafts, func(d parse.Draft) bool { return d.AboutLastPage }) {
		return
	}
	if before == nil && parse.HasPhrase(p.Text, c.Lo, c.Hi, lexicon.OpenPage) || before != nil && before.Frame == parse.TabFrame {
		if toOpenPage(c) {
			return
		}
		before = nil
	}
	if before == nil {
		if picturesScreen(p, c) {
			return
		}
		c.Outcome, c.Reason = parse.Unknown, "reason.which_page"
		at, _ := p.SkipLead(c.Lo, c.Hi)
		if p.IsPhrase(at, p.TrimTail(at, c.Hi, true), lexicon.Screenshot) { // of an app that was opened
			c.Reason = "reason.page_pictures_only"
		}
		if c.Drafts[0].Goal.Query != "" {
			c.Reason = "reason.no_download"
		}
		return
	}
	if len(before.Drafts) > 1 && before.Frame != parse.SearchFrame {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.referent", At: parse.Span{Lo: c.Lo, Hi: c.Hi}}
		return
	}
	var out []parse.Draft
	for _, d := range c.Drafts {
		if !d.AboutLastPage {
			out = append(out, d)
			continue
		}
		if d.RowWords.Hi > 0 && before.Drafts[0].Goal.GoalType == plan.BrowserNavigate {
			c.Outcome, c.Ask = parse.Asks, p.rowsQuestion(c.Lang, d.RowWords, d.Goal.Limit, before.Drafts[0].Goal)
			return
		}
		for _, page := range before.Drafts {
			if d.Goal.Query != "" && page.Goal.GoalType != plan.BrowserNavigate { // a file of what was searched for
				c.Outcome, c.Reason = parse.Unknown, "reason.no_download"
				return
			}
			out = append(out, applyTo(d, page))
		}
	}
	c.Drafts = out
}

// toOpenPage makes the drafts of c that refer to the last page goals about the open page. It does
// nothing and returns false if one of them needs an address.
func toOpenPage(c *parse.Clause) bool {
	for _, d := range c.Drafts {
		if key := d.Goal.Action + "_" + d.Goal.ObjectType; d.AboutLastPage && (d.Goal.Query != "" || key == plan.OpenExternal || key == plan.DownloadFile || d.RowWords.Hi > 0) {
			return false
		}
	}
	for i := range c.Drafts {
		if d := &c.Drafts[i]; d.AboutLastPage {
			d.Goal.GoalType, d.AboutLastPage = plan.PageControl, false
		}
	}
	return true
}

// applyTo is draft d for the page of another draft. Links of search results are the
// results.
func applyTo(d, page parse.Draft) parse.Draft {
	g := page.Goal
	if d.Goal.Query != "" { // the name of a file there
		g.Query = d.Goal.Query
	}
	g.Action, g.ObjectType, g.Limit, g.SaveTo = d.Goal.Action, d.Goal.ObjectType, d.Goal.Limit, d.Goal.SaveTo
	if g.GoalType == plan.BrowserSearch && g.Action+"_"+g.ObjectType == plan.ListLinks {
		g.Action, g.ObjectType, _ = strings.Cut(plan.ListResults, "_")
	}
	if g.GoalType == plan.BrowserNavigate && g.Action+"_"+g.ObjectType == plan.ListResults {
		g.Action, g.ObjectType, _ = strings.Cut(plan.ListLinks, "_")
	}
	d.Goal, d.AboutLastPage = g, false
	for _, s := range page.Spans {
		if s.Slot == "platform" || s.Slot == "query" || s.Slot == "target" {
			d.Spans = append(d.Spans, s)
		}
	}
	return d
}

// AddPage reads one more page for the action of the clause: "screenshot github.com
// and gitlab.com". If the clause still needs its form, the whole is read again:
// "save example.com and example.org as pdf".
func (p *Reader) AddPage(c *parse.Clause, lo, hi int) bool {
	if c.Outcome == parse.Asks {
		c.NeedsReading = true
		return true
	}
	if len(c.Drafts) == 0 { // "save it"
		return false
	}
	last := c.Drafts[len(c.Drafts)-1]
	end := p.TrimTail(lo, hi, true)
	d, ok := p.pageAt(p.Skip(lo, end, lexicon.Of), end)
	if !ok || d.AboutLastPage || last.AboutLastPage || last.Goal.GoalType != plan.BrowserNavigate || last.Goal.Query != "" {
		return false
	}
	g := last.Goal
	d.Goal.Action, d.Goal.ObjectType, d.Goal.Limit, d.Goal.SaveTo = g.Action, g.ObjectType, g.Limit, g.SaveTo
	d.Spans = append(d.Spans, parse.SlotSpan{Slot: "goal_type", Span: c.Verb, Fuzzy: false}, parse.SlotSpan{Slot: "action", Span: c.Verb, Fuzzy: false})
	c.Drafts = append(c.Drafts, d)
	c.HasList = true
	return true
}
