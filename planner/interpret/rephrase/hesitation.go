package rephrase

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// dropHesitations returns a text without sounds such as "uh" and without small words that were said twice, or nil:
// "open uh the the downloads folder".
func dropHesitations(t *parse.Text) *parse.Text {
	next := t
	for i := len(t.Tokens) - 1; i >= 0; i-- {
		m, ok := t.Longest(i, len(t.Tokens), lexicon.Hesitation)
		if !ok && i > 0 && t.Fold(i) == t.Fold(i-1) && t.IsPhrase(i, i+1, lexicon.FunctionWord) {
			m.Len, ok = 1, true
		}
		if ok && t.Tokens[i].Shape == lexicon.WordShape {
			next = next.Splice(parse.Span{Lo: i, Hi: i + m.Len}, "", false)
		}
	}
	if next == t {
		return nil
	}
	return next
}
