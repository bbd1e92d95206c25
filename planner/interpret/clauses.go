package interpret

// piece is a stretch of tokens between two places where a clause may end.
type piece struct {
	lo, hi int
	joint  span // the conjunction or punctuation before it
	to     bool // "… to search": only after an opening clause
	with   bool // "… with a file": the file lies in the folder before
	repair bool // "no wait" stands before it
	but    bool // "but" stands before it
	pause  bool // there was punctuation before it
}

// pieces proposes places where a clause may end: conjunctions and punctuation
// outside quotes, but not inside a longer phrase ("go ahead and").
func (p *parser) pieces() []piece {
	var out []piece
	cur := piece{}
	hi := len(p.toks)
	for i := 0; i < hi; {
		n, next := p.joint(i, hi)
		if n == 0 {
			i += max(1, p.phrase(i, hi))
			continue
		}
		j := i + n
		for {
			m, more := p.joint(j, hi)
			if m == 0 || more.to || more.with {
				break
			}
			j += m
			next.pause = next.pause || more.pause
			next.repair = next.repair || more.repair
			next.but = next.but || more.but
		}
		cur.hi = i
		out = append(out, cur)
		next.joint, next.lo = span{i, j}, j
		cur = next
		i = j
	}
	cur.hi = hi
	return append(out, cur)
}

// joint is the length of a possible clause boundary at token i.
func (p *parser) joint(i, hi int) (int, piece) {
	if i >= hi {
		return 0, piece{}
	}
	if t := p.toks[i]; t.shape == mark && t.fold != ":" {
		return 1, piece{pause: true}
	}
	if m, ok := p.longest(i, hi, kRepair, kRepairSoft); ok && i > 0 && (p.toks[i-1].shape == mark || m.kind == kRepair && m.n > 1) {
		lead, _ := p.longest(i, hi, kLead)
		not, _ := p.longest(i, hi, kNot)
		if lead.n <= m.n && not.n < m.n {
			return m.n, piece{repair: true}
		}
	}
	m, ok := p.longest(i, hi, kAnd, kBut, kTo, kWith)
	if !ok || p.phrase(i, hi) > m.n {
		return 0, piece{}
	}
	switch {
	case m.kind == kAnd:
		return m.n, piece{}
	case m.kind == kBut:
		return m.n, piece{but: true}
	case m.kind == kTo:
		v, ok := p.longest(p.skip(i+m.n, hi, kLead), hi, kSearch, kSearchIn, kSearchOn, kPlay)
		if ok && i > 0 && v.n > 0 {
			return m.n, piece{to: true}
		}
	case m.kind == kWith && i > 0:
		j := p.skip(i+m.n, hi, kDet, kEmpty, kExtension)
		if _, ok := p.longest(j, hi, kFile, kFolder); ok {
			return m.n, piece{with: true}
		}
	}
	return 0, piece{}
}

// phrase is the length of the longest phrase at token i that a boundary may
// not cut.
func (p *parser) phrase(i, hi int) int {
	m, _ := p.longest(i, hi, kLead, kLeadMind, kNot, kCancel, kReferent, kRepair, kNamed, kSearch, kSearchIn, kSearchAt, kSearchOn, kPlay, kTypeIn,
		kOpen, kStart, kGo, kShow, kCreate, kMake, kDelete, kDeed, kSite, kApp, kCarrier, kSysKey)
	return m.n
}

// clauses folds the pieces into commands. A boundary counts only where its
// right side begins a command; anything else continues the command before it:
// as one more item of a list, or as more of its free text.
func (p *parser) clauses() []clause {
	var done []clause
	var cur clause
	open := false
	start := func(pc piece) {
		cur = p.read(pc.lo, pc.hi)
		open = cur.outcome != wrapper
	}
	for _, pc := range p.pieces() {
		if pc.lo >= pc.hi {
			if open && pc.repair && cur.outcome != wrapper && (!cur.free || pc.pause) {
				cur.outcome, cur.free = cancels, false
			} else if open && cur.free {
				cur.hi, cur.dirty = pc.hi, true
			}
			continue
		}
		switch {
		case !open:
			start(pc)
		case p.repair(&cur, pc):
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

// settle reads a clause that took up more text once more, from its first to
// its last token.
func (p *parser) settle(c clause) clause {
	if !c.dirty {
		return c
	}
	if c.listed {
		return c
	}
	return p.read(c.lo, c.hi)
}

// begins reports whether a piece starts a command of its own after cur.
func (p *parser) begins(cur *clause, pc piece) bool {
	if pc.with {
		return false
	}
	if cur.frame == openFrame && p.thing(pc.lo, p.tail(pc.lo, pc.hi, true)) {
		return false
	}
	if _, site := p.siteAt(pc.lo, pc.hi, false); site && cur.outcome == asks && cur.drafts != nil {
		return false // "search youtube and google for cats"
	}
	next := p.read(pc.lo, pc.hi)
	if pc.to {
		return cur.frame == openFrame && cur.outcome == good && next.frame == searchFrame && next.outcome == good
	}
	if cur.outcome == asks && cur.free && pc.pause && cur.drafts == nil && cur.frame == searchFrame && !p.hasAnd(pc) {
		return false // "search google for ; rm -rf /": the text is the query
	}
	switch next.outcome {
	case wrapper:
		return false
	case cancels:
		return pc.pause || !cur.free
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
	if next.shorthand && !pc.pause {
		return false
	}
	if next.shorthand && cur.free {
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
	case next.outcome == good:
		return !next.fuzzy && !next.reversed
	case next.outcome == asks && next.frame != noFrame && next.body < pc.hi:
		_, points := p.longest(next.body, pc.hi, kDet, kPronoun, kBulk, kNothing)
		return points || has(deleteVerbs, next.verbKind) && next.ask.key == "ask_bulk"
	case next.foreign:
		at := p.leadOnly(pc)
		_, deed := p.longest(at, pc.hi, kDeed)
		m, _ := p.longest(at, pc.hi, kForeign)
		_, points := p.longest(at+m.n, pc.hi, kPronoun)
		return deed || points || p.thing(at+m.n, p.tail(at, pc.hi, true)) // "email it", "close chrome"
	}
	return false
}

// thing reports whether [lo,hi) is just the name of a site or app, though it
// may be a verb too: "open youtube and google".
func (p *parser) thing(lo, hi int) bool {
	e, ok := p.entityAt(p.skip(lo, hi, kDet), hi, false)
	return ok && p.skip(lo, hi, kDet)+e.n == hi
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

// extend adds a piece that begins no command to the clause before it.
func (p *parser) extend(c *clause, pc piece) {
	lo, hi := pc.lo, pc.hi
	switch {
	case p.polite(lo, hi) && !c.free:
		return
	case c.outcome == asks && !c.free && c.body >= p.tail(c.lo, c.hi, true):
		c.dirty = true // "open, please, youtube": the object comes after the pause
	case c.needNav && p.covers(lo, p.tail(lo, hi, true), kSubmit):
		return
	case c.frame == openFrame && c.outcome == good:
		lo, _ = p.lead(lo, hi)
		if end := p.tail(lo, hi, true); lo < end {
			before := len(c.drafts)
			p.openItem(c, lo, end)
			if c.outcome == good && len(c.drafts) > before {
				c.hi = hi
				return
			}
			c.outcome = asks
			c.ask = question{key: "ask_partial", arg: p.cut(lo, end)}
		}
	case c.frame == fileFrame && p.nextItem(c, pc):
		c.hi, c.listed = hi, true
		return
	case c.frame == systemFrame && c.outcome == good:
		next := p.system(lo, hi, false)
		if next.outcome == good {
			c.drafts = append(c.drafts, next.drafts...)
		} else if end := p.tail(lo, hi, true); lo < end {
			c.outcome, c.ask = asks, question{key: "ask_partial", arg: p.cut(lo, end)}
		}
	case c.frame == searchFrame && p.distribute(c, pc):
		c.hi, c.listed = hi, true
		return
	case c.free && !c.listed:
		c.dirty = true
		c.hi = hi
		if _, _, ok := p.trailingSite(lo, p.tail(lo, hi, true)); ok {
			again := p.read(c.lo, c.hi)
			again.dirty = true
			*c = again
		}
		return
	case c.listed:
		if end := p.tail(lo, hi, true); lo < end {
			c.outcome, c.ask = asks, question{key: "ask_partial", arg: p.cut(lo, end)}
		}
	}
	c.hi = hi
}

// nextItem reads one more file or folder after a verb already read: "… and a
// file b.txt", the next name of a list, "with a file b.txt".
func (p *parser) nextItem(c *clause, pc piece) bool {
	if c.outcome != good {
		return false
	}
	lo := p.skip(p.skipMarks(pc.lo, pc.hi), pc.hi, kLead)
	hi := p.tail(lo, pc.hi, true)
	if lo >= hi {
		return true
	}
	sub := clause{frame: fileFrame, verb: c.verb, verbKind: c.verbKind, lang: c.lang, body: lo, hi: hi}
	it := p.item(&sub, lo, hi)
	_, another := p.longest(lo, hi, kAnother)
	switch {
	case another && !it.typed && it.problem == "ask_type":
		it.object, it.problem = c.object, ""
		it.name.lo = p.afterAnother(lo, hi)
	case it.typed && it.problem == "":
	case c.plural && it.object == "" && it.problem == "ask_type":
		it.object, it.problem = c.object, ""
	case it.object == fileType && it.problem == "" && p.opaqueName(it.name) && (c.plural || p.opaqueDraft(c)):
	default:
		return false
	}
	it.inside = it.inside || pc.with
	if c.plural && !it.typed {
		it.plural = true
		if it.object == "" {
			it.object = c.object
		}
	}
	if len(c.drafts) > 0 && it.place != "" && c.plural && !it.typed {
		for i := range c.drafts { // "a, b and c on the desktop": the place is for all of them
			if t := c.drafts[i].goal.Target; !isPath(t) {
				c.drafts[i].goal.Target = it.place + t
			}
		}
	}
	p.addItem(&sub, it)
	if sub.outcome != good {
		c.outcome, c.ask, c.reason = sub.outcome, sub.ask, sub.reason
		if c.outcome == unknown {
			c.outcome, c.ask = asks, question{key: "ask_partial", arg: p.cut(lo, hi)}
		}
		return true
	}
	c.drafts = append(c.drafts, sub.drafts...)
	if it.typed {
		c.object, c.plural = it.object, it.plural
	}
	return true
}

func (p *parser) afterAnother(lo, hi int) int {
	lo = p.skip(lo, hi, kAnother, kDet)
	return p.skip(lo, hi, kNamed)
}

// opaqueName reports whether a name is one file name token, which can't be
// part of a longer name.
func (p *parser) opaqueName(q span) bool {
	return q.hi == q.lo+1 && (p.toks[q.lo].shape == file || p.toks[q.lo].shape == quoted || p.toks[q.lo].shape == path)
}

// opaqueDraft reports whether the item before was an opaque name.
func (p *parser) opaqueDraft(c *clause) bool {
	if len(c.drafts) == 0 {
		return false
	}
	for _, s := range c.drafts[len(c.drafts)-1].spans {
		if s.slot == "target" {
			return p.opaqueName(s.span)
		}
	}
	return false
}

// distribute lets one search verb serve two halves that each name their site:
// "cats on youtube and dogs on google", "youtube for cats and google for
// dogs", "cats on youtube and google", "youtube and google for cats".
func (p *parser) distribute(c *clause, pc piece) bool {
	if !c.named {
		return false
	}
	lo, hi := pc.lo, p.tail(pc.lo, pc.hi, true)
	verb := match{entry{kSearch, c.lang, ""}, c.verb.hi - c.verb.lo}
	from := lo
	if on, ok := p.longest(lo, hi, kOn); ok {
		from += on.n
	}
	s, isSite := p.siteAt(from, hi, false)
	_, _, trailing := p.trailingSite(lo, hi)
	if !isSite && !trailing {
		return false
	}
	if c.dirty {
		*c = p.read(c.lo, c.hi)
	}
	switch {
	case isSite && from+s.n == hi && c.outcome == good && !c.fronted:
		d := c.drafts[len(c.drafts)-1]
		d.goal.Platform = s.id
		d.spans = append(append([]slotSpan(nil), d.spans...), slotSpan{"platform", span{from, hi}, false})
		c.drafts = append(c.drafts, d)
		return true
	case isSite && from+s.n < hi:
		f, isFor := p.longest(from+s.n, hi, kFor)
		if !isFor {
			return false
		}
		half := p.search(verb, c.verb, from+s.n+f.n, pc.hi)
		if half.outcome != good || half.named {
			return false
		}
		half.drafts[0].goal.Platform = s.id
		half.drafts[0].spans = append(half.drafts[0].spans, slotSpan{"platform", span{from, from + s.n}, false})
		if c.outcome == asks { // "search youtube and google for cats"
			for i := range c.drafts {
				c.drafts[i].goal.Query = half.drafts[0].goal.Query
			}
			c.outcome = good
		}
		c.drafts = append(c.drafts, half.drafts...)
		return true
	case c.outcome == asks && isSite && from+s.n == hi:
		d := c.drafts[0]
		d.goal.Platform = s.id
		c.drafts = append(c.drafts, d)
		return true
	}
	if !trailing || c.outcome != good {
		return false
	}
	half := p.search(verb, c.verb, lo, pc.hi)
	if half.outcome != good || !half.named {
		return false
	}
	c.drafts = append(c.drafts, half.drafts...)
	return true
}
