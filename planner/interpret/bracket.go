package interpret

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// What stands in brackets is a remark on the words before it, or part of a name:
// "delete the folder A (not B)", "delete the folder A (2)".

// maxRemark is how many words of a remark are looked at.
const maxRemark = 2 * maxPhrase

// brackets are the pairs that a remark stands in.
var brackets = map[byte]string{'(': ")", '[': "]", '{': "}"}

// remark reads what stands in brackets from token i on, and where it ends. What
// stands within one word ("f(x)") or runs on after the bracket, as in "report
// (final).txt", is no remark.
func (p *Text) remark(i, hi int) (inside *Text, end int) {
	t := p.toks[i]
	if t.shape == quoted || t.shape == mark {
		return nil, i
	}
	closing, ok := brackets[p.source[t.start]]
	if !ok {
		return nil, i
	}
	for j := i; j < min(hi, i+maxRemark); j++ {
		said := p.source[p.toks[j].start:p.toks[j].end]
		at := strings.Index(said, closing)
		if p.toks[j].shape == quoted || at < 0 {
			continue
		}
		if at != len(said)-len(closing) {
			return nil, i
		}
		return p.parse(p.source[t.start+1 : p.toks[j].end-len(closing)]), j + 1
	}
	return p.parse(p.source[t.start+1 : p.toks[min(hi, i+maxRemark)-1].end]), hi // never closed, or far away
}

// takesBack are the kinds that begin a remark which takes something back;
// restricts are those that make of a remark more than a part of a name.
var (
	takesBack = []kind{kNot, kInstead, kBut, kIf, kCancel, kKeep}
	restricts = slices.Concat(verbs, takesBack, []kind{
		kAnd, kOr, kBulkAll, kBulk, kPronoun, kRest, kManner, kWhen, kAdverb, kPosition, kHurry, kHere, kOn, kIn, kInside, kFrom, kInIt, kWith, kVague,
		kFolder, kFile, kFolders, kFiles, kDet, kDeed, kForeign,
	})
)

// remarked reports whether a remark at token i says more than a name would.
// Before what is deleted any word of a sentence does, else only what takes
// something back.
func (p *fileReader) remarked(i, hi int, deleting bool) bool {
	inside, _ := p.remark(i, hi)
	if inside == nil {
		return false
	}
	if deleting {
		for at := range inside.toks {
			if _, ok := inside.longest(at, len(inside.toks), restricts...); ok {
				return true
			}
		}
		return false
	}
	_, ok := inside.longest(0, len(inside.toks), takesBack...)
	return ok
}

// asideNot passes back over a remark at the end of [lo,hi) that only says what
// is not meant: "open youtube (not google)".
func (p *webReader) asideNot(lo, hi int) int {
	if hi-1 <= lo || p.toks[hi-1].shape == quoted {
		return hi
	}
	if last, _ := utf8.DecodeLastRuneInString(p.source[:p.toks[hi-1].end]); !strings.ContainsRune(")]}", last) {
		return hi
	}
	for i := hi - 1; i > lo && i >= hi-maxPhrase; i-- {
		inside, end := p.remark(i, hi)
		if inside == nil {
			continue
		}
		not, ok := inside.longest(0, len(inside.toks), kInstead, kNot)
		if ok && end == hi && (&webReader{Text: inside}).meant(inside.skip(not.n, len(inside.toks), kOf), len(inside.toks)) {
			return i
		}
		return hi
	}
	return hi
}

// remarksOn reports whether there is a remark on what an item names, and notes
// it.
func (p *fileReader) remarksOn(it *item) bool {
	for i := it.name.lo; i < it.name.hi; i++ {
		if p.remarked(i, it.name.hi, true) {
			it.doubt = span{i, it.name.hi}
			return true
		}
	}
	return false
}
