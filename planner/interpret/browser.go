package interpret

import (
	"slices"

	"errand/planner/catalogue"
)

// inBrowser is the length of "in firefox" at the end of [lo,hi): a goal can't
// say which browser is to show it, so that only the default one is no question.
func (p *webReader) inBrowser(lo, hi int) int {
	for i := max(lo, hi-maxPhrase); i < hi; i++ {
		m, ok := p.longest(i, hi, kInApp)
		if e, _ := p.longest(i+m.n, hi, kApp); ok && e.n > 0 && i+m.n+e.n == hi && !p.covers(i, hi, kAsPlace) {
			if a, _ := p.words.catalogue.App(e.value); a.Browser && !p.whither(i, m.n, hi, a.Aliases) {
				return hi - i
			}
		}
	}
	return 0
}

// whither reports whether [i,hi) says where to rather than where, by the case of
// the alias after the preposition: «билеты в оперу». After one that is no place's
// («через оперу») the same case names the browser.
func (p *webReader) whither(i, n, hi int, aliases []string) bool {
	said := fold(p.cut(i+n, hi))
	_, place := p.longest(i, i+n, kOn)
	return place && slices.ContainsFunc(aliases, func(alias string) bool {
		to := catalogue.Decline(alias, catalogue.Accusative)
		return said == to && to != catalogue.Decline(alias, catalogue.Plain) && to != catalogue.Decline(alias, catalogue.Prepositional)
	})
}

// frontedBrowser asks about "in firefox open reddit".
func (p *commandReader) frontedBrowser(lo, hi int) clause {
	in, ok := p.longest(lo, hi, kInApp)
	e, named := p.longest(lo+in.n, hi, kApp)
	end := lo + in.n + e.n
	if !ok || !named || p.web.inBrowser(lo, end) == 0 {
		return clause{}
	}
	at := p.skipColon(end, hi)
	if v, verb := p.longest(at, hi, verbs...); !verb || gerund(v.kind) {
		return clause{}
	}
	c := p.command(at, hi, false)
	if c.outcome == good {
		c.outcome, c.ask = asks, p.partial(span{lo, end})
	}
	return c
}
