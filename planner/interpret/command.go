package interpret

import "slices"

// read reads tokens [lo,hi) as one command, wrappers included.
func (p *commandReader) read(lo, hi int) clause {
	c := clause{lo: lo, hi: hi, lang: anyLang}
	if s := p.system(lo, hi, true); s.outcome == good { // before "computer" is taken for a wake word
		s.lo, s.hi = lo, hi
		return s
	}
	if p.covers(p.skipMarks(lo, hi), p.tail(lo, hi, false), kReferent) && !p.startsCommand(lo, hi) {
		c.outcome, c.ask = asks, question{key: "ask_referent", at: span{lo, hi}}
		return c
	}
	at, ing := p.lead(lo, hi)
	if at == hi {
		c.outcome = wrapper
		return c
	}
	end := p.tail(at, hi, true)
	if p.covers(at, end, kCancel) {
		c.outcome, c.negated = cancels, true
		return c
	}
	at = p.insteadOf(at, hi)
	if at, c.negated = p.negation(at, hi); at >= end {
		c.outcome = cancels
		return c
	}
	if p.covers(at, end, kReferent) && !p.startsCommand(at, end) {
		c.outcome, c.ask = asks, question{key: "ask_referent", at: span{lo, hi}}
		return c
	}
	if m, ok := p.ending(at+1, end, kNotLast); ok && !p.asked(at, end-m.n) { // Russian «… открывать не надо»
		end, hi, c.negated = end-m.n, end-m.n, true
	}
	if m, ok := p.void(at, end); ok {
		end, hi, c.negated = end-m.n, end-m.n, true
	}
	last, verb, isLast := p.forbiddenLast(at, end)
	if isLast {
		end, hi, c.negated = last, last, true
	}
	best := p.command(at, hi, ing || c.negated) // "avoid opening"
	if at, _ := p.lead(p.skip(at, hi, kLead), hi); best.outcome != good && at < hi {
		if again := p.command(at, hi, ing || c.negated); again.outcome == good {
			best = again // «давай на ютубе найди»: the wrapper looked like a verb
		}
	}
	if isLast && best.outcome != good && has(fileVerbs, verb.kind) {
		best = p.files.files(verb, span{last, hi}, at, end)
	}
	if c.negated && best.outcome != good && p.web.thing(at, end) { // "…, not youtube"
		best = clause{frame: openFrame, lang: best.lang}
		p.web.openItem(&best, at, end)
	}
	best.lo, best.hi, best.negated = lo, hi, c.negated
	if has(deleteVerbs, best.verbKind) && p.questioned(lo, best.verb.lo) {
		p.confirm(&best, lo, hi) // "is it possible to delete …?" may want to know just that
	}
	if from, to := p.wonders(best.verb); from < to {
		p.sure(&best, from, p.cut(from, to))
	}
	return best
}

// startsCommand reports whether a whole referent is also a command without
// its object ("go"), which asks more precisely.
func (p *commandReader) startsCommand(lo, hi int) bool {
	m, ok := p.longest(lo, hi, kOpen, kSearch, kDelete, kCreate)
	return ok && m.n <= hi-lo
}

// command reads [lo,hi) as a command of any kind. What only looks like one about
// a page says so, unless there is a more precise reason.
func (p *commandReader) command(lo, hi int, ing bool) clause {
	if c := p.system(lo, hi, true); c.outcome == good {
		return c // after "please" and the like
	}
	page := p.page.page(lo, hi)
	if page.outcome != unknown {
		return page
	}
	c := p.ordinary(lo, hi, ing)
	if c.outcome == unknown && page.reason != "" && slices.Contains(vagueReasons, c.reason) {
		c.reason = page.reason
	}
	return c
}

// vagueReasons say little of a command that names what it wants.
var vagueReasons = []string{"", "why_no_site", "why_no_type", "why_nothing_open"}

// ordinary tries every other frame and keeps the first that understands, else
// the first that has a question.
func (p *commandReader) ordinary(lo, hi int, ing bool) clause {
	if c := p.fronted(lo, hi); c.outcome != unknown {
		return c
	}
	if c := p.longName(lo, hi); c.outcome != unknown {
		return c
	}
	best := clause{lang: anyLang}
	var typing clause // good only if a page was opened before
	consider := func(c clause) bool {
		if c.outcome == good && c.needNav && !c.named {
			if typing.outcome != good {
				typing = c
			}
			return false
		}
		if c.outcome == good || c.reason == "why_scheme" { // that no shorter verb may overrule
			best = c
			return true
		}
		if best.outcome == unknown && (c.outcome == asks || best.reason == "" && c.reason != "") {
			best = c
		}
		return false
	}
	tried := 0
	for n := min(maxPhrase, hi-lo); n > 0; n-- {
		for _, m := range p.marks[lo] {
			if m.n != n || !has(verbs, m.kind) || gerund(m.kind) && !ing {
				continue
			}
			tried++
			if consider(p.withVerb(m, lo, hi)) {
				return best
			}
		}
		if best.outcome == asks && lo+n >= p.tail(lo, hi, true) {
			break // the verb is all there is: no shorter verb with the rest as its object
		}
	}
	if typing.outcome == good && (best.outcome == unknown || best.ask.key == "ask_unknown") {
		return typing
	}
	if deed, ok := p.longest(lo, hi, kDeed, kDevice); best.outcome == asks && !(ok && (best.ask.key == "ask_unknown" || deed.n > best.verb.hi-lo)) {
		return best
	}
	if m, ok := p.longest(lo, hi, kDevice, kDeed, kForeign); ok {
		best.outcome = unknown
		best.foreign, best.lang = true, m.lang
		return best
	}
	if tried == 0 {
		if e, ok := p.words.nearest(p.toks[lo].fold, true, kSearch, kSearchIn, kOpen, kStart, kCreate, kDelete); ok && p.toks[lo].shape == word {
			c := p.withVerb(match{e, 1}, lo, hi)
			c.fuzzy = true
			if e.kind == kDelete {
				p.confirm(&c, lo, hi)
			}
			if consider(c) {
				return best
			}
		}
		if c := p.verbLast(lo, hi); c.outcome == good {
			c.reversed = true
			return c
		}
	}
	short := p.shorthand(lo, hi)
	short.shorthand = true
	consider(short)
	return best
}

// confirm asks whether a clause that deletes was meant, where its words at token
// i leave a doubt.
func (p *commandReader) confirm(c *clause, i, hi int) {
	p.sure(c, i, p.words.message(c.lang, "delete")+" "+p.cut(c.body, p.tail(c.body, hi, true)))
}

// longName reads what begins with a name that merely starts like a verb:
// "google drive budget", "google maps". Before "of" and the like the verb is
// meant: "google images of cats".
func (p *commandReader) longName(lo, hi int) clause {
	m, ok := p.longest(lo, hi, kSite, kApp)
	if _, verb := p.longest(lo, hi, verbs...); !ok || !verb || m.n < 2 {
		return clause{}
	}
	_, vague := p.longest(lo+m.n, hi, kVague)
	switch end := p.tail(lo, hi, true); {
	case lo+m.n >= end:
		e, _ := p.web.entityAt(lo, hi, false)
		return clause{outcome: asks, ask: p.verbFor(e, lo), lang: anyLang, shorthand: true}
	case vague || m.kind == kApp:
		return clause{}
	}
	c := p.shorthand(lo, hi)
	c.shorthand = true
	return c
}

// withVerb reads [lo,hi) as the command that starts with verb m.
func (p *commandReader) withVerb(m match, lo, hi int) clause {
	verb := span{lo, lo + m.n}
	switch {
	case has(searchVerbs, m.kind):
		return p.web.search(m, verb, verb.hi, hi)
	case has(openVerbs, m.kind):
		return p.web.open(m, verb, verb.hi, hi)
	default:
		return p.files.files(m, verb, verb.hi, hi)
	}
}
