package interpret

// Politeness, fillers and pauses around a command and within it.

// skipMarks passes over punctuation and emoji.
func (p *Text) skipMarks(i, hi int) int {
	for i < hi && (p.toks[i].shape == mark || p.toks[i].shape == symbol) {
		i++
	}
	return i
}

// fillers passes over small words and pauses between a verb and its object,
// unless nothing else is left.
func (p *Text) fillers(i, hi int) int {
	j := i
	for {
		next := p.skip(p.skipColon(j, hi), hi, kFiller)
		if next == j {
			break
		}
		j = next
	}
	if j >= hi && p.skipColon(i, hi) < hi {
		return p.skipColon(i, hi)
	}
	return j
}

// polite reports whether [lo,hi) is nothing but politeness.
func (p *Text) polite(lo, hi int) bool {
	for lo < hi {
		next := p.skip(p.skipMarks(lo, hi), hi, kTail, kTailNow, kLead, kFiller)
		if next == lo {
			return false
		}
		lo = next
	}
	return true
}

// lead passes over the wrappers before a command and reports whether the last
// one wants a gerund ("would you mind opening").
func (p *Text) lead(lo, hi int) (int, bool) {
	gerund := false
	for {
		lo = p.skipMarks(lo, hi)
		m, ok := p.longest(lo, hi, kLead, kLeadMind, kLeadAsk, kStepping)
		if !ok {
			return lo, gerund
		}
		if v, ok := p.longest(lo, hi, verbs...); ok && v.n >= m.n {
			return lo, gerund // "new folder", "start by": the verb wins
		}
		gerund = m.kind == kLeadMind
		lo += m.n
	}
}

// questioned reports whether the wrappers of [lo,hi) may be a real question.
func (p *Text) questioned(lo, hi int) bool {
	for lo < hi {
		m, ok := p.longest(lo, hi, kLead, kLeadMind, kLeadAsk, kStepping)
		if ok && m.kind == kLeadAsk {
			return true
		}
		lo += max(1, m.n)
	}
	return false
}

// decorated reports whether the emoji at the end of [lo,hi) follow politeness or
// a quoted span, and so belong to no free text.
func (p *Text) decorated(lo, hi int) bool {
	for hi > lo && p.toks[hi-1].shape == symbol {
		hi--
	}
	m, polite := p.ending(lo, hi, kTail)
	return hi > lo && p.toks[hi-1].shape == quoted || polite && m.n < hi-lo
}

// tail drops punctuation and politeness after a command. Emoji are dropped
// only where no free text can end (closed).
func (p *Text) tail(lo, hi int, closed bool) int {
	for hi > lo {
		t := p.toks[hi-1]
		if t.shape == mark || t.shape == symbol && (closed || p.decorated(lo, hi)) {
			hi--
			continue
		}
		kinds := []kind{kTail}
		if closed {
			kinds = append(kinds, kTailNow)
		}
		m, ok := p.ending(lo, hi, kinds...)
		if !ok || m.n == hi-lo {
			return hi
		}
		if _, spoken := p.ending(lo, hi-m.n, kSpoken); spoken && m.kind == kTailNow {
			return hi // "dot com slash today"
		}
		if prev := hi - m.n - 1; !closed && m.n == 1 && prev >= lo && p.toks[prev].fold == p.toks[hi-1].fold {
			return hi // "please please please" is a song
		}
		hi -= m.n
	}
	return hi
}
