package web

import (
	"strings"
	"unicode/utf8"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// trimBracketContrast cuts a remark at the end of [lo,hi) that only excludes
// something: "open youtube (not google)".
func (p *Reader) trimBracketContrast(lo, hi int) int {
	if hi-1 <= lo || p.Tokens[hi-1].Shape == lexicon.QuotedShape {
		return hi
	}
	if last, _ := utf8.DecodeLastRuneInString(p.Source[:p.Tokens[hi-1].End]); !strings.ContainsRune(")]}", last) {
		return hi
	}
	for i := hi - 1; i > lo && i >= hi-parse.MaxPhrase; i-- {
		inside, end := p.Remark(i, hi)
		if inside == nil {
			continue
		}
		not, ok := inside.Longest(0, len(inside.Tokens), lexicon.Instead, lexicon.Not)
		if ok && end == hi && (&Reader{Text: inside}).isTarget(inside.Skip(not.Len, len(inside.Tokens), lexicon.Of), len(inside.Tokens)) {
			return i
		}
		return hi
	}
	return hi
}

// TrimContrast cuts "instead of google", "not google", "(not google)" off the end.
func (p *Reader) TrimContrast(lo, hi int) int {
	if at := p.trimBracketContrast(lo, hi); at < hi {
		return at
	}
	for i := hi - 1; i > lo && i >= hi-parse.MaxPhrase; i-- {
		m, ok := p.Longest(i, hi, lexicon.Instead)
		if !ok {
			continue
		}
		j := i + m.Len
		if on, ok := p.Longest(j, hi, lexicon.On); ok {
			j += on.Len
		}
		if p.isTarget(j, hi) {
			end := i
			for end > lo && p.Tokens[end-1].Shape == lexicon.MarkShape {
				end--
			}
			return end
		}
	}
	return hi
}
