package interpret

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// clauses folds the pieces into commands. A boundary counts only where its
// right side begins a command; anything else continues the command before it:
// as one more item of a list, or as more of its free text.
func (p *parser) clauses() []parse.Clause {
	var done []parse.Clause
	var cur parse.Clause
	open := false
	start := func(pc piece) {
		cur = p.read(pc.lo, pc.hi)
		cur.Joined = p.goesOn(pc)
		if at := p.leadOnly(pc); pc.but && cur.Outcome == parse.Cancels {
			if _, keep := p.Longest(at, pc.hi, lexicon.Keep); keep { // "delete a.txt but keep it"
				cur.Outcome, cur.Negated, cur.Ask = parse.Asks, false, p.AskUnclear(parse.Span{Lo: at, Hi: pc.hi})
			}
		}
		open = cur.Outcome != parse.Polite
	}
	for _, pc := range p.pieces() {
		if pc.lo >= pc.hi {
			if open && pc.repair && cur.Outcome != parse.Polite && (!cur.Free || pc.pause) {
				cur.Outcome, cur.Free, cur.Dirty = parse.Cancels, false, false
			} else if open && cur.Free && cur.Hi == pc.joint.Lo {
				cur.Hi, cur.Dirty = pc.hi, true
			}
			continue
		}
		either, choice := parse.Question{}, false
		if open {
			either, choice = p.correlative(&cur, pc)
		}
		switch {
		case !open:
			start(pc)
		case choice:
			cur.Outcome, cur.Ask, cur.Listed, cur.Hi = parse.Asks, either, true, pc.hi
		case cur.Outcome == parse.Unknown && p.prefix(cur.Lo, cur.Hi):
			pc.lo = cur.Lo // "on youtube, look up nvidia"
			start(pc)
		case p.addressed(&cur, pc):
		case p.repair(&cur, pc):
		case cur.Frame == parse.FileFrame && cur.Outcome == parse.Understood && p.notThis(cur, pc):
			not, _ := p.Longest(pc.lo, pc.hi, lexicon.Not, lexicon.Instead)
			done = append(done, p.settle(cur))
			cur = p.files.Read(lexicon.Match{Entry: lexicon.Entry{Kind: cur.VerbKind, Lang: cur.Lang, Value: ""}, Len: 1}, cur.Verb, pc.lo+not.Len, pc.hi)
			cur.Lo, cur.Hi, cur.Negated, cur.Listed = pc.lo, pc.hi, true, true
			cur.Verb = parse.Span{} // it forbids this one thing and no command that follows
		case cur.Frame == parse.SearchFrame && p.contrasted(pc.lo, pc.hi):
			cur = p.settle(cur) // "cats on youtube, not on google"
			cur.Hi, cur.Listed = pc.hi, true
		case p.begins(&cur, pc):
			done = append(done, p.settle(cur))
			start(pc)
		default:
			p.extend(&cur, pc)
		}
	}
	if open {
		done = append(done, p.settle(cur))
	}
	return done
}

// addressed reads a search whose site stands before it with a pause: "youtube,
// search for cats".
func (p *parser) addressed(cur *parse.Clause, pc piece) bool {
	_, search := p.Longest(pc.lo, pc.hi, lexicon.Search, lexicon.SearchIn)
	if cur.Outcome != parse.Asks || cur.Ask.Key != "ask_verb" || cur.Negated || !search || !p.Words.Catalogue.Searchable(cur.Ask.Thing.ID) {
		return false
	}
	c := p.read(cur.Lo, pc.hi)
	if c.Outcome != parse.Understood || len(c.Drafts) != 1 || c.Drafts[0].Goal.Platform != cur.Ask.Thing.ID {
		return false
	}
	*cur = c
	return true
}

// prefix reports whether [lo,hi) only says where: "on youtube", "in chrome".
func (p *parser) prefix(lo, hi int) bool {
	lo, _ = p.SkipLead(lo, hi)
	if p.Covers(lo, hi, lexicon.AsPlace, lexicon.InIt) {
		return true
	}
	if m, ok := p.Longest(lo, hi, lexicon.Place); ok && m.Len > 1 && lo+m.Len == hi {
		return true
	}
	m, ok := p.Longest(lo, hi, lexicon.On, lexicon.Use)
	if !ok {
		return false
	}
	s, ok := p.web.SiteAt(lo+m.Len, hi, false)
	return ok && lo+m.Len+s.Len == hi
}

// settle reads a clause that took up more text once more, from its first to
// its last token.
func (p *parser) settle(c parse.Clause) parse.Clause {
	if !c.Dirty || c.Listed || c.Outcome == parse.Cancels {
		return c
	}
	again := p.read(c.Lo, c.Hi)
	again.Joined, again.Reads = c.Joined, c.Reads+1
	if c.Frame == parse.SearchFrame && c.Named && !c.Fronted && again.Frame == parse.SearchFrame && again.Outcome == parse.Understood && !again.Named {
		again.Outcome, again.Ask = parse.Asks, p.AskUnclear(parse.Span{Lo: siteEnd(&c), Hi: c.Hi}) // "cats on youtube and dogs"
	}
	return again
}

// siteEnd is where the site ends that a search names after its query.
func siteEnd(c *parse.Clause) int {
	end := c.Body
	for _, d := range c.Drafts {
		for _, s := range d.Spans {
			if s.Slot == "platform" {
				end = max(end, s.Hi)
			}
		}
	}
	return end
}

// maxReads bounds how often a clause that grows is read again to see what it has
// become, and so keeps the time linear in the text.
const maxReads = 8

// again reads a clause that took up more text before its end is known, and
// reports whether it did.
func (p *parser) again(c *parse.Clause) bool {
	if c.Reads >= maxReads {
		return false
	}
	c.Dirty = true
	*c = p.settle(*c)
	return true
}

// goesOn reports whether a piece goes on with the sentence before it rather
// than turning against it: "don't open youtube and search for cats" forbids
// both, "don't open youtube, open gmail" only one.
func (p *parser) goesOn(pc piece) bool {
	for i := pc.joint.Lo; i < pc.joint.Hi; i++ {
		if t := p.Tokens[i]; t.Shape == lexicon.MarkShape && t.Fold != "," {
			return false
		}
	}
	return (p.hasAnd(pc) || pc.to || pc.bare) && !pc.but && !pc.repair
}

// begins reports whether a piece starts a command of its own after cur.
func (p *parser) begins(cur *parse.Clause, pc piece) bool {
	if pc.with || pc.bare && (cur.Frame != parse.OpenFrame || cur.Outcome != parse.Understood) {
		return false
	}
	if (cur.Frame == parse.OpenFrame || cur.Frame == parse.SearchFrame && cur.Named && !cur.Fronted) && p.web.IsEntity(pc.lo, p.TrimTail(pc.lo, pc.hi, true)) {
		return false
	}
	if _, site := p.web.SiteAt(pc.lo, pc.hi, false); site && cur.Outcome == parse.Asks && cur.Drafts != nil {
		return false // "search youtube and google for cats"
	}
	next := p.read(pc.lo, pc.hi)
	if next.Saves != nil && cur.Frame == parse.SearchFrame && p.AsksAt(cur.Body) {
		return false // "search how to take a photo and save it to documents"
	}
	if pc.bare {
		return next.Outcome == parse.Understood && !next.Fuzzy && !next.Reversed
	}
	if pc.to {
		return cur.Frame == parse.OpenFrame && cur.Outcome == parse.Understood && next.Frame == parse.SearchFrame && next.Outcome == parse.Understood
	}
	if next.Outcome == parse.Cancels && pc.pause {
		return true
	}
	if at := cur.Ask.At; cur.Outcome == parse.Asks && cur.Free && pc.pause && cur.Ask.Key == "ask_query" && at.Lo >= at.Hi && !p.hasAnd(pc) {
		return false // "search google for ; rm -rf /": the text is the query
	}
	switch next.Outcome {
	case parse.Polite:
		return false
	case parse.Cancels:
		return !cur.Free
	}
	if cur.Frame == parse.FileFrame && cur.Plural && next.Outcome == parse.Asks && next.Body >= p.TrimTail(pc.lo, pc.hi, true) && !p.hasAnd(pc) {
		return false // "create folders src, bin and docs": a verb alone is a name
	}
	if next.Negated && pc.but {
		return true
	}
	if next.NeedNav && !next.Named && cur.Frame != parse.OpenFrame {
		return false
	}
	if next.Negated {
		return next.Frame != parse.NoFrame || !cur.Free || next.Foreign && pc.pause
	}
	if next.Shorthand && (cur.Free || !pc.pause) {
		return false
	}
	if !cur.Free || cur.Outcome == parse.Unknown && cur.Frame == parse.NoFrame {
		switch {
		case next.Outcome == parse.Understood:
			return true
		case next.Outcome == parse.Asks:
			return next.Frame != parse.NoFrame || next.Ask.Key == "ask_referent"
		}
		return next.Foreign
	}
	// After free text only what is clearly a command begins one.
	switch {
	case next.Outcome == parse.Understood && next.Frame == parse.SystemFrame:
		_, asked := p.Longest(p.leadOnly(pc), pc.hi, lexicon.Ask)
		return asked
	case next.Frame == parse.PageFrame && (next.Outcome == parse.Understood || next.Outcome == parse.Asks && next.Ask.Key != "ask_form"):
		return true
	case next.Outcome == parse.Understood:
		return !next.Fuzzy && !next.Reversed
	case next.Outcome == parse.Asks && next.Frame == parse.SearchFrame && next.Named && pc.pause:
		return true // "search google for ; …"
	case next.Outcome == parse.Asks && next.Frame != parse.NoFrame && next.Body < pc.hi:
		_, points := p.Longest(next.Body, pc.hi, lexicon.Det, lexicon.Pronoun, lexicon.Bulk, lexicon.Nothing)
		return points || lexicon.HasKind(lexicon.DeleteVerbs, next.VerbKind) && (next.Ask.Key == "ask_bulk" || cur.Frame == parse.FileFrame && next.Ask.Key == "ask_partial")
	case next.Outcome == parse.Unknown && p.pointing(pc):
		return true
	case next.Foreign:
		at := p.leadOnly(pc)
		_, deed := p.Longest(at, pc.hi, lexicon.Deed, lexicon.Device)
		m, _ := p.Longest(at, pc.hi, lexicon.Foreign)
		_, points := p.Longest(at+m.Len, pc.hi, lexicon.Pronoun)
		return deed || points || p.web.IsEntity(at+m.Len, p.TrimTail(at, pc.hi, true)) // "email it", "close chrome"
	}
	return false
}

// pointing reports whether a piece does something to what was just found or
// made: "and play the first video", "and put it in documents".
func (p *parser) pointing(pc piece) bool {
	at, end := p.leadOnly(pc), p.TrimTail(pc.lo, pc.hi, true)
	m, ok := p.Longest(at, pc.hi, lexicon.Play, lexicon.SearchOn, lexicon.Foreign, lexicon.Put)
	it, points := p.Longest(at+m.Len, end, lexicon.Pronoun)
	return ok && points && (at+m.Len+it.Len == end || p.Covers(at+m.Len+it.Len, end, lexicon.Place))
}

func (p *parser) leadOnly(pc piece) int {
	at, _ := p.SkipLead(pc.lo, pc.hi)
	return at
}

func (p *parser) hasAnd(pc piece) bool {
	for i := pc.joint.Lo; i < pc.joint.Hi; i++ {
		if p.Tokens[i].Shape != lexicon.MarkShape {
			return true
		}
	}
	return false
}

// correlative reports whether a piece goes on with a choice that the clause
// before it began: «либо на хабре, либо на реддите».
func (p *parser) correlative(cur *parse.Clause, pc piece) (parse.Question, bool) {
	or, ok := p.Longest(pc.lo, pc.hi, lexicon.Or)
	if !ok || pc.lo+or.Len >= pc.hi {
		return parse.Question{}, false
	}
	for i := cur.Lo; i < cur.Hi; i++ {
		if first, ok := p.Longest(i, cur.Hi, lexicon.Or); ok && first.Len == or.Len && p.Fold(i) == p.Fold(pc.lo) {
			return p.AskChoice(parse.Span{Lo: i + first.Len, Hi: pc.joint.Lo}, parse.Span{Lo: pc.lo + or.Len, Hi: p.TrimTail(pc.lo, pc.hi, true)}), i+first.Len < pc.joint.Lo
		}
	}
	return parse.Question{}, false
}
