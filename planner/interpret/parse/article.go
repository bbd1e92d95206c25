package parse

import (
	"unicode"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
)

// SkipArticles skips words such as "the" and a possessive that is not written as a name.
func SkipArticles(p *Text, lo, hi int) int {
	for lo < hi {
		m, ok := p.Longest(lo, hi, lexicon.Article)
		if !ok && !IsCapital(p, lo) {
			m, ok = p.Longest(lo, hi, lexicon.Mine)
		}
		if !ok {
			return lo
		}
		lo += m.Len
	}
	return lo
}

// IsCapital reports whether a token begins with a capital letter and has a small one after it.
func IsCapital(p *Text, i int) bool {
	word := p.Source[p.Tokens[i].Start:p.Tokens[i].End]
	_, size := utf8.DecodeRuneInString(word)
	second, _ := utf8.DecodeRuneInString(word[size:])
	return StartsUpper(p, i) && unicode.IsLower(second)
}

// StartsUpper reports whether a token begins with a capital letter.
func StartsUpper(p *Text, i int) bool {
	first, _ := utf8.DecodeRuneInString(p.Source[p.Tokens[i].Start:])
	return unicode.IsUpper(first)
}
