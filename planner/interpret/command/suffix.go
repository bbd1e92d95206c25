package command

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// readVerbSuffix reads commands with the verb at the end, as in Russian «ютуб
// открой» and «котиков на ютубе найди», or before the site: «котиков найди на
// ютубе».
func (p *Reader) readVerbSuffix(lo, hi int) parse.Clause {
	hi = p.TrimTail(lo, hi, true)
	if from, s, ok := p.Web.TrailingSite(lo+2, hi); ok && !s.Fuzzy {
		v, ok := p.FindEnding(lo+1, from, lexicon.Search)
		if ok && p.canBeObject(lo, from-v.Len) {
			if c := p.Web.Search(v, parse.Span{Lo: from - v.Len, Hi: from}, lo, from-v.Len); c.Outcome == parse.Understood && !c.NamesSite && !c.NeedsPage {
				setSite(&c, s, hi-s.Len)
				return c
			}
		}
	}
	m, ok := p.FindEnding(lo+1, hi, lexicon.Search, lexicon.Open, lexicon.Delete, lexicon.Create)
	if !ok {
		return parse.Clause{Lang: lexicon.AnyLang}
	}
	verb := parse.Span{Lo: hi - m.Len, Hi: hi}
	switch m.Kind {
	case lexicon.Search:
		if c := p.Web.Search(m, verb, lo, verb.Lo); c.NamesSite && c.Outcome == parse.Understood {
			return c
		}
	case lexicon.Open:
		if c := p.Web.Open(m, verb, lo, verb.Lo); c.Outcome == parse.Understood {
			return c
		}
	default:
		if p.Files.IsFile(lo, verb.Lo) {
			return p.Files.Read(m, verb, lo, verb.Lo)
		}
	}
	return parse.Clause{Lang: lexicon.AnyLang}
}

// canBeObject reports whether [lo,hi) may be the object of a verb after it. It is
// not if it names a speaker, a time or a condition.
func (p *Reader) canBeObject(lo, hi int) bool {
	if _, tells := p.Longest(lo, hi, lexicon.Subject, lexicon.When, lexicon.If, lexicon.On, lexicon.OtherThing, lexicon.Not); tells {
		return false
	}
	if _, says := p.FindEnding(lo, hi, lexicon.Be); says {
		return false
	}
	for i := lo; i < hi; i++ {
		if p.Tokens[i].Shape == lexicon.MarkShape {
			return false
		}
	}
	return true
}
