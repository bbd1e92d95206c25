package interpret

// repair applies a self-repair ("no wait, …") to the command before it and
// reports whether the piece was one. What follows is a whole command, which
// replaces it, or a value for its last slot. Nothing following takes the
// command back.
func (p *parser) repair(c *clause, pc piece) bool {
	if !pc.repair {
		return false
	}
	lo, _ := p.lead(pc.lo, pc.hi)
	lo = p.repairWords(lo, pc.hi)
	end := p.tail(lo, pc.hi, true)
	if lo >= end {
		c.outcome, c.hi, c.free = cancels, pc.hi, false
		return true
	}
	if c.outcome == unknown && !c.negated || c.verbKind == kWriteIn {
		return false // "he said open youtube, no wait, open gmail", "write a script to …"
	}
	next := p.read(lo, pc.hi)
	if next.outcome == cancels {
		*c = next
		return true
	}
	if !p.web.thing(lo, end) && next.frame != noFrame && !next.shorthand && (next.outcome == good || next.outcome == asks && !c.free) {
		*c = next
		return true
	}
	if c.outcome != good || len(c.drafts) == 0 || next.negated {
		if c.free && !next.negated {
			return false
		}
		c.outcome, c.ask = asks, p.partial(span{lo, end})
		return true
	}
	last := len(c.drafts) - 1
	switch c.frame {
	case openFrame:
		c.drafts = c.drafts[:last]
		p.web.openItem(c, lo, end)
	case systemFrame:
		s := p.system(lo, end, false)
		c.drafts = append(c.drafts[:last], s.drafts...)
		c.outcome = s.outcome
	case searchFrame:
		p.repairSearch(c, lo, pc.hi)
	case fileFrame:
		if m, ok := p.longest(lo, end, kPlace); ok && lo+m.n == end && (m.n > 1 || c.drafts[last].said()) {
			c.drafts[last].where = where{place: m.value}
			break
		}
		before := c.drafts[last].goal
		sub := clause{frame: fileFrame, verb: c.verb, verbKind: c.verbKind, lang: c.lang, body: lo, hi: end}
		it := p.files.item(&sub, lo, end)
		if !it.typed && it.problem == "ask_type" {
			p.files.share(&it, before.ObjectType, c.action())
		}
		p.files.addItem(&sub, it)
		c.outcome, c.ask, c.reason = sub.outcome, sub.ask, sub.reason
		c.drafts = append(c.drafts[:last], sub.drafts...)
	}
	c.hi, c.listed = pc.hi, true
	return true
}

// repairSearch replaces the site of a search if a site is named, else its
// query.
func (p *parser) repairSearch(c *clause, lo, hi int) {
	d := &c.drafts[len(c.drafts)-1]
	end := p.tail(lo, hi, true)
	from := lo
	if on, ok := p.longest(lo, end, kOn); ok {
		from += on.n
	}
	if s, ok := p.web.siteAt(from, end, false); ok && from+s.n == end {
		d.goal.Platform, c.named = s.id, true
		d.spans = append(d.spans, slotSpan{"platform", span{from, end}, false})
		return
	}
	verb := match{entry{kSearch, c.lang, ""}, c.verb.hi - c.verb.lo}
	again := p.web.search(verb, c.verb, lo, hi)
	if again.outcome != good {
		c.outcome, c.ask = asks, question{key: "ask_query", at: span{lo, end}}
		return
	}
	g := again.drafts[0]
	if g.goal.Platform == "" {
		g.goal.Platform = d.goal.Platform
	}
	*d = g
}

// repairWords passes over the words of a repair: "no", "wait", "i mean".
func (p *parser) repairWords(lo, hi int) int {
	for {
		next := p.skip(p.skipMarks(lo, hi), hi, kRepair, kRepairSoft)
		if next == lo {
			return lo
		}
		lo = next
	}
}
