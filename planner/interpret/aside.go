package interpret

import "slices"

// maxAsides is how often politeness is dropped from within the commands of a text.
const maxAsides = 8

// dropAsides drops politeness that stands between a verb and the rest of its
// command: "tell me, please, what time it is", «сделай пожалуйста скриншот».
// There it belongs to nothing, not even to free text, and would part the words of
// a phrase.
func dropAsides(p *Text) {
	if !politeWithin(p) {
		return
	}
	begin, dropped := 0, 0 // of the clause
	for i := 0; i < len(p.toks) && dropped < maxAsides; i++ {
		m, joint := p.longest(i, len(p.toks), kAnd, kBut)
		n, paused := asideAt(p, i)
		switch {
		case n > 0 && verbAlone(p, begin, i, n, paused):
			p.toks = slices.Delete(slices.Clone(p.toks), i, i+n)
			p.marks = p.words.find(p.toks)
			dropped++
		case p.toks[i].shape == mark:
			begin = i + 1
		case joint:
			begin = i + m.n
		}
	}
}

// politeWithin reports whether there is politeness that is neither the first nor
// the last of the words. Few texts have any.
func politeWithin(p *Text) bool {
	for i, marks := range p.marks {
		for _, m := range marks {
			if m.kind == kTail && i > 0 && i+m.n < len(p.toks) {
				return true
			}
		}
	}
	return false
}

// asideAt is the length of politeness at token i that more words follow, with the
// pauses around it or without any.
func asideAt(p *Text, i int) (n int, paused bool) {
	at, hi := i, len(p.toks)
	if p.toks[i].shape == mark && pausing(p.fold(i)) {
		at, paused = i+1, true
	}
	m, ok := p.longest(at, hi, kTail)
	end := at + m.n
	switch {
	case !ok || end >= hi:
		return 0, false
	case paused:
		if p.toks[end].shape != mark || !pausing(p.fold(end)) || end+1 >= hi {
			return 0, false
		}
		return end + 1 - i, true
	}
	_, lead := p.longest(at, end, kLead)
	_, filler := p.longest(at, end, kFiller)
	if !lead || !filler || p.toks[end].shape == mark || p.toks[end].shape == symbol {
		return 0, false
	}
	return m.n, false
}

// toldVerbs take an object and no free text, so that politeness after them is none
// of it.
var (
	toldVerbs   = []kind{kMake, kPut, kShow, kSave, kConvert, kDownload, kList, kTell, kReadOut, kAsk}
	pausedVerbs = slices.Concat(toldVerbs, verbs)
	notVerbs    = []kind{kCancel, kNot, kRepair, kRepairSoft, kSite, kApp}
)

// verbAlone reports whether the n tokens of politeness at i follow a verb and
// nothing else of the clause that begins at lo: a whole phrase, or the beginning of
// one that goes on behind them.
func verbAlone(p *Text, lo, i, n int, paused bool) bool {
	lo, _ = p.lead(lo, i)
	lo, _ = p.negation(lo, i) // "don't show, please, …" forbids all of it
	if lo >= i || i-lo > maxPhrase || p.covers(lo, i, notVerbs...) {
		return false
	}
	switch {
	case paused && p.covers(lo, i, pausedVerbs...), p.covers(lo, i, toldVerbs...) && !p.covers(lo, i, searchVerbs...):
		return true
	}
	joined := p.toks[lo:min(len(p.toks), i+n+maxPhrase)]
	marks := p.words.find(slices.Delete(slices.Clone(joined), i-lo, i-lo+n))
	return slices.ContainsFunc(marks[0], func(m match) bool { return m.n > i-lo && has(bridging, m.kind) })
}

// bridging are the kinds whose phrases politeness may part.
var bridging = slices.Concat(pausedVerbs, []kind{kShot, kPDF, kWhatSays, kWhatsOn})
