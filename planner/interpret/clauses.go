package interpret

// clauses folds the pieces into commands. A boundary counts only where its
// right side begins a command; anything else continues the command before it:
// as one more item of a list, or as more of its free text.
func (p *parser) clauses() []clause {
	var done []clause
	var cur clause
	open := false
	start := func(pc piece) {
		cur = p.read(pc.lo, pc.hi)
		cur.joined = p.goesOn(pc)
		if at := p.leadOnly(pc); pc.but && cur.outcome == cancels {
			if _, keep := p.longest(at, pc.hi, kKeep); keep { // "delete a.txt but keep it"
				cur.outcome, cur.negated, cur.ask = asks, false, p.partial(span{at, pc.hi})
			}
		}
		open = cur.outcome != wrapper
	}
	for _, pc := range p.pieces() {
		if pc.lo >= pc.hi {
			if open && pc.repair && cur.outcome != wrapper && (!cur.free || pc.pause) {
				cur.outcome, cur.free, cur.dirty = cancels, false, false
			} else if open && cur.free && cur.hi == pc.joint.lo {
				cur.hi, cur.dirty = pc.hi, true
			}
			continue
		}
		either, choice := question{}, false
		if open {
			either, choice = p.correlative(&cur, pc)
		}
		switch {
		case !open:
			start(pc)
		case choice:
			cur.outcome, cur.ask, cur.listed, cur.hi = asks, either, true, pc.hi
		case cur.outcome == unknown && p.prefix(cur.lo, cur.hi):
			pc.lo = cur.lo // "on youtube, look up nvidia"
			start(pc)
		case p.addressed(&cur, pc):
		case p.repair(&cur, pc):
		case cur.frame == fileFrame && cur.outcome == good && p.notThis(cur, pc):
			not, _ := p.longest(pc.lo, pc.hi, kNot, kInstead)
			done = append(done, p.settle(cur))
			cur = p.files.files(match{entry{cur.verbKind, cur.lang, ""}, 1}, cur.verb, pc.lo+not.n, pc.hi)
			cur.lo, cur.hi, cur.negated, cur.listed = pc.lo, pc.hi, true, true
			cur.verb = span{} // it forbids this one thing and no command that follows
		case cur.frame == searchFrame && p.contrasted(pc.lo, pc.hi):
			cur = p.settle(cur) // "cats on youtube, not on google"
			cur.hi, cur.listed = pc.hi, true
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
func (p *parser) addressed(cur *clause, pc piece) bool {
	_, search := p.longest(pc.lo, pc.hi, kSearch, kSearchIn)
	if cur.outcome != asks || cur.ask.key != "ask_verb" || cur.negated || !search || !p.words.catalogue.Searchable(cur.ask.thing.id) {
		return false
	}
	c := p.read(cur.lo, pc.hi)
	if c.outcome != good || len(c.drafts) != 1 || c.drafts[0].goal.Platform != cur.ask.thing.id {
		return false
	}
	*cur = c
	return true
}

// prefix reports whether [lo,hi) only says where: "on youtube", "in chrome".
func (p *parser) prefix(lo, hi int) bool {
	lo, _ = p.lead(lo, hi)
	if p.covers(lo, hi, kAsPlace, kInIt) {
		return true
	}
	if m, ok := p.longest(lo, hi, kPlace); ok && m.n > 1 && lo+m.n == hi {
		return true
	}
	m, ok := p.longest(lo, hi, kOn, kUse)
	if !ok {
		return false
	}
	s, ok := p.web.siteAt(lo+m.n, hi, false)
	return ok && lo+m.n+s.n == hi
}

// settle reads a clause that took up more text once more, from its first to
// its last token.
func (p *parser) settle(c clause) clause {
	if !c.dirty || c.listed || c.outcome == cancels {
		return c
	}
	again := p.read(c.lo, c.hi)
	again.joined, again.reads = c.joined, c.reads+1
	if c.frame == searchFrame && c.named && !c.fronted && again.frame == searchFrame && again.outcome == good && !again.named {
		again.outcome, again.ask = asks, p.partial(span{siteEnd(&c), c.hi}) // "cats on youtube and dogs"
	}
	return again
}

// siteEnd is where the site ends that a search names after its query.
func siteEnd(c *clause) int {
	end := c.body
	for _, d := range c.drafts {
		for _, s := range d.spans {
			if s.slot == "platform" {
				end = max(end, s.hi)
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
func (p *parser) again(c *clause) bool {
	if c.reads >= maxReads {
		return false
	}
	c.dirty = true
	*c = p.settle(*c)
	return true
}

// goesOn reports whether a piece goes on with the sentence before it rather
// than turning against it: "don't open youtube and search for cats" forbids
// both, "don't open youtube, open gmail" only one.
func (p *parser) goesOn(pc piece) bool {
	for i := pc.joint.lo; i < pc.joint.hi; i++ {
		if t := p.toks[i]; t.shape == mark && t.fold != "," {
			return false
		}
	}
	return (p.hasAnd(pc) || pc.to || pc.bare) && !pc.but && !pc.repair
}

// begins reports whether a piece starts a command of its own after cur.
func (p *parser) begins(cur *clause, pc piece) bool {
	if pc.with || pc.bare && (cur.frame != openFrame || cur.outcome != good) {
		return false
	}
	if (cur.frame == openFrame || cur.frame == searchFrame && cur.named && !cur.fronted) && p.web.thing(pc.lo, p.tail(pc.lo, pc.hi, true)) {
		return false
	}
	if _, site := p.web.siteAt(pc.lo, pc.hi, false); site && cur.outcome == asks && cur.drafts != nil {
		return false // "search youtube and google for cats"
	}
	next := p.read(pc.lo, pc.hi)
	if next.keeps != nil && cur.frame == searchFrame && p.questionWord(cur.body) {
		return false // "search how to take a photo and save it to documents"
	}
	if pc.bare {
		return next.outcome == good && !next.fuzzy && !next.reversed
	}
	if pc.to {
		return cur.frame == openFrame && cur.outcome == good && next.frame == searchFrame && next.outcome == good
	}
	if next.outcome == cancels && pc.pause {
		return true
	}
	if at := cur.ask.at; cur.outcome == asks && cur.free && pc.pause && cur.ask.key == "ask_query" && at.lo >= at.hi && !p.hasAnd(pc) {
		return false // "search google for ; rm -rf /": the text is the query
	}
	switch next.outcome {
	case wrapper:
		return false
	case cancels:
		return !cur.free
	}
	if cur.frame == fileFrame && cur.plural && next.outcome == asks && next.body >= p.tail(pc.lo, pc.hi, true) && !p.hasAnd(pc) {
		return false // "create folders src, bin and docs": a verb alone is a name
	}
	if next.negated && pc.but {
		return true
	}
	if next.needNav && !next.named && cur.frame != openFrame {
		return false
	}
	if next.negated {
		return next.frame != noFrame || !cur.free || next.foreign && pc.pause
	}
	if next.shorthand && (cur.free || !pc.pause) {
		return false
	}
	if !cur.free || cur.outcome == unknown && cur.frame == noFrame {
		switch {
		case next.outcome == good:
			return true
		case next.outcome == asks:
			return next.frame != noFrame || next.ask.key == "ask_referent"
		}
		return next.foreign
	}
	// After free text only what is clearly a command begins one.
	switch {
	case next.outcome == good && next.frame == systemFrame:
		_, asked := p.longest(p.leadOnly(pc), pc.hi, kAsk)
		return asked
	case next.frame == pageFrame && (next.outcome == good || next.outcome == asks && next.ask.key != "ask_form"):
		return true
	case next.outcome == good:
		return !next.fuzzy && !next.reversed
	case next.outcome == asks && next.frame == searchFrame && next.named && pc.pause:
		return true // "search google for ; …"
	case next.outcome == asks && next.frame != noFrame && next.body < pc.hi:
		_, points := p.longest(next.body, pc.hi, kDet, kPronoun, kBulk, kNothing)
		return points || has(deleteVerbs, next.verbKind) && (next.ask.key == "ask_bulk" || cur.frame == fileFrame && next.ask.key == "ask_partial")
	case next.outcome == unknown && p.pointing(pc):
		return true
	case next.foreign:
		at := p.leadOnly(pc)
		_, deed := p.longest(at, pc.hi, kDeed, kDevice)
		m, _ := p.longest(at, pc.hi, kForeign)
		_, points := p.longest(at+m.n, pc.hi, kPronoun)
		return deed || points || p.web.thing(at+m.n, p.tail(at, pc.hi, true)) // "email it", "close chrome"
	}
	return false
}

// pointing reports whether a piece does something to what was just found or
// made: "and play the first video", "and put it in documents".
func (p *parser) pointing(pc piece) bool {
	at, end := p.leadOnly(pc), p.tail(pc.lo, pc.hi, true)
	m, ok := p.longest(at, pc.hi, kPlay, kSearchOn, kForeign, kPut)
	it, points := p.longest(at+m.n, end, kPronoun)
	return ok && points && (at+m.n+it.n == end || p.covers(at+m.n+it.n, end, kPlace))
}

// thing reports whether [lo,hi) is just the name of a site or app, though it
// may be a verb too: "open youtube and google".
func (p *webReader) thing(lo, hi int) bool {
	lo = p.determiner(lo, hi)
	e, ok := p.entityAt(lo, hi, false)
	return ok && lo+e.n == hi
}

func (p *parser) leadOnly(pc piece) int {
	at, _ := p.lead(pc.lo, pc.hi)
	return at
}

func (p *parser) hasAnd(pc piece) bool {
	for i := pc.joint.lo; i < pc.joint.hi; i++ {
		if p.toks[i].shape != mark {
			return true
		}
	}
	return false
}
