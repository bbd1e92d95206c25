package interpret

import "errand/planner/plan"

// system reads a question about this machine: it holds a key of exactly one
// target ("battery"), and every other word is one that such questions are made
// of. "What time is the meeting" is none, because of the meeting. With ask the
// question has to begin like one or with its key.
func (p *commandReader) system(lo, hi int, ask bool) clause {
	c := clause{frame: systemFrame, lang: anyLang}
	for hi > lo && (p.toks[hi-1].shape == mark || p.toks[hi-1].shape == symbol) {
		hi-- // politeness is covered below: "computer" may be what is asked about
	}
	if lo >= hi {
		return c
	}
	start, asked := p.longest(lo, hi, kAsk)
	if ask && !asked {
		if _, key := p.longest(p.beforeKey(lo, hi), hi, kSysKey); !key {
			return c
		}
	}
	if _, define := p.longest(lo, hi, kDefinition); define {
		return c
	}
	if _, search := p.longest(lo, hi, kSearch, kSearchOn); search && !asked {
		return c
	}
	var bestKey span
	target, words := "", 0
	refused := "" // the last target that did not cover the question
	for i := lo; i < hi; i++ {
		for _, m := range p.marks[i] {
			if m.kind != kSysKey || i+m.n > hi || m.n <= words || m.value == refused {
				continue
			}
			if m.value != target && !p.systemCovers(lo, hi, m.value) {
				refused = m.value
			} else {
				target, words, bestKey, c.lang = m.value, m.n, span{i, i + m.n}, m.lang
			}
		}
	}
	if target == "" {
		return c
	}
	c.outcome = good
	c.verb = span{lo, lo + max(start.n, 1)}
	c.body = lo
	c.drafts = []draft{{
		goal:  plan.Goal{GoalType: plan.SystemQuery, Target: target},
		spans: []slotSpan{{"goal_type", c.verb, false}, {"target", bestKey, false}},
	}}
	return c
}

// beforeKey passes over small words in front of a key: "my computer's uptime".
func (p *commandReader) beforeKey(i, hi int) int {
	for i < hi {
		if _, key := p.longest(i, hi, kSysKey); key {
			return i
		}
		m, ok := p.longest(i, hi, kDet, kSysWord, kSysExtra)
		if !ok {
			return i
		}
		i += m.n
	}
	return i
}

// systemCovers reports whether every token of [lo,hi) belongs to a question
// about target.
func (p *commandReader) systemCovers(lo, hi int, target string) bool {
	for i := lo; i < hi; {
		if p.toks[i].shape == mark || p.toks[i].shape == symbol {
			i++
			continue
		}
		n := 0
		for _, m := range p.marks[i] {
			if i+m.n > hi || m.n <= n {
				continue
			}
			switch m.kind {
			case kSysKey, kSysExtra:
				if m.value == target {
					n = m.n
				}
			case kAsk, kSysWord, kFiller, kAsPlace, kTail, kTailNow:
				n = m.n
			}
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}
