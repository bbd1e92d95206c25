package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
)

// What stands in brackets is a remark on the words before it, or part of a name:
// "delete the folder A (not B)", "delete the folder A (2)".

// maxRemark is the longest remark that is read, in words.
const maxRemark = 2 * MaxPhrase

// brackets are the pairs around a remark.
var brackets = map[byte]string{'(': ")", '[': "]", '{': "}"}

// Remark reads the text in brackets at token i and returns its end. Brackets within
// a word ("f(x)") and before more of the word ("report (final).txt") hold no remark.
func (p *Text) Remark(i, hi int) (inside *Text, end int) {
	t := p.Tokens[i]
	if t.Shape == lexicon.QuotedShape || t.Shape == lexicon.MarkShape {
		return nil, i
	}
	closing, ok := brackets[p.Source[t.Start]]
	if !ok {
		return nil, i
	}
	for j := i; j < min(hi, i+maxRemark); j++ {
		text := p.Source[p.Tokens[j].Start:p.Tokens[j].End]
		at := strings.Index(text, closing)
		if p.Tokens[j].Shape == lexicon.QuotedShape || at < 0 {
			continue
		}
		if at != len(text)-len(closing) {
			return nil, i
		}
		return p.Parse(p.Source[t.Start+1 : p.Tokens[j].End-len(closing)]), j + 1
	}
	return p.Parse(p.Source[t.Start+1 : p.Tokens[min(hi, i+maxRemark)-1].End]), hi // never closed, or far away
}
