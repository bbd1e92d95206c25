package interpret

import (
	"slices"
	"strings"

	"errand/planner/plan"
)

// onto gives a deed the pages that [lo,hi) names: none is the page just opened.
func (p *pageReader) onto(d pageDeed, lo, hi int) clause {
	c := clause{frame: pageFrame, outcome: good, verb: d.verb, verbKind: kShot, lang: d.lang, body: lo}
	drafts, ok := p.pages(lo, hi)
	if !ok {
		if d.key == plan.ReadPage || d.key == plan.DownloadFile || d.site.n > 0 {
			return clause{}
		}
		at := lo
		if m, ok := p.longest(p.skip(at, hi, kDet), hi, kResults); ok { // "of the results for cats on youtube"
			at = p.skip(at, hi, kDet) + m.n
		} else if e, ok := p.web.entityAt(p.skip(at, hi, kDet), hi, false); ok && e.site {
			at = p.skip(at, hi, kDet) + e.n
			m, ok := p.longest(at, hi, kResults)
			if !ok {
				return clause{}
			}
			d.site, at = e, at+m.n
		} else {
			return clause{}
		}
		return p.found(d, at, hi)
	}
	for i := range drafts {
		p.want(&drafts[i], d)
	}
	c.drafts = drafts
	return c
}

// want puts what is wanted of a page into its goal.
func (p *pageReader) want(x *draft, d pageDeed) {
	g := &x.goal
	g.Action, g.ObjectType, _ = strings.Cut(d.key, "_")
	g.Limit, g.SaveTo = d.limit, d.keep.path()
	if d.named.lo < d.named.hi {
		g.Query = p.cut(d.named.lo, d.named.hi)
		x.spans = append(x.spans, slotSpan{"query", d.named, false})
	}
	x.spans = slices.DeleteFunc(x.spans, func(s slotSpan) bool { return s.slot == "goal_type" })
	x.spans = append(x.spans, slotSpan{"goal_type", d.verb, false}, slotSpan{"action", d.verb, false})
	for _, s := range []slotSpan{{"action", d.after, false}, {"limit", d.count, false}, {"save_to", d.keep.at, false}} {
		if s.lo < s.hi {
			x.spans = append(x.spans, s)
		}
	}
}

// pages reads the pages that [lo,hi) names, one or several.
func (p *pageReader) pages(lo, hi int) ([]draft, bool) {
	if d, ok := p.pageAt(lo, hi); ok {
		return []draft{d}, true
	}
	var out []draft
	for _, s := range p.names(span{lo, hi}) {
		d, ok := p.pageAt(s.lo, s.hi)
		if !ok || d.that {
			return nil, false
		}
		out = append(out, d)
	}
	return out, len(out) > 0
}

// pageAt reads [lo,hi) as a page: an address, a site's first page, or the page
// just opened, which is also what nothing means.
func (p *pageReader) pageAt(lo, hi int) (draft, bool) {
	lo = p.skipMarks(lo, hi)
	for hi > lo && p.toks[hi-1].shape == mark {
		hi--
	}
	if lo >= hi || p.covers(lo, hi, kThisPage) || p.covers(p.skip(lo, hi, kDet), hi, kThisPage) {
		return draft{that: true}, true
	}
	said := false
	lo = p.determiner(lo, hi)
	spoken, isSpoken := p.web.spokenAddress(lo, hi) // before "com" is taken for a noun
	for !isSpoken {
		e, isEntity := p.longest(lo, hi, kSite)
		m, ok := p.longest(lo, hi, kSiteNoun, kPageNoun)
		if !ok || lo+m.n >= hi || isEntity && e.n >= m.n {
			break
		}
		said = true
		lo = p.skip(p.skipColon(lo+m.n, hi), hi, kOf, kDet, kNamed)
	}
	for !isSpoken {
		m, ok := p.ending(lo+1, hi, kSiteNoun, kPageNoun)
		if !ok {
			break
		}
		hi, said = hi-m.n, true
	}
	if lo >= hi {
		return draft{}, false
	}
	var c clause
	switch t := p.toks[lo]; {
	case lo+1 == hi && (t.shape == link || t.shape == file && t.maybeLink && said):
		p.web.navigate(&c, t.value, span{lo, hi})
	case p.quotedAlone(lo, hi):
		inside := p.parse(t.value)
		if len(inside.toks) == 1 && inside.toks[0].shape == link {
			p.web.navigate(&c, inside.toks[0].value, span{lo, hi})
		}
	case isSpoken:
		p.web.navigate(&c, spoken, span{lo, hi})
	default:
		if typed, ok := p.web.spokenAddress(lo, hi); ok {
			p.web.navigate(&c, typed, span{lo, hi})
			break
		}
		if e, ok := p.siteNamed(lo, hi, said); ok && (e.site && !e.app || e.site && said) {
			p.web.openEntity(&c, e, span{lo, hi}, true)
		}
	}
	if len(c.drafts) != 1 {
		return draft{}, false
	}
	return c.drafts[0], true
}

// siteNamed reads [lo,hi) as the name of a site, which may be in the possessive:
// "github's".
func (p *pageReader) siteNamed(lo, hi int, typo bool) (entity, bool) {
	if e, ok := p.web.entityAt(lo, hi, typo); ok && lo+e.n == hi {
		return e, true
	}
	name, possessive := strings.CutSuffix(p.fold(lo), "s")
	if m, ok := p.words.single(name, kSite); ok && possessive && lo+1 == hi {
		_, app := p.words.catalogue.App(m.value)
		return entity{id: m.value, site: true, app: app, n: 1}, true
	}
	return entity{}, false
}
