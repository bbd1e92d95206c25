package parse

import (
	"slices"

	"errand/planner/interpret/lexicon"
)

// maxAsides is how often politeness is dropped from the middle of a text.
const maxAsides = 8

// dropAsides drops politeness between a verb and the rest of its command: "tell me,
// please, what time it is", «сделай пожалуйста скриншот». It is not part of free
// text and would split a phrase.
func dropAsides(p *Text) {
	if !hasInnerPoliteness(p) {
		return
	}
	begin, dropped := 0, 0 // of the clause
	for i := 0; i < len(p.Tokens) && dropped < maxAsides; i++ {
		m, joint := p.Longest(i, len(p.Tokens), lexicon.And, lexicon.But)
		n, paused := matchAside(p, i)
		switch {
		case n > 0 && isVerbOnly(p, begin, i, n, paused):
			p.Tokens = slices.Delete(slices.Clone(p.Tokens), i, i+n)
			p.Matches = p.Words.Find(p.Tokens)
			dropped++
		case p.Tokens[i].Shape == lexicon.MarkShape:
			begin = i + 1
		case joint:
			begin = i + m.Len
		}
	}
}

// hasInnerPoliteness reports whether there is politeness between other words. Few
// texts have any.
func hasInnerPoliteness(p *Text) bool {
	for i, marks := range p.Matches {
		for _, m := range marks {
			if m.Kind == lexicon.Tail && i > 0 && i+m.Len < len(p.Tokens) {
				return true
			}
		}
	}
	return false
}

// matchAside is the length of politeness at token i before more words, including the
// pauses around it.
func matchAside(p *Text, i int) (n int, paused bool) {
	at, hi := i, len(p.Tokens)
	if p.Tokens[i].Shape == lexicon.MarkShape && IsPause(p.Fold(i)) {
		at, paused = i+1, true
	}
	m, ok := p.Longest(at, hi, lexicon.Tail)
	end := at + m.Len
	switch {
	case !ok || end >= hi:
		return 0, false
	case paused:
		if p.Tokens[end].Shape != lexicon.MarkShape || !IsPause(p.Fold(end)) || end+1 >= hi {
			return 0, false
		}
		return end + 1 - i, true
	}
	_, lead := p.Longest(at, end, lexicon.Lead)
	_, filler := p.Longest(at, end, lexicon.Filler)
	if !lead || !filler || p.Tokens[end].Shape == lexicon.MarkShape || p.Tokens[end].Shape == lexicon.SymbolShape {
		return 0, false
	}
	return m.Len, false
}

// objectVerbs take an object and no free text, so that politeness after them is not
// part of free text.
var (
	objectVerbs = []lexicon.Kind{lexicon.Make, lexicon.Put, lexicon.Show, lexicon.Save, lexicon.Convert, lexicon.Download, lexicon.List, lexicon.ListCounted, lexicon.ReadOut, lexicon.Ask}
	pausedVerbs = slices.Concat(objectVerbs, lexicon.Verbs)
	notVerbs    = []lexicon.Kind{lexicon.Cancel, lexicon.Not, lexicon.Repair, lexicon.RepairSoft, lexicon.Site, lexicon.App}
)

// isVerbOnly reports whether only a verb of the clause at lo stands before the n
// tokens of politeness at i: a whole phrase, or the start of one that continues
// after them.
func isVerbOnly(p *Text, lo, i, n int, paused bool) bool {
	lo, _ = p.SkipLead(lo, i)
	lo, _ = p.SkipNegation(lo, i) // "don't show, please, …" forbids all of it
	if lo >= i || i-lo > MaxPhrase || p.IsPhrase(lo, i, notVerbs...) {
		return false
	}
	switch {
	case paused && p.IsPhrase(lo, i, pausedVerbs...), p.IsPhrase(lo, i, objectVerbs...) && !p.IsPhrase(lo, i, lexicon.SearchVerbs...):
		return true
	}
	joined := p.Tokens[lo:min(len(p.Tokens), i+n+MaxPhrase)]
	marks := p.Words.Find(slices.Delete(slices.Clone(joined), i-lo, i-lo+n))
	return slices.ContainsFunc(marks[0], func(m lexicon.Match) bool { return m.Len > i-lo && lexicon.HasKind(bridgeVerbs, m.Kind) })
}

// bridgeVerbs are the kinds whose phrases politeness may split.
var bridgeVerbs = slices.Concat(pausedVerbs, []lexicon.Kind{lexicon.Screenshot, lexicon.PageAction, lexicon.WhatSays, lexicon.WhatsOn})
