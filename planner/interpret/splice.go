package interpret

import (
	"slices"

	"errand/planner/plan"
)

// edit is an answer in the text: old bytes at pos became new ones.
type edit struct{ pos, old, new int }

// told is what an answer says about the thing whose words begin at a token.
type told struct {
	entry  *entry      // it stands for this phrase
	object string      // it is a file, a folder
	folder string      // it lies in this folder
	sure   bool        // the correction of its spelling is right
	lost   []plan.Goal // goals that it is not to cause after all
}

func (p *Text) told(i int) told {
	if i < 0 || i >= len(p.toks) || p.toks[i].told == nil {
		return told{}
	}
	return *p.toks[i].told
}

// tell is the parser with something told about token i.
func (p *Text) tell(i int, t told) *Text {
	next := *p
	next.toks = slices.Clone(p.toks)
	if i < len(next.toks) {
		t.entry = p.told(i).entry
		next.toks[i].told = &t
	}
	return &next
}

// splice is the parser with an answer in the place of tokens, as words or as
// one name that is not looked into.
func (p *Text) splice(at span, value string, whole bool) *Text {
	if whole {
		return p.replace(at, value, []token{{shape: quoted, end: len(value), fold: "\x00", value: value}})
	}
	return p.replace(at, value, tokenize(value))
}

// put is the parser with one phrase in the place of tokens.
func (p *Text) put(at span, value string, e entry) *Text {
	return p.replace(at, value, []token{{end: len(value), fold: "\x00", value: value, told: &told{entry: &e}}})
}

// without is the parser without some tokens and what joined them to those
// before.
func (p *Text) without(at span) *Text {
	for at.lo > 0 {
		if m, ok := p.ending(0, at.lo, kAnd, kBut, kTo, kWith); ok {
			at.lo -= m.n
		} else if p.toks[at.lo-1].shape == mark {
			at.lo--
		} else {
			break
		}
	}
	return p.replace(at, "", nil)
}

// place is where tokens stand in the text. Without tokens it is the gap before.
func (p *Text) place(at span) (start, end int) {
	switch {
	case at.lo < at.hi:
		return p.toks[at.lo].start, p.toks[at.hi-1].end
	case at.lo > 0:
		start = p.toks[at.lo-1].end
	}
	return start, start
}

func (p *Text) replace(at span, value string, toks []token) *Text {
	start, end := p.place(at)
	inserted := " " + value + " "
	next := &Text{words: p.words, platform: p.platform, source: p.source[:start] + inserted + p.source[end:]}
	next.edits = append(slices.Clip(p.edits), edit{start, end - start, len(inserted)})
	next.toks = append(next.toks, p.toks[:at.lo]...)
	shift := func(toks []token, by int) {
		for _, t := range toks {
			t.start, t.end = t.start+by, t.end+by
			next.toks = append(next.toks, t)
		}
	}
	shift(toks, start+1)
	shift(p.toks[max(at.lo, at.hi):], len(inserted)-(end-start))
	next.marks = p.words.find(next.toks)
	for i, t := range next.toks {
		if t.told != nil && t.told.entry != nil {
			next.marks[i] = []match{{*t.told.entry, 1}}
		}
	}
	next.language = next.detectLanguage()
	return next
}

// origin is where bytes of the text come from in what was said. What an answer
// brought comes from the words that it replaced.
func (p *Text) origin(start, end int) (from, to int) {
	for _, e := range slices.Backward(p.edits) {
		switch {
		case start >= e.pos+e.new:
			start -= e.new - e.old
		case start > e.pos:
			start = e.pos
		}
		switch {
		case end >= e.pos+e.new:
			end -= e.new - e.old
		case end > e.pos:
			end = e.pos + e.old
		}
	}
	return start, end
}
