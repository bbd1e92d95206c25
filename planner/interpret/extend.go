package interpret

// extend adds a piece that begins no command to the clause before it.
func (p *parser) extend(c *clause, pc piece) {
	lo, hi := pc.lo, pc.hi
	switch {
	case pc.bare:
		c.dirty = true
	case p.polite(lo, hi) && !c.free:
		return
	case c.outcome == asks && !c.free && c.body >= p.tail(c.lo, c.hi, true):
		c.dirty = true // "open, please, youtube": the object comes after the pause
	case c.outcome == asks && c.frame == fileFrame && c.plural && c.ask.key == "ask_name" && !c.dirty:
		c.dirty = true // "two folders, north and south"
	case c.needNav && p.covers(lo, p.tail(lo, hi, true), kSubmit):
		return
	case c.frame == openFrame && c.outcome == good:
		lo, _ = p.lead(lo, hi)
		if end := p.tail(lo, hi, true); lo < end {
			before := len(c.drafts)
			p.web.openItem(c, lo, end)
			if c.outcome == good && len(c.drafts) > before {
				c.hi = hi
				return
			}
			c.outcome = asks
			c.ask = p.partial(span{lo, end})
		}
	case c.frame == pageFrame && p.page.nextPage(c, lo, hi):
	case c.frame == fileFrame && p.nextItem(c, pc):
		c.hi, c.listed = hi, true
		return
	case c.frame == systemFrame && c.outcome == good:
		next := p.system(lo, hi, false)
		if next.outcome == good {
			c.drafts = append(c.drafts, next.drafts...)
		} else if end := p.tail(lo, hi, true); lo < end {
			c.outcome, c.ask = asks, p.partial(span{lo, end})
		}
	case c.frame == searchFrame && p.distribute(c, pc):
		c.hi, c.listed = hi, true
		return
	case c.free && !c.listed:
		c.dirty = true
		c.hi = hi
		if _, _, ok := p.web.trailingSite(lo, p.tail(lo, hi, true)); ok {
			p.again(c)
			c.dirty = true
		}
		return
	case c.frame == searchFrame && c.outcome == good && p.placesLast(c, lo, p.tail(lo, hi, true)):
		// "cats, i mean dogs, on youtube"
	case c.listed || c.outcome == good:
		if end := p.tail(lo, hi, true); lo < end {
			c.outcome, c.ask = asks, p.partial(span{lo, end})
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
	if p.covers(pc.joint.lo, hi, kManner) { // "… and so on"
		c.outcome, c.ask = asks, p.partial(span{lo, hi})
		return true
	}
	if deed, ok := p.longest(lo, hi, kKeep, kDeed, kForeign, kNot); ok && lo+deed.n < hi && c.action() == "delete" {
		return false // "… and leave the folder"
	}
	sub := clause{frame: fileFrame, verb: c.verb, verbKind: c.verbKind, lang: c.lang, body: lo, hi: hi}
	it := p.files.item(&sub, lo, hi)
	_, another := p.longest(lo, hi, kAnother)
	switch {
	case another && !it.typed && it.problem == "ask_type":
		it.name.lo = p.afterAnother(lo, hi)
		p.files.share(&it, c.object, c.action())
	case it.typed && (it.problem == "" || c.action() == "delete" && !p.covers(lo, hi, kFile, kFiles, kFolder, kFolders)):
	case c.plural && it.object == "" && it.problem == "ask_type":
		p.files.share(&it, c.object, c.action())
	case it.object == fileType && it.problem == "" && p.opaqueName(it.name) && (c.plural || p.opaqueDraft(c) || p.toks[it.name.lo].shape != quoted):
	default:
		return false
	}
	if c.dirty && !c.listed { // what it took up since is part of the item before
		if *c = p.settle(*c); c.outcome != good {
			return false
		}
	}
	last := len(c.drafts) - 1
	it.inside = it.inside || pc.with || c.plural && !it.typed && c.drafts[last].inside
	if d := &c.drafts[last]; it.inside && it.place != "" && d.goal.ObjectType == folderType && !d.settled() {
		d.where, it.place = where{place: it.place}, "" // "a folder a with a file b.txt on the desktop"
	}
	if c.plural && !it.typed {
		it.plural = true
		it.ext = c.ext
	}
	p.files.addItem(&sub, it)
	if sub.outcome != good {
		c.outcome, c.ask, c.reason = sub.outcome, sub.ask, sub.reason
		if c.outcome == unknown {
			c.outcome, c.ask = asks, p.partial(span{lo, hi})
		}
		return true
	}
	c.drafts = append(c.drafts, sub.drafts...)
	if it.typed {
		c.object, c.plural, c.ext = it.object, it.plural, it.ext
	}
	return true
}

// placesLast gives the last search the site that [lo,hi) names: "on youtube".
func (p *parser) placesLast(c *clause, lo, hi int) bool {
	from, s, ok := p.web.trailingSite(lo, hi)
	if !ok || from != lo || s.fuzzy || c.named {
		return false
	}
	d := &c.drafts[len(c.drafts)-1]
	d.goal.Platform, c.named = s.id, true
	d.spans = append(d.spans, slotSpan{"platform", span{hi - s.n, hi}, false})
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
	s, isSite := p.web.siteAt(from, hi, false)
	_, _, trailing := p.web.trailingSite(lo, hi)
	if !isSite && !trailing {
		return false
	}
	if c.dirty && !p.again(c) {
		return false
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
		if !isFor && !(c.bare && from > lo) { // "on youtube cats and on github wazero"
			return false
		}
		half := p.web.search(verb, c.verb, from+s.n+f.n, pc.hi)
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
	half := p.web.search(verb, c.verb, lo, pc.hi)
	if half.outcome != good || !half.named {
		return false
	}
	c.drafts = append(c.drafts, half.drafts...)
	return true
}
