package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
)

// LinesEnd is the end of words for a number of lines at token i: "the first two lines of"; 0: there
// are none.
func LinesEnd(p *Text, i, hi int) int {
	i = p.Skip(i, hi, lexicon.Determiner)
	first, ok := p.Longest(i, hi, lexicon.First)
	if !ok {
		return 0
	}
	i += first.Len
	if m, ok := p.Longest(i, hi, lexicon.Count); ok {
		i += m.Len
	} else if i < hi && strings.Trim(p.Fold(i), "0123456789") == "" {
		i++
	}
	noun, ok := p.Longest(i, hi, lexicon.PartNoun)
	of, _ := p.Longest(i+noun.Len, hi, lexicon.Of, lexicon.Source)
	if !ok || noun.Len < 2 && of.Len == 0 && p.Words.Packs[noun.Lang].NameFirst {
		return 0
	}
	return i + noun.Len + of.Len
}
