package page

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// onPages applies an action to the pages that [lo,hi) names. An empty range means
// the last page.
func (p *Reader) onPages(d action, lo, hi int) parse.Clause {
	c := parse.Clause{Frame: parse.PageFrame, Outcome: parse.Understood, Verb: d.verb, VerbKind: lexicon.Screenshot, Lang: d.lang, Body: lo}
	drafts, ok := p.pages(lo, hi)
	if !ok {
		if d.key == plan.ReadPage || d.key == plan.DownloadFile || d.site.Len > 0 {
			return parse.Clause{}
		}
		at := lo
		if m, ok := p.Longest(p.Skip(at, hi, lexicon.Determiner), hi, lexicon.Results); ok { // "of the results for cats on youtube"
			at = p.Skip(at, hi, lexicon.Determiner) + m.Len
		} else if e, ok := p.Web.EntityAt(p.Skip(at, hi, lexicon.Determiner), hi, false); ok && e.Site {
			at = p.Skip(at, hi, lexicon.Determiner) + e.Len
			m, ok := p.Longest(at, hi, lexicon.Results)
			if !ok {
				return parse.Clause{}
			}
			d.site, at = e, at+m.Len
		} else {
			return parse.Clause{}
		}
		return p.onSearch(d, at, hi)
	}
	if unknown := d.destination.Unknown; unknown.Lo < unknown.Hi {
		c.Outcome, c.Ask = parse.Asks, p.AskPlace(unknown)
		return c
	}
	for i := range drafts {
		p.setAction(&drafts[i], d)
	}
	c.Drafts = drafts
	return c
}

// setAction puts an action into the goal of a page.
func (p *Reader) setAction(x *parse.Draft, d action) {
	g := &x.Goal
	g.Action, g.ObjectType, _ = strings.Cut(d.key, "_")
	g.Limit, g.SaveTo = d.limit, d.destination.Path()
	if d.fileName.Lo < d.fileName.Hi {
		g.Query = p.Cut(d.fileName.Lo, d.fileName.Hi)
		x.Spans = append(x.Spans, parse.SlotSpan{Slot: "query", Span: d.fileName, Fuzzy: false})
	}
	x.Spans = slices.DeleteFunc(x.Spans, func(s parse.SlotSpan) bool { return s.Slot == "goal_type" })
	x.Spans = append(x.Spans, parse.SlotSpan{Slot: "goal_type", Span: d.verb, Fuzzy: false}, parse.SlotSpan{Slot: "action", Span: d.verb, Fuzzy: false})
	for _, s := range []parse.SlotSpan{{Slot: "action", Span: d.suffix, Fuzzy: false}, {Slot: "limit", Span: d.count, Fuzzy: false}, {Slot: "save_to", Span: d.destination.At, Fuzzy: false}} {
		if s.Lo < s.Hi {
			x.Spans = append(x.Spans, s)
		}
	}
}

// pages reads the pages that [lo,hi) names, one or several.
func (p *Reader) pages(lo, hi int) ([]parse.Draft, bool) {
	if d, ok := p.pageAt(lo, hi); ok {
		return []parse.Draft{d}, true
	}
	var out []parse.Draft
	for _, s := range p.SplitNames(parse.Span{Lo: lo, Hi: hi}) {
		d, ok := p.pageAt(s.Lo, s.Hi)
		if !ok || d.AboutLastPage {
			return nil, false
		}
		out = append(out, d)
	}
	return out, len(out) > 0
}

// pageAt reads [lo,hi) as a page: an address, the first page of a site, or the last
// page.
func (p *Reader) pageAt(lo, hi int) (parse.Draft, bool) {
	lo = p.SkipMarks(lo, hi)
	for hi > lo && p.Tokens[hi-1].Shape == lexicon.MarkShape {
		hi--
	}
	if lo >= hi || p.IsPhrase(lo, hi, lexicon.ThisPage) || p.IsPhrase(p.Skip(lo, hi, lexicon.Determiner), hi, lexicon.ThisPage) {
		return parse.Draft{AboutLastPage: true}, true
	}
	named := false
	lo = p.SkipDeterminer(lo, hi)
	spoken, isSpoken := p.Web.SpokenAddress(lo, hi) // before "com" is taken for a noun
	for !isSpoken {
		e, isEntity := p.Longest(lo, hi, lexicon.Site)
		m, ok := p.Longest(lo, hi, lexicon.SiteNoun, lexicon.PageNoun)
		if !ok || lo+m.Len >= hi || isEntity && e.Len >= m.Len {
			break
		}
		named = true
		lo = p.Skip(p.SkipPauses(lo+m.Len, hi), hi, lexicon.Of, lexicon.Determiner, lexicon.NameMarker)
	}
	for !isSpoken {
		m, ok := p.FindEnding(lo+1, hi, lexicon.SiteNoun, lexicon.PageNoun)
		if !ok {
			break
		}
		hi, named = hi-m.Len, true
	}
	if lo >= hi {
		return parse.Draft{}, false
	}
	var c parse.Clause
	switch t := p.Tokens[lo]; {
	case lo+1 == hi && (t.Shape == lexicon.LinkShape || t.Shape == lexicon.FileShape && t.MaybeLink && named):
		p.Web.Navigate(&c, t.Value, parse.Span{Lo: lo, Hi: hi})
	case p.IsQuoted(lo, hi):
		inside := p.Parse(t.Value)
		if len(inside.Tokens) == 1 && inside.Tokens[0].Shape == lexicon.LinkShape {
			p.Web.Navigate(&c, inside.Tokens[0].Value, parse.Span{Lo: lo, Hi: hi})
		}
	case isSpoken:
		p.Web.Navigate(&c, spoken, parse.Span{Lo: lo, Hi: hi})
	default:
		if typed, ok := p.Web.SpokenAddress(lo, hi); ok {
			p.Web.Navigate(&c, typed, parse.Span{Lo: lo, Hi: hi})
			break
		}
		if e, ok := p.matchSite(lo, hi, named); ok && (e.Site && !e.App || e.Site && named) {
			p.Web.OpenEntity(&c, e, parse.Span{Lo: lo, Hi: hi}, true)
		}
	}
	if len(c.Drafts) != 1 {
		return parse.Draft{}, false
	}
	return c.Drafts[0], true
}

// matchSite reads [lo,hi) as the name of a site, possibly in the possessive:
// "github's".
func (p *Reader) matchSite(lo, hi int, typo bool) (parse.Entity, bool) {
	if e, ok := p.Web.EntityAt(lo, hi, typo); ok && lo+e.Len == hi {
		return e, true
	}
	name, possessive := strings.CutSuffix(p.Fold(lo), "s")
	if m, ok := p.Words.Single(name, lexicon.Site); ok && possessive && lo+1 == hi {
		_, app := p.Words.Catalogue.App(m.Value)
		return parse.Entity{ID: m.Value, Site: true, App: app, Len: 1}, true
	}
	return parse.Entity{}, false
}
