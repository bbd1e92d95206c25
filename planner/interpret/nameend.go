package interpret

import (
	"slices"
	"strings"
)

// A name ends where the words go on to say something else. What that is and a
// goal can't hold ("with text hello", "recursively", "if it is empty", "in a
// folder" that is not known for one) makes the whole command half understood:
// it is asked about, and never taken for a part of the name.

// overrun finds where the name of an item runs on into such words, and notes
// them. A name that is announced ("called fun with flags") or quoted may hold
// almost anything.
func (p *fileReader) overrun(it *item, deleting bool) bool {
	names := []span{it.name}
	if it.plural || p.fileTokens(it.name) {
		names = p.names(it.name)
	}
	for _, q := range names {
		if deleting && !it.named && len(names) > 1 && p.unnamed(q) {
			it.doubt = q
			return true
		}
		if at := p.nameEnd(it, q, deleting); at < q.hi {
			it.doubt = span{at, q.hi}
			return true
		}
	}
	return false
}

// share gives an item without a type that of the one before it.
func (p *fileReader) share(it *item, object, action string) {
	it.object, it.problem = object, ""
	deleting := action == "delete"
	if it.doubt = it.name; deleting && p.unnamed(it.name) || p.overrun(it, deleting) {
		it.problem, it.at = "ask_partial", it.unclear(deleting)
	}
}

// unclear are the words that an answer to a doubt stands for. Of what is to be
// deleted no half of a name is kept.
func (it *item) unclear(deleting bool) span {
	if deleting {
		return it.name
	}
	return it.doubt
}

// nameEnd is where the name q ends: at its own end if it is nothing but a name.
func (p *fileReader) nameEnd(it *item, q span, deleting bool) int {
	if q.hi > q.lo+1 && (p.toks[q.lo].shape == quoted || it.object != folderType && p.whole(q.lo) && !p.whole(q.hi-1)) {
		return q.lo + 1
	}
	if deleting && p.remarked(q.lo, q.hi, true) {
		return q.lo
	}
	for i := q.lo + 1; i < q.hi; i++ {
		if p.shell(i) || p.remarked(i, q.hi, deleting) && (deleting || !it.named) {
			return i
		}
		if _, noun := p.longest(i, q.hi, kFolder, kFile); noun && !it.typed && !it.named {
			return q.lo // "a read only file a.txt"
		}
		if _, joint := p.longest(i, q.hi, kVague, kOn, kFor); joint && !it.typed && !it.named {
			return q.lo // "the last line of notes.txt"
		}
		if deleting && (!p.listedOn(i, q.hi) || !it.named && p.toks[i].shape == mark && p.fold(i) == ",") {
			return i
		}
		if m, ok := p.longest(i, q.hi, kAnd); ok && i+m.n == q.hi {
			return i // "a on the desktop and in documents"
		}
		for _, m := range p.marks[i] {
			if i+m.n <= q.hi && (p.endsName(it, m.kind, i+m.n == q.hi, deleting) || m.kind == kIf && (m.n > 1 && i+m.n < q.hi || p.subject(i+m.n, q.hi))) {
				return i
			}
		}
	}
	return q.hi
}

// anotherDeed are the kinds that begin something else than one more name.
var anotherDeed = slices.Concat(verbs, []kind{kDeed, kForeign, kNot, kKeep, kBulkAll, kPronoun, kRest})

// listedOn reports whether a joint at token i may stand in the name of what is
// to be deleted: "salt and pepper". After "but" and before another deed or
// something pointed at no name goes on: "old but keep the logs", "old and
// restore it", "old and everything in it".
func (p *fileReader) listedOn(i, hi int) bool {
	if _, but := p.longest(i, hi, kBut); but {
		return false
	}
	at := i
	if m, ok := p.longest(i, hi, kAnd); ok {
		at += m.n
	} else if p.toks[i].shape == mark {
		at = p.skip(p.skipMarks(i, hi), hi, kAnd)
	}
	if at == i || at >= hi {
		return true
	}
	if _, deed := p.longest(at, hi, anotherDeed...); deed {
		return false
	}
	_, points := p.ending(at, hi, kPronoun, kRest)
	return !points
}

// endsName reports whether a phrase of a kind, within a name or at its end
// (last), can't be part of it. What is to be deleted is read more strictly.
func (p *fileReader) endsName(it *item, k kind, last, deleting bool) bool {
	announced := it.named && !deleting
	switch k {
	case kContent, kWith:
		return !last && !(announced && it.object == folderType)
	case kManner:
		return deleting || last
	case kWhen:
		return last
	case kAdverb:
		return last && deleting && !it.named
	case kIf, kUse, kInstead:
		return !last && !announced
	case kIn, kInside:
		return !last && !it.named
	case kFrom:
		return !last && !it.named && deleting
	}
	return false
}

// subject reports whether a sentence goes on: "if it …", "before i …".
func (p *fileReader) subject(i, hi int) bool {
	m, ok := p.longest(i, hi, kSubject)
	return ok && i+m.n < hi
}

// shell reports whether a token is of a command line rather than of a name: a
// flag, a pipe, a wildcard.
func (p *fileReader) shell(i int) bool {
	t := p.toks[i]
	if t.shape == quoted {
		return false
	}
	switch s := p.source[t.start:t.end]; {
	case s == "|" || s == "||" || s == "&&" || s == ">" || s == ">>" || s == "<" || s == "*" || s == ";" && p.toks[i-1].end < t.start:
		return true
	default:
		return len(s) > 1 && (s[0] == '-' && t.shape != mark || s[0] == '/' && strings.Count(s, "/") == 1)
	}
}

// whole reports whether a token is a file name that nothing is missing of.
func (p *Text) whole(i int) bool {
	t := p.toks[i]
	return t.shape == file || t.shape == quoted || t.shape == path && extension(t.value) != ""
}

// undecorated drops emoji after what is complete without them: a file name or a
// place. Elsewhere they may be part of a name.
func (p *fileReader) undecorated(lo, hi int) int {
	end := hi
	for end > lo && p.toks[end-1].shape == symbol {
		end--
	}
	if end == hi || end == lo {
		return hi
	}
	if m, ok := p.ending(lo, end, kPlace, kInIt); p.whole(end-1) || ok && m.n > 1 {
		return p.fileTail(lo, end)
	}
	return hi
}

// unhurried drops "now", "here" and the like after a name that is not announced,
// and reports whether "here" was said, there or before the name.
func (p *fileReader) unhurried(lo, hi int) (end int, here bool) {
	for i := lo; i < hi; i++ {
		if _, named := p.longest(i, hi, kNamed); named {
			return hi, false
		}
	}
	first, here := p.longest(lo, hi, kHere)
	here = here && lo+first.n < hi
	for {
		m, ok := p.ending(lo+1, hi, kHurry, kHere)
		if !ok {
			return hi, here
		}
		here = here || m.kind == kHere
		hi = p.fileTail(lo, hi-m.n)
	}
}
