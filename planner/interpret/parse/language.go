package parse

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
)

// DetectLanguage decides by script, and between languages of one script by the
// number of known phrases. The verb of a command that is understood overrules it.
func (p *Text) DetectLanguage() string {
	latin, cyrillic := countLetters(p)
	best, most := "", -1
	for n, k := range p.Words.Packs {
		if k.Cyrillic == (cyrillic > latin) && latin+cyrillic > 0 {
			if known := p.CountKnown(uint8(n)); known > most {
				best, most = k.Language, known
			}
		}
	}
	return best
}

// countLetters counts the letters of each script. If both occur, the first word that
// names no site or app decides, because a command starts with its verb: «скачай the
// lord of the rings» is Russian.
func countLetters(p *Text) (latin, cyrillic int) {
	for _, r := range p.Source {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		}
	}
	for i := 0; i < len(p.Tokens) && latin > 0 && cyrillic > 0; i++ {
		first, _ := utf8.DecodeRuneInString(p.Fold(i))
		if _, name := p.Longest(i, len(p.Tokens), lexicon.Site, lexicon.App); name || p.Tokens[i].Shape != lexicon.WordShape || !unicode.IsLetter(first) {
			continue
		}
		if unicode.Is(unicode.Cyrillic, first) {
			return 0, cyrillic
		}
		return latin, 0
	}
	return latin, cyrillic
}

// CountKnown counts the words at which a phrase of a language begins.
func (p *Text) CountKnown(lang uint8) int {
	n := 0
	for _, marks := range p.Matches {
		if slices.ContainsFunc(marks, func(m lexicon.Match) bool { return m.Lang == lang }) {
			n++
		}
	}
	return n
}
