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
	letters := p.alphabet()
	best, most := "", -1
	for n := range p.Words.Packs {
		if k := &p.Words.Packs[n]; letters != nil && k.Alphabet() == letters {
			if known := p.CountKnown(uint8(n)); known > most {
				best, most = k.Language, known
			}
		}
	}
	return best
}

// alphabet is the script with the most letters in the text, of those that a language
// uses. If there are several, the first word that names no site or app decides,
// because a command starts with its verb: «скачай the lord of the rings» is Russian.
// It is nil if the text has no letter of them.
func (p *Text) alphabet() *unicode.RangeTable {
	var most *unicode.RangeTable
	count, scripts := 0, 0
	for n := range p.Words.Packs {
		letters := p.Words.Packs[n].Alphabet()
		if slices.ContainsFunc(p.Words.Packs[:n], func(k lexicon.Pack) bool { return k.Alphabet() == letters }) {
			continue
		}
		found := 0
		for _, r := range p.Source {
			if unicode.Is(letters, r) {
				found++
			}
		}
		if found > 0 {
			scripts++
		}
		if found > count {
			most, count = letters, found
		}
	}
	for i := 0; i < len(p.Tokens) && scripts > 1; i++ {
		first, _ := utf8.DecodeRuneInString(p.Fold(i))
		if _, name := p.Longest(i, len(p.Tokens), lexicon.Site, lexicon.App); name || p.Tokens[i].Shape != lexicon.WordShape || !unicode.IsLetter(first) {
			continue
		}
		for n := range p.Words.Packs {
			if letters := p.Words.Packs[n].Alphabet(); unicode.Is(letters, first) {
				return letters
			}
		}
	}
	return most
}

// CountKnown counts the words at which a phrase of a language begins. Kinds of music have the
// same names in many languages.
func (p *Text) CountKnown(lang uint8) int {
	n := 0
	for _, marks := range p.Matches {
		if slices.ContainsFunc(marks, func(m lexicon.Match) bool { return m.Lang == lang && m.Kind != lexicon.MediaStyle }) {
			n++
		}
	}
	return n
}
