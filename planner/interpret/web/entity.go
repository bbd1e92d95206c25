package web

import (
	"strings"

	"errand/planner/installed"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// IsEntity reports whether [lo,hi) is exactly the name of a site or app, even if the
// name can be a verb: "open youtube and google".
func (p *Reader) IsEntity(lo, hi int) bool {
	lo = p.SkipDeterminer(lo, hi)
	e, ok := p.EntityAt(lo, hi, false)
	return ok && lo+e.Len == hi
}

// isTarget reports whether [lo,hi) is exactly the name of a site or app, or an
// address.
func (p *Reader) isTarget(lo, hi int) bool {
	e, ok := p.EntityAt(lo, hi, false)
	return ok && lo+e.Len == hi || lo+1 == hi && p.Tokens[lo].Shape == lexicon.LinkShape
}

// EntityAt finds a site or app at token i. A thing that is both has both flags set.
func (p *Reader) EntityAt(i, hi int, typo bool) (parse.Entity, bool) {
	if i >= hi {
		return parse.Entity{}, false
	}
	m, ok := p.Longest(i, hi, lexicon.Site, lexicon.App)
	if !ok && p.Tokens[i].Shape == lexicon.FileShape {
		m, ok = p.Words.Single(strings.TrimSuffix(p.Fold(i), ".exe"), lexicon.App)
	}
	fuzzy := false
	if !ok && typo && p.Tokens[i].Shape == lexicon.WordShape {
		var e lexicon.Entry
		if e, ok = p.Words.CorrectTypo(p.Fold(i), false, lexicon.Site, lexicon.App); ok {
			m, fuzzy = lexicon.Match{Entry: e, Len: 1}, true
		}
	}
	if !ok {
		return parse.Entity{}, false
	}
	_, site := p.Words.Catalogue.Site(m.Value)
	_, app := p.Words.Catalogue.App(m.Value)
	return parse.Entity{ID: m.Value, Site: site, App: app || installed.IsID(m.Value), Len: m.Len, Fuzzy: fuzzy}, true
}

// isKnownName reports whether a token that looks like a file name is a known app or
// site: notepad.exe, docs.rs.
func (p *Reader) isKnownName(i, hi int) bool {
	_, ok := p.EntityAt(i, hi, false)
	return ok
}
