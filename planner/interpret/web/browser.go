package web

import (
	"slices"

	"errand/planner/catalogue"
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// InBrowser is the length of "in firefox" at the end of [lo,hi). No goal can choose
// a browser, so that the words lead to a question.
func (p *Reader) InBrowser(lo, hi int) int {
	for i := max(lo, hi-parse.MaxPhrase); i < hi; i++ {
		m, ok := p.Longest(i, hi, lexicon.InApp)
		if e, _ := p.Longest(i+m.Len, hi, lexicon.App); ok && e.Len > 0 && i+m.Len+e.Len == hi && !p.IsPhrase(i, hi, lexicon.AsPlace) {
			if a, _ := p.Words.Catalogue.App(e.Value); a.Browser && !p.isDirection(i, m.Len, hi, a.Aliases) {
				return hi - i
			}
		}
	}
	return 0
}

// isDirection reports whether [i,hi) names a direction rather than a place, by the
// case of the alias: «билеты в оперу». After prepositions that are not for places
// («через оперу») the same case names the browser.
func (p *Reader) isDirection(i, n, hi int, aliases []string) bool {
	words := lexicon.Fold(p.Cut(i+n, hi))
	_, place := p.Longest(i, i+n, lexicon.On)
	return place && slices.ContainsFunc(aliases, func(alias string) bool {
		to := catalogue.Decline(alias, catalogue.Accusative)
		return words == to && to != catalogue.Decline(alias, catalogue.Plain) && to != catalogue.Decline(alias, catalogue.Prepositional)
	})
}
