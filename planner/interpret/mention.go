package interpret

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/interpret/web"
	"errand/planner/plan"
)

// joinMentions reads a command about "it" together with the clause before it, if that only names the
// thing: "i need the report, can you find it", "if there is a file a.txt in documents, delete it".
func joinMentions(p *parser, clauses []parse.Clause) []parse.Clause {
	var out []parse.Clause
	for _, c := range clauses {
		if last := len(out) - 1; last >= 0 && (c.Outcome != parse.Understood || isAboutPage(&c)) && !out[last].Negated {
			if thing := mentioned(p, &out[last]); thing.Lo < thing.Hi && repeatMention(p, &c, thing) {
				if name := p.Skip(thing.Lo, thing.Hi, lexicon.Definite, lexicon.Mine); name > thing.Lo && c.Frame == parse.SearchFrame && !c.NamesSite {
					c.Outcome, c.Drafts, c.Ask = parse.Asks, nil, web.AskOwn(p.Web, c.Lang, thing, parse.Span{Lo: name, Hi: thing.Hi})
					c.Lo = out[last].Lo
				}
				c.JoinedByAnd, c.AfterOthers = out[last].JoinedByAnd, out[last].AfterOthers
				out = out[:last]
			}
		}
		out = append(out, c)
	}
	return out
}

// repeatMention reads a command about "it" again with the thing that was named, which is known then:
// "if there is a file a.txt, read it" reads the file a.txt. A goal about the page becomes one about a
// file at most.
func repeatMention(p *parser, c *parse.Clause, thing parse.Span) bool {
	for _, lo := range []int{thing.Lo, p.Skip(thing.Lo, thing.Hi, lexicon.Article)} {
		again := *c
		if lo < thing.Hi && repeat(p, &again, parse.Span{Lo: lo, Hi: thing.Hi}, lexicon.Pronoun) && (c.Outcome != parse.Understood || isAboutFile(&again)) {
			*c = again
			return true
		}
	}
	return false
}

// isAboutPage reports whether a clause was read as a goal about the last or the open page, which "it"
// can mean too.
func isAboutPage(c *parse.Clause) bool {
	return len(c.Drafts) == 1 && (c.Drafts[0].AboutLastPage || c.Drafts[0].Goal.ControlsPage())
}

// isAboutFile reports whether a clause was read as a goal about a file or a folder.
func isAboutFile(c *parse.Clause) bool {
	return len(c.Drafts) == 1 && c.Drafts[0].Goal.GoalType == plan.FileOperation
}

// mentioned returns the thing that a clause only names.
func mentioned(p *parser, c *parse.Clause) parse.Span {
	at := parse.Span{Lo: p.SkipMarks(c.Lo, c.Hi), Hi: p.TrimTail(c.Lo, c.Hi, false)}
	m, ok := p.Longest(at.Lo, at.Hi, lexicon.Mention, lexicon.IfMention)
	if !ok {
		at.Lo, _ = p.SkipLead(at.Lo, at.Hi)
		m, ok = p.Longest(at.Lo, at.Hi, lexicon.Mention, lexicon.IfMention)
	}
	if at.Lo += m.Len; ok && (c.Outcome != parse.Understood || c.Shorthand) {
		return at
	} else if ok {
		return parse.Span{} // "i want you to open youtube"
	}
	if is, _ := p.Longest(at.Lo, at.Hi, lexicon.If); is.Len > 0 { // "if a.txt exists"
		if end, ok := p.FindEnding(at.Lo+is.Len+1, at.Hi, lexicon.Exists); ok {
			return parse.Span{Lo: at.Lo + is.Len, Hi: at.Hi - end.Len}
		}
		return parse.Span{}
	}
	if c.Outcome == parse.Unknown && p.Files.IsFile(p.Skip(at.Lo, at.Hi, lexicon.Determiner), at.Hi) {
		return at
	}
	return parse.Span{}
}

// repeatSearch reads a search for "it" or "the same" again with the query of the search before it.
// It reports whether it is one.
func repeatSearch(t *tally, c *parse.Clause) bool {
	last := t.drafts[len(t.drafts)-1]
	query := last.Slot("query")
	return last.Goal.GoalType == plan.BrowserSearch && query.Lo < query.Hi && repeat(t.parser, c, query, lexicon.SameAgain)
}

// repeat reads a clause again with other words in place of one that points at them, and reports
// whether it is then understood.
func repeat(p *parser, c *parse.Clause, said parse.Span, kind lexicon.Kind) bool {
	for i, tries := c.Lo, 0; i < c.Hi && tries < maxReads; i++ {
		m, ok := p.Longest(i, c.Hi, kind)
		if !ok || kind == lexicon.SameAgain && i+m.Len < p.TrimTail(c.Lo, c.Hi, true) {
			continue
		}
		tries++
		at := parse.Span{Lo: i, Hi: i + m.Len}
		longer := said.Hi - said.Lo - m.Len
		again := newParser(parse.Repeat(p.Text, at, said)).Read(c.Lo, c.Hi+longer)
		if again.Outcome != parse.Understood || len(again.Drafts) != 1 || again.Negated != c.Negated {
			continue
		}
		back := func(i int) int { // to the tokens of the text as it was
			switch {
			case i < at.Lo:
				return i
			case i < at.Hi+longer:
				return said.Lo + i - at.Lo
			}
			return i - longer
		}
		for j := range again.Drafts[0].Spans {
			if s := &again.Drafts[0].Spans[j]; s.Lo < s.Hi {
				s.Lo, s.Hi = back(s.Lo), back(s.Hi-1)+1
			}
		}
		again.Lo, again.Hi, again.JoinedByAnd, again.AfterOthers = c.Lo, c.Hi, c.JoinedByAnd, c.AfterOthers
		*c = again
		return true
	}
	return false
}

// searchesAgain reports whether [lo,hi) searches a site for what was said before: "then search google
// for it".
func searchesAgain(p *parser, lo, hi int) bool {
	end := p.TrimTail(lo, hi, true)
	_, same := p.FindEnding(lo+1, end, lexicon.SameAgain)
	for i := lo; same && i < end; i++ {
		if _, site := p.Longest(i, end, lexicon.Site); site {
			return true
		}
	}
	return false
}

// searchAgain adds the last query of a search on another site, if [lo,hi) says that: "ebay for the
// same thing", "the same on ebay".
func searchAgain(p *parser, c *parse.Clause, lo, hi int) bool {
	on, _ := p.Longest(lo, hi, lexicon.On)
	at := parse.Span{Lo: lo + on.Len}
	if s, ok := p.Web.SiteAt(at.Lo, hi, false); ok && p.IsPhrase(at.Lo+s.Len, hi, lexicon.SameAgain) {
		at.Hi = at.Lo + s.Len
	} else if before, s, ok := p.Web.TrailingSite(lo, hi); ok && !s.Fuzzy && p.IsPhrase(lo, before, lexicon.SameAgain) {
		at = parse.Span{Lo: hi - s.Len, Hi: hi}
	} else {
		return false
	}
	s, _ := p.Web.SiteAt(at.Lo, hi, false)
	if c.NeedsReading && !p.readAgain(c) || c.Outcome != parse.Understood || !p.Words.Catalogue.Searchable(s.ID) {
		return false
	}
	d := c.Drafts[len(c.Drafts)-1]
	d.Goal.Platform = s.ID
	d.Spans = append(append([]parse.SlotSpan(nil), d.Spans...), parse.SlotSpan{Slot: "platform", Span: at})
	c.Drafts = append(c.Drafts, d)
	return true
}
