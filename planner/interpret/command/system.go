package command

import (
	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// ReadSystem reads a question about this machine. Such a question has a key of
// exactly one target ("battery"), and all of its other words belong to such
// questions; "what time is the meeting" does not qualify because of the meeting.
// With ask it must start like a question or with its key.
func (p *Reader) ReadSystem(lo, hi int, ask bool) parse.Clause {
	c := parse.Clause{Frame: parse.SystemFrame, Lang: lexicon.AnyLang}
	for hi > lo && (p.Tokens[hi-1].Shape == lexicon.MarkShape || p.Tokens[hi-1].Shape == lexicon.SymbolShape) {
		hi-- // politeness is covered below: "computer" may be what is asked about
	}
	if lo >= hi {
		return c
	}
	start, isQuestion := p.Longest(lo, hi, lexicon.Ask)
	if ask && !isQuestion {
		if _, key := p.Longest(p.skipToKey(lo, hi), hi, lexicon.SystemKey); !key {
			return c
		}
	}
	if _, define := p.Longest(lo, hi, lexicon.Definition); define {
		return c
	}
	if _, search := p.Longest(lo, hi, lexicon.Search, lexicon.SearchOn); search && !isQuestion {
		return c
	}
	var bestKey parse.Span
	target, words := "", 0
	var refused lexicon.Entry // the last key that did not cover the question
	for i := lo; i < hi; i++ {
		if _, other := p.Longest(i, hi, lexicon.NotSystem); other {
			return parse.Clause{Frame: parse.SystemFrame, Lang: lexicon.AnyLang}
		}
		for _, m := range p.Matches[i] {
			if m.Kind != lexicon.SystemKey || i+m.Len > hi || m.Len <= words || m.Entry == refused {
				continue
			}
			if m.Value != target && !p.isSystemQuestion(lo, hi, m) {
				refused = m.Entry
			} else {
				target, words, bestKey, c.Lang = m.Value, m.Len, parse.Span{Lo: i, Hi: i + m.Len}, m.Lang
			}
		}
	}
	if target == "" {
		return c
	}
	c.Outcome = parse.Understood
	c.Verb = parse.Span{Lo: lo, Hi: lo + max(start.Len, 1)}
	c.Body = lo
	c.Drafts = []parse.Draft{{
		Goal:  plan.Goal{GoalType: plan.SystemQuery, Target: target},
		Spans: []parse.SlotSpan{{Slot: "goal_type", Span: c.Verb, Fuzzy: false}, {Slot: "target", Span: bestKey, Fuzzy: false}},
	}}
	return c
}

// skipToKey skips small words before a key: "my computer's uptime".
func (p *Reader) skipToKey(i, hi int) int {
	for i < hi {
		if _, key := p.Longest(i, hi, lexicon.SystemKey); key {
			return i
		}
		m, ok := p.Longest(i, hi, lexicon.Determiner, lexicon.SystemWord, lexicon.SystemExtra)
		if !ok {
			return i
		}
		i += m.Len
	}
	return i
}

// isSystemQuestion reports whether every token of [lo,hi) belongs to a question
// about a key. The words around it are of its language: German «was» asks, English
// "was" does not.
func (p *Reader) isSystemQuestion(lo, hi int, key lexicon.Match) bool {
	for i := lo; i < hi; {
		if p.Tokens[i].Shape == lexicon.MarkShape || p.Tokens[i].Shape == lexicon.SymbolShape {
			i++
			continue
		}
		n := 0
		for _, m := range p.Matches[i] {
			if i+m.Len > hi || m.Len <= n {
				continue
			}
			switch m.Kind {
			case lexicon.SystemKey, lexicon.SystemExtra:
				if m.Value == key.Value {
					n = m.Len
				}
			case lexicon.Ask, lexicon.SystemWord:
				if m.SharesLanguage(key) {
					n = m.Len
				}
			case lexicon.Filler, lexicon.AsPlace, lexicon.Tail, lexicon.TailNow:
				n = m.Len
			}
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}
