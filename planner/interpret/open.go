package interpret

import (
	"strings"

	"errand/planner/plan"
)

// entity is a site or app found at a token.
type entity struct {
	id    string
	app   bool
	site  bool
	n     int
	fuzzy bool
}

// entityAt finds a site or app at token i. A thing with both faces has both
// flags.
func (p *webReader) entityAt(i, hi int, typo bool) (entity, bool) {
	if i >= hi {
		return entity{}, false
	}
	m, ok := p.longest(i, hi, kSite, kApp)
	if !ok && p.toks[i].shape == file {
		m, ok = p.words.single(strings.TrimSuffix(p.fold(i), ".exe"), kApp)
	}
	fuzzy := false
	if !ok && typo && p.toks[i].shape == word {
		var e entry
		if e, ok = p.words.nearest(p.fold(i), false, kSite, kApp); ok {
			m, fuzzy = match{e, 1}, true
		}
	}
	if !ok {
		return entity{}, false
	}
	_, site := p.words.catalogue.Site(m.value)
	_, app := p.words.catalogue.App(m.value)
	return entity{id: m.value, site: site, app: app, n: m.n, fuzzy: fuzzy}, true
}

// program reports whether what looks like a file name is a known app or site:
// notepad.exe, docs.rs.
func (p *webReader) program(i, hi int) bool {
	_, ok := p.entityAt(i, hi, false)
	return ok
}

// determiner passes over "the", "my", unless a name begins with it.
func (p *Text) determiner(i, hi int) int {
	for {
		if _, name := p.longest(i, hi, kSite, kApp); name {
			return i
		}
		m, ok := p.longest(i, hi, kDet)
		if !ok {
			return i
		}
		i += m.n
	}
}

// open reads what follows a verb of opening.
func (p *webReader) open(verb match, at span, lo, hi int) clause {
	c := clause{frame: openFrame, verb: at, verbKind: verb.kind, lang: verb.lang, body: lo}
	hi = p.tail(lo, hi, true)
	lo = p.fillers(lo, hi)
	if lo >= hi {
		if strong(verb.kind) {
			c.outcome, c.ask = asks, question{key: "ask_target", at: span{lo, lo}}
		}
		return c
	}
	p.openItem(&c, lo, hi)
	if c.outcome == asks && !strong(verb.kind) && c.ask.key == "ask_unknown" {
		c.outcome, c.reason = unknown, "why_nothing_open"
	}
	return c
}

// strong verbs of opening ask when they don't know their object; the others
// mean too many things.
func strong(k kind) bool { return k != kShow }

// openItem reads one thing to open and adds its goal to c, or the question.
func (p *webReader) openItem(c *clause, lo, hi int) {
	c.outcome = good
	inBrowser := false
	for {
		m, ok := p.ending(lo, hi, kAsPlace)
		if !ok || m.n == hi-lo {
			break
		}
		hi, inBrowser = p.tail(lo, hi-m.n, true), true
	}
	if m, ok := p.longest(lo, hi, kAsPlace); ok && lo+m.n < hi { // "open in the browser youtube"
		lo, inBrowser = lo+m.n, true
	}
	if n := p.inBrowser(lo, hi); n > 0 && n < hi-lo {
		c.outcome, c.ask = asks, p.partial(span{hi - n, hi})
		return
	}
	hi = p.contrast(lo, hi)
	from := lo
	lo = p.determiner(lo, hi)
	if lo == hi {
		if from < hi {
			lo = from
		} else {
			c.outcome, c.ask = asks, question{key: "ask_target", at: span{lo, lo}}
			return
		}
	}
	if not, ok := p.longest(lo, hi, kNot); ok && p.thing(lo+not.n, hi) {
		return // "open not youtube but github"
	}
	if choices := p.orThings(lo, hi); choices != nil {
		c.outcome, c.ask = asks, question{key: "ask_choice", choices: choices, at: span{lo, hi}}
		return
	}
	asSite := inBrowser || p.saysSite(c.verb)
	for {
		e, isEntity := p.longest(lo, hi, kSite, kApp)
		m, ok := p.longest(lo, hi, kSiteNoun, kAppNoun)
		if !ok || lo+m.n >= hi || isEntity && e.n >= m.n {
			break
		}
		asSite = asSite || m.kind == kSiteNoun
		lo = p.skip(p.skipColon(lo+m.n, hi), hi, kDet, kNamed)
	}
	if lo >= hi {
		c.outcome, c.ask = asks, question{key: "ask_target", at: span{lo, lo}}
		return
	}
	t := p.toks[lo]
	if p.quotedAlone(lo, hi) && p.openQuoted(c, lo, asSite) {
		return
	}
	switch {
	case !p.covers(lo, hi, kSite, kApp) && (p.covers(lo, hi, kPronoun, kNothing, kBulk, kBulkAll) || p.covers(from, hi, kPronoun, kNothing, kBulk, kBulkAll)):
		c.outcome, c.ask = asks, question{key: "ask_target", at: span{from, hi}}
		return
	case t.shape == banned:
		c.outcome, c.reason = unknown, "why_scheme"
		return
	case t.shape == link || t.shape == file && t.maybeLink && (asSite || c.verbKind == kGo || c.verbKind == kGoIng):
		end := hi
		if m, ok := p.ending(lo+1, hi, kSiteNoun); ok {
			end = hi - m.n
		}
		if end == lo+1 {
			p.navigate(c, t.value, span{lo, lo + 1})
			return
		}
	case (t.shape == file || t.shape == path) && !p.program(lo, hi):
		c.outcome, c.reason = unknown, "why_open_file"
		return
	}
	if typed, ok := p.spokenAddress(from, hi); ok { // "my dash site dot com" begins with a determiner only in appearance
		p.navigate(c, typed, span{from, hi})
		return
	}
	if typed, ok := p.spokenAddress(lo, hi); ok {
		p.navigate(c, typed, span{lo, hi})
		return
	}
	if e, ok := p.entityAt(lo, hi, true); ok {
		end := lo + e.n
		for {
			m, ok := p.longest(end, hi, kSiteNoun, kAppNoun, kWindow)
			if !ok {
				break
			}
			asSite = asSite || m.kind == kSiteNoun
			end += m.n
		}
		if p.covers(end, hi, kSiteEnd) {
			end = hi
		}
		if end == hi && !(e.fuzzy && e.n != hi-lo && end-lo > 3) {
			p.openEntity(c, e, span{lo, lo + e.n}, asSite)
			return
		}
	}
	if m, ok := p.longest(lo, hi, kFolder, kFile, kFolders, kFiles); ok {
		if m.n == hi-lo {
			c.outcome, c.ask = asks, question{key: "ask_target", at: span{from, hi}}
		} else {
			c.outcome, c.reason = unknown, "why_open_file"
		}
		return
	}
	if _, ok := p.ending(lo+1, hi, kFolder, kFile); ok {
		c.outcome, c.reason = unknown, "why_open_file" // "the reports folder"
		return
	}
	c.outcome, c.ask = asks, question{key: "ask_unknown", arg: p.cut(lo, hi), at: span{lo, hi}}
}

// openQuoted opens the site, app or address that is all of a quoted span.
func (p *webReader) openQuoted(c *clause, i int, asSite bool) bool {
	inside := &webReader{Text: p.parse(p.toks[i].value)}
	if e, ok := inside.entityAt(0, len(inside.toks), false); ok && e.n == len(inside.toks) {
		p.openEntity(c, e, span{i, i + 1}, asSite)
		return true
	}
	if len(inside.toks) == 1 && inside.toks[0].shape == link {
		p.navigate(c, inside.toks[0].value, span{i, i + 1})
		return true
	}
	return false
}

// saysSite reports whether the verb itself speaks of a site: "open the page".
func (p *webReader) saysSite(verb span) bool {
	for i := verb.lo; i < verb.hi; i++ {
		if _, ok := p.longest(i, verb.hi, kSiteNoun); ok {
			return true
		}
	}
	return false
}

func (p *webReader) openEntity(c *clause, e entity, at span, asSite bool) {
	d := draft{spans: []slotSpan{{"goal_type", c.verb, false}, {"target", at, e.fuzzy}}}
	if e.app && !(e.site && asSite) {
		d.goal = plan.Goal{GoalType: plan.AppLaunch, Target: e.id}
	} else {
		s, _ := p.words.catalogue.Site(e.id)
		d.goal = plan.Goal{GoalType: plan.BrowserNavigate, Platform: s.ID, Target: s.Home}
	}
	c.drafts = append(c.drafts, d)
}

// orThings finds a choice left open: "youtube or gmail".
func (p *Text) orThings(lo, hi int) []plan.Choice {
	for i := lo; i < hi; i++ {
		m, ok := p.longest(i, hi, kOr)
		if !ok {
			continue
		}
		choices := []plan.Choice{}
		for _, s := range []span{{p.skip(lo, i, kOr, kDet), i}, {i + m.n, hi}} {
			if s.lo < s.hi {
				v := p.cut(s.lo, s.hi)
				choices = append(choices, plan.Choice{Label: v, Value: v})
			}
		}
		return choices
	}
	return nil
}
