package parse

import "errand/planner/interpret/lexicon"

// SkipNegation skips negators and the politeness around them, and reports whether
// there were any.
func (p *Text) SkipNegation(at, hi int) (int, bool) {
	negated := false
	for {
		m, ok := p.Longest(at, hi, lexicon.Not)
		if other, is := p.Longest(at, hi, lexicon.Lead, lexicon.OtherGoal); !ok || is && other.Len > m.Len { // "don't forget to", "stop the music"
			return at, negated
		}
		negated = true
		at, _ = p.SkipLead(at+m.Len, hi)
	}
}

// SkipDeterminer skips "the", "my", unless a name starts with it.
func (p *Text) SkipDeterminer(i, hi int) int {
	for {
		if _, name := p.Longest(i, hi, lexicon.Site, lexicon.App); name {
			return i
		}
		m, ok := p.Longest(i, hi, lexicon.Determiner)
		if !ok {
			return i
		}
		i += m.Len
	}
}

// IsQuestionWord reports whether a question starts at token i. A query that is a
// question goes to its end: "how to clear the cache in chrome".
func (p *Text) IsQuestionWord(i int) bool {
	_, ok := p.Longest(i, len(p.Tokens), lexicon.Ask, lexicon.OtherThing)
	return ok
}

// SkipPauses skips colons, commas and dashes.
func (p *Text) SkipPauses(i, hi int) int {
	for i < hi && p.Tokens[i].Shape == lexicon.MarkShape && IsPause(p.Fold(i)) {
		i++
	}
	return i
}

// IsPause reports whether a mark only separates a verb from its object.
func IsPause(mark string) bool {
	switch mark {
	case ":", ",", "-", "–", "—":
		return true
	}
	return false
}

// SkipMarks skips punctuation and emoji.
func (p *Text) SkipMarks(i, hi int) int {
	for i < hi && (p.Tokens[i].Shape == lexicon.MarkShape || p.Tokens[i].Shape == lexicon.SymbolShape) {
		i++
	}
	return i
}

// SkipFillers skips small words and pauses between a verb and its object, unless
// nothing else is left.
func (p *Text) SkipFillers(i, hi int) int {
	j := i
	for {
		next := p.Skip(p.SkipPauses(j, hi), hi, lexicon.Filler)
		if next == j {
			break
		}
		j = next
	}
	if j >= hi && p.SkipPauses(i, hi) < hi {
		return p.SkipPauses(i, hi)
	}
	return j
}

// IsPolite reports whether [lo,hi) is nothing but politeness.
func (p *Text) IsPolite(lo, hi int) bool {
	for lo < hi {
		next := p.Skip(p.SkipMarks(lo, hi), hi, lexicon.Tail, lexicon.TailNow, lexicon.Lead, lexicon.Wake, lexicon.Filler)
		if next == lo {
			return false
		}
		lo = next
	}
	return true
}

// SkipLead skips politeness before a command and reports whether it wants a gerund
// ("would you mind opening").
func (p *Text) SkipLead(lo, hi int) (int, bool) {
	gerund := false
	for {
		lo = p.SkipMarks(lo, hi)
		m, ok := p.Longest(lo, hi, lexicon.Lead, lexicon.LeadGerund, lexicon.LeadAsk, lexicon.Step, lexicon.Wake)
		if !ok {
			return lo, gerund
		}
		if v, ok := p.Longest(lo, hi, lexicon.Verbs...); ok && v.Len >= m.Len {
			return lo, gerund // "new folder", "start by": the verb wins
		}
		if c, ok := p.Longest(lo, hi, lexicon.Control); ok && c.Len > m.Len {
			return lo, gerund // "next track"
		}
		gerund = m.Kind == lexicon.LeadGerund
		lo += m.Len
	}
}

// HasQuestionLead reports whether the politeness in [lo,hi) may be a real question.
func (p *Text) HasQuestionLead(lo, hi int) bool {
	for lo < hi {
		m, ok := p.Longest(lo, hi, lexicon.Lead, lexicon.LeadGerund, lexicon.LeadAsk, lexicon.Step)
		if ok && m.Kind == lexicon.LeadAsk {
			return true
		}
		lo += max(1, m.Len)
	}
	return false
}

// hasTrailingEmoji reports whether emoji at the end of [lo,hi) follow politeness or
// a quoted span, so that they are not part of free text.
func (p *Text) hasTrailingEmoji(lo, hi int) bool {
	for hi > lo && p.Tokens[hi-1].Shape == lexicon.SymbolShape {
		hi--
	}
	m, polite := p.FindEnding(lo, hi, lexicon.Tail)
	return hi > lo && p.Tokens[hi-1].Shape == lexicon.QuotedShape || polite && m.Len < hi-lo
}

// closedTails are the kinds of politeness after a command. The last one may be part of free text.
var closedTails = []lexicon.Kind{lexicon.Tail, lexicon.Wake, lexicon.TailNow}

// TrimTail drops punctuation and politeness after a command. With closed no free
// text can end there, so that it drops emoji, too.
func (p *Text) TrimTail(lo, hi int, closed bool) int {
	for hi > lo {
		t := p.Tokens[hi-1]
		if t.Shape == lexicon.MarkShape || t.Shape == lexicon.SymbolShape && (closed || p.hasTrailingEmoji(lo, hi)) {
			hi--
			continue
		}
		kinds := closedTails
		if !closed {
			kinds = kinds[:2]
		}
		m, ok := p.FindEnding(lo, hi, kinds...)
		if !ok || m.Len == hi-lo {
			return hi
		}
		if at := hi - m.Len; m.Kind == lexicon.Wake && !closed && p.Tokens[at-1].Shape != lexicon.MarkShape {
			return hi // "create folder jarvis"
		}
		if place, ok := p.FindEnding(lo, hi, lexicon.AsPlace, lexicon.Local, lexicon.OwnBrowser); ok && place.Len > m.Len {
			return hi // "on my computer"
		}
		if _, spoken := p.FindEnding(lo, hi-m.Len, lexicon.Spoken); spoken && m.Kind == lexicon.TailNow {
			return hi // "dot com slash today"
		}
		if prev := hi - m.Len - 1; !closed && m.Len == 1 && prev >= lo && p.Tokens[prev].Fold == p.Tokens[hi-1].Fold {
			return hi // "please please please" is a song
		}
		hi -= m.Len
	}
	return hi
}
