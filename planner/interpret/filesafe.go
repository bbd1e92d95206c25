package interpret

import (
	"strings"
)

// placeholder reports whether the name only stands for one: "it",
// "something". After "called" only the latter does: a folder may well be
// called "stuff" or "this".
func (p *fileReader) placeholder(it item) bool {
	lo, hi := it.name.lo, it.name.hi
	if strings.Trim(p.cut(lo, hi), "\"'«»“” ") == "" {
		return true
	}
	if it.named {
		return p.covers(lo, hi, kNothing) && !p.covers(lo, hi, kBulk)
	}
	return p.covers(lo, hi, kPronoun, kNothing) && !p.quotedAlone(lo, hi)
}

// bulk reports whether the words mean more than one named thing.
func (p *fileReader) bulk(lo, hi int) bool {
	if p.quotedAlone(lo, hi) {
		return false
	}
	if _, all := p.longest(lo, hi, kBulkAll); all {
		return true
	}
	start := p.skip(lo, hi, kDet)
	if m, ok := p.longest(start, hi, kBulk); ok {
		_, more := p.longest(start+m.n, hi, kVague, kPlace, kIn, kInside, kFrom)
		return start+m.n == hi || more
	}
	return p.globbed(span{lo, hi})
}

// globbed reports whether the words hold a wildcard.
func (p *fileReader) globbed(q span) bool {
	for i := q.lo; i < q.hi; i++ {
		if p.toks[i].shape != quoted && strings.ContainsAny(p.source[p.toks[i].start:p.toks[i].end], "*?") {
			return true
		}
	}
	return false
}

func (p *fileReader) onlyMarks(q span) bool {
	for i := q.lo; i < q.hi; i++ {
		if p.toks[i].shape != mark {
			return false
		}
	}
	return true
}

// vague reports whether an unannounced name begins like a description rather
// than a name: "the file that I made yesterday".
func (p *fileReader) vague(q span) bool {
	if p.quotedAlone(q.lo, q.hi) {
		return false
	}
	_, ok := p.longest(q.lo, q.hi, kVague)
	return ok
}

// adverbial reports whether an unannounced name only says how soon or how it is
// to be done: "delete the file again". Nothing called like that is deleted, and
// nothing without an extension that begins with a preposition or a condition:
// "the file on the left", "the file after the first one".
func (p *fileReader) adverbial(q span, deleting bool) bool {
	kinds := []kind{kHurry, kTail}
	if deleting {
		kinds = append(kinds, kManner, kWhen, kAdverb, kPosition)
	}
	if p.skip(q.lo, q.hi, kinds...) == q.hi {
		return true
	}
	m, on := p.longest(q.lo, q.hi, kOn, kFor, kIf, kIn, kInside, kFrom)
	return deleting && on && m.n < q.hi-q.lo && (m.kind == kIf || !p.whole(q.hi-1))
}

// unnamed reports whether one of several things to delete is none: "the others",
// "all the rest", "here".
func (p *fileReader) unnamed(q span) bool {
	return !p.quotedAlone(q.lo, q.hi) &&
		(p.covers(q.lo, q.hi, kRest, kPronoun, kNothing) || p.bulk(q.lo, q.hi) || p.adverbial(q, true))
}

// openChoice reports whether the name leaves a choice open: "a.txt or b.txt".
// What is to be deleted may not; a new thing may be called "trick or treat".
func (p *fileReader) openChoice(it *item, deleting bool) bool {
	if !deleting && it.named {
		return false
	}
	for i := it.name.lo + 1; i < it.name.hi; i++ {
		if _, or := p.longest(i, it.name.hi, kOr); or {
			return true
		}
	}
	return false
}

// guard refuses what is never a goal: deleting a root, flags of shell commands.
func (p *fileReader) guard(c *clause, it *item) {
	if it.name.lo >= it.name.hi {
		return
	}
	name := p.cut(it.name.lo, it.name.hi)
	first := p.source[p.toks[it.name.lo].start:p.toks[it.name.lo].end]
	switch {
	case (c.verbKind == kRm || c.verbKind == kRmdir) && strings.HasPrefix(first, "-"), isRoot(name):
		it.refused = "why_root"
	case (c.verbKind == kTouch || c.verbKind == kMkdir) && strings.HasPrefix(first, "-"):
		it.refused = "why_flags"
	}
}

func isRoot(name string) bool {
	trimmed := strings.Trim(name, `/\.~`)
	return trimmed == "" || len(trimmed) == 2 && trimmed[1] == ':'
}
