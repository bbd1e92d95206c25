package interpret

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// applyRepair applies a self-repair ("no wait, …") to the clause before it and
// reports whether the piece is one. The rest of the piece is a whole command, which
// replaces the clause, or a value for its last slot. If nothing follows, the clause
// is withdrawn.
func (p *parser) applyRepair(c *parse.Clause, pc segment) bool {
	if !pc.repair {
		return false
	}
	lo, _ := p.SkipLead(pc.lo, pc.hi)
	lo = p.skipRepairWords(lo, pc.hi)
	end := p.TrimTail(lo, pc.hi, true)
	if lo >= end {
		c.Outcome, c.Hi, c.FreeText = parse.Cancels, pc.hi, false
		return true
	}
	if c.NeedsReading && !c.FreeText { // "copy a.txt and b.txt to the desktop, no, to documents"
		*c = p.readToEnd(*c)
	}
	if c.Outcome == parse.Unknown && !c.Negated || c.VerbKind == lexicon.WriteIn {
		return false // "he said open youtube, no wait, open gmail", "write a script to …"
	}
	next := p.Read(lo, pc.hi)
	if next.Outcome == parse.Cancels {
		*c = next
		return true
	}
	if next.Negated && next.VerbKind == c.VerbKind && next.Body >= end { // «удали a.txt, ой, не удаляй»
		c.Outcome, c.Hi, c.FreeText = parse.Cancels, pc.hi, false
		return true
	}
	if !p.Web.IsEntity(lo, end) && next.Frame != parse.NoFrame && !next.Shorthand && (next.Outcome == parse.Understood || next.Outcome == parse.Asks && !c.FreeText) {
		*c = next
		return true
	}
	if c.Outcome != parse.Understood || len(c.Drafts) == 0 || next.Negated {
		if c.FreeText && !next.Negated {
			return false
		}
		c.Outcome, c.Ask, c.NeedsReading = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end}), false
		return true
	}
	last := len(c.Drafts) - 1
	switch c.Frame {
	case parse.OpenFrame:
		c.Drafts = c.Drafts[:last]
		p.Web.OpenItem(c, lo, end)
	case parse.SystemFrame:
		s := p.ReadSystem(lo, end, false)
		c.Drafts = append(c.Drafts[:last], s.Drafts...)
		c.Outcome = s.Outcome
	case parse.SearchFrame:
		p.repairSearch(c, lo, pc.hi)
	case parse.FileFrame:
		if m, ok := p.Longest(lo, end, lexicon.Place); ok && lo+m.Len == end && (m.Len > 1 || c.Drafts[last].IsKnown() || c.Drafts[last].Goal.AreFiles()) {
			if d := &c.Drafts[last]; d.Goal.AreFiles() {
				d.Goal.Target = m.Value // "delete all pdfs in documents, no wait, in downloads"
				break
			} else if lexicon.IsPath(d.Goal.Target) {
				c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
				break
			}
			c.Drafts[last].Location = parse.Location{Place: m.Value}
			break
		}
		if verb, ok := p.Longest(lo, end, append([]lexicon.Kind{lexicon.FileAction}, lexicon.Verbs...)...); ok && lo+verb.Len < end { // "no wait, move it to documents"
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
			break
		}
		before := c.Drafts[last].Goal
		sub := parse.Clause{Frame: parse.FileFrame, Verb: c.Verb, VerbKind: c.VerbKind, Lang: c.Lang, Body: lo, Hi: end}
		it := p.Files.Item(&sub, lo, end)
		if !it.Typed && it.Problem == "question.type" {
			p.Files.ShareType(&it, before.ObjectType, c.Action())
		}
		p.Files.AddItem(&sub, it)
		c.Outcome, c.Ask, c.Reason = sub.Outcome, sub.Ask, sub.Reason
		c.Drafts = append(c.Drafts[:last], sub.Drafts...)
	case parse.ActFrame:
		if !p.Files.Repair(c, lo, end) {
			c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
		}
	default:
		c.Outcome, c.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: lo, Hi: end})
	}
	c.Hi, c.HasList = pc.hi, true
	return true
}

// repairSearch replaces the site of a search if [lo,hi) names one, else its query.
func (p *parser) repairSearch(c *parse.Clause, lo, hi int) {
	d := &c.Drafts[len(c.Drafts)-1]
	end := p.TrimTail(lo, hi, true)
	from := lo
	if on, ok := p.Longest(lo, end, lexicon.On); ok {
		from += on.Len
	}
	if s, ok := p.Web.SiteAt(from, end, false); ok && from+s.Len == end {
		d.Goal.Platform, c.NamesSite = s.ID, true
		d.Spans = append(d.Spans, parse.SlotSpan{Slot: "platform", Span: parse.Span{Lo: from, Hi: end}, Fuzzy: false})
		return
	}
	verb := lexicon.Match{Entry: lexicon.Entry{Kind: lexicon.Search, Lang: c.Lang, Value: ""}, Len: c.Verb.Hi - c.Verb.Lo}
	reread := p.Web.Search(verb, c.Verb, lo, hi)
	if reread.Outcome != parse.Understood {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.query", At: parse.Span{Lo: lo, Hi: end}}
		return
	}
	g := reread.Drafts[0]
	if g.Goal.Platform == "" {
		g.Goal.Platform = d.Goal.Platform
	}
	*d = g
}

// skipRepairWords skips the words of a repair: "no", "wait", "i mean".
func (p *parser) skipRepairWords(lo, hi int) int {
	for {
		next := p.Skip(p.SkipMarks(lo, hi), hi, lexicon.Repair, lexicon.RepairSoft)
		if next == lo {
			return lo
		}
		lo = next
	}
}
