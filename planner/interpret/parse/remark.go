package parse

import (
	"strings"

	"errand/planner/interpret/lexicon"
)

// What stands in brackets is a remark on the words before it, or part of a name:
// "delete the folder A (not B)", "delete the folder A (2)".

// maxRemark is how many words of a remark are looked at.
const maxRemark = 2 * MaxPhrase

// brackets are the pairs that a remark stands in.
var brackets = map[byte]string{'(': ")", '[': "]", '{': "}"}

// Remark reads what stands in brackets from token i on, and where it ends. What
// stands within one word ("f(x)") or runs on after the bracket, as in "report
// (final).txt", is no remark.
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
		said := p.Source[p.Tokens[j].Start:p.Tokens[j].End]
		at := strings.Index(said, closing)
		if p.Tokens[j].Shape == lexicon.QuotedShape || at < 0 {
			continue
		}
		if at != len(said)-len(closing) {
			return nil, i
		}
		return p.Parse(p.Source[t.Start+1 : p.Tokens[j].End-len(closing)]), j + 1
	}
	return p.Parse(p.Source[t.Start+1 : p.Tokens[min(hi, i+maxRemark)-1].End]), hi // never closed, or far away
}
