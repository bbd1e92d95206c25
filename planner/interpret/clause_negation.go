package interpret

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// excludesFile reports whether a piece excludes a file: "delete b.txt, not a.txt".
func (p *parser) excludesFile(cur parse.Clause, pc segment) bool {
	not, ok := p.Longest(pc.lo, pc.hi, lexicon.Not, lexicon.Instead)
	return ok && !cur.Negated && p.Files.IsFile(pc.lo+not.Len, p.TrimTail(pc.lo, pc.hi, true))
}

// excludesSite reports whether [lo,hi) only excludes a site: "not on google".
func (p *parser) excludesSite(lo, hi int) bool {
	m, ok := p.Longest(lo, hi, lexicon.Instead)
	if !ok {
		return false
	}
	on, _ := p.Longest(lo+m.Len, hi, lexicon.On)
	e, ok := p.Web.EntityAt(lo+m.Len+on.Len, hi, false)
	return ok && lo+m.Len+on.Len+e.Len == p.TrimTail(lo, hi, true)
}

// isReference reports whether [lo,hi) refers to something named before: "it", "that
// folder".
func (p *parser) isReference(lo, hi int) bool {
	if p.IsPhrase(lo, hi, lexicon.Pronoun) {
		return true
	}
	at := p.Skip(lo, hi, lexicon.Definite, lexicon.Determiner)
	return at > lo && p.IsPhrase(at, hi, lexicon.Folder, lexicon.File, lexicon.Folders, lexicon.Files, lexicon.SiteNoun, lexicon.AppNoun)
}

// referencedDrafts lists the earlier drafts that a forbidden command refers to, if
// it names nothing itself: "delete a.txt but don't delete it".
func (p *parser) referencedDrafts(c *parse.Clause, before []parse.Draft) []parse.Draft {
	end := p.TrimTail(c.Body, c.Hi, true)
	if c.Outcome != parse.Asks || c.Frame == parse.NoFrame || c.Body < end && !p.isReference(c.Body, end) {
		return nil
	}
	var out []parse.Draft
	for _, d := range before {
		file := d.Goal.GoalType == plan.FileOperation
		search := d.Goal.GoalType == plan.BrowserSearch
		if file != (c.Frame == parse.FileFrame) || search != (c.Frame == parse.SearchFrame) || file && d.Goal.Action != c.Action() {
			continue
		}
		out = append(out, parse.Draft{Goal: d.Goal, Spans: []parse.SlotSpan{{Slot: "goal_type", Span: parse.Span{Lo: c.Lo, Hi: c.Hi}, Fuzzy: false}}})
	}
	return out
}
