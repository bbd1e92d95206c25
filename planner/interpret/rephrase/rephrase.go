// Package rephrase puts a text that no rule understands into other words, which may be understood:
// it corrects the spelling, moves a place from the front to the end, and replaces phrases by those of
// the table [reworded] of the language files. It never drops a word that means something.
package rephrase

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

// Bounds of [Texts].
const (
	maxTokens = 60 // of a text
	maxStarts = 4  // commands of a text that are put into other words
	maxTexts  = 12
)

// Wording is a text in other words. Its edits lead back to the original words.
type Wording struct {
	*parse.Text
	IsCorrected bool // the spelling of a word was corrected
	IsReworded  bool // a phrase of a table was replaced
	ActsOnFound bool // what a command finds stands in place of "it" in the next one
	isOne       bool // that is one file
	sharesVerb  bool // a command about the desktop begins as the one before it
}

// Allows reports whether goals may come from other words than those that were said. They delete
// nothing, unless the words that were said do, a corrected word names no app, and where the table [reworded] means files by "find", they search no site.
func (w Wording) Allows(drafts []parse.Draft) bool {
	if w.sharesVerb {
		return len(drafts) == 2 && drafts[0].Goal.GoalType == plan.SystemControl && drafts[1].Goal.GoalType == plan.SystemControl && drafts[0].Goal.Action == drafts[1].Goal.Action
	}
	if w.ActsOnFound {
		return !slices.ContainsFunc(drafts, func(d parse.Draft) bool {
			return d.Goal.GoalType != plan.FileOperation || d.Goal.Action == plan.FindAction || d.Goal.Action == plan.ListAction || w.isOne && d.Goal.AreFiles() && d.Goal.Limit != 1
		})
	}
	at, _ := w.SkipLead(0, len(w.Tokens))
	_, finds := w.Longest(at, len(w.Tokens), lexicon.Search)
	return !slices.ContainsFunc(drafts, func(d parse.Draft) bool {
		g := d.Goal
		return w.IsCorrected && g.GoalType == plan.AppLaunch || g.Action == "delete" || g.Action == plan.EmptyAction || w.IsReworded && finds && g.GoalType == plan.BrowserSearch && g.Platform == ""
	})
}

// Texts lists other wordings of a text, the nearest first.
func Texts(t *parse.Text) []Wording {
	if len(t.Tokens) > maxTokens {
		return nil
	}
	var out []Wording
	add := func(next Wording) {
		if next.Text != nil && len(out) < maxTexts {
			out = append(out, next)
		}
	}
	if found, ok := actOnFound(t, starts(t)); ok {
		add(found)
	}
	for _, shared := range shareVerb(t, starts(t)) {
		add(shared)
	}
	add(Wording{Text: dropHesitations(t)})
	corrected := correctSpelling(t)
	add(Wording{Text: corrected, IsCorrected: true})
	for _, from := range []*parse.Text{corrected, t} {
		if from == nil {
			continue
		}
		for _, s := range starts(from) {
			joined := dropPause(from, s)
			for _, next := range []*parse.Text{useVerb(from, s), movePlace(from, s), joined} {
				add(Wording{Text: next, IsCorrected: from != t})
			}
			add(Wording{Text: reword(from, s), IsCorrected: from != t, IsReworded: true})
			if joined != nil {
				shorter := s
				shorter.Hi--
				add(Wording{Text: reword(joined, shorter), IsCorrected: from != t, IsReworded: true})
			}
		}
	}
	return out
}

// start is where a command begins, and where the text after it may end.
type start struct {
	parse.Span
	gerund bool // the words before it want a gerund
}

// starts lists where the commands of a text begin.
func starts(t *parse.Text) []start {
	hi := len(t.Tokens)
	at, gerund := t.SkipLead(0, hi)
	if at >= hi {
		return nil
	}
	out := []start{{parse.Span{Lo: at, Hi: hi}, gerund}}
	for i := at + 1; i < hi && len(out) < maxStarts; i++ {
		m, ok := t.Longest(i, hi, lexicon.And, lexicon.Then)
		if !ok || i+m.Len >= hi {
			continue
		}
		out[len(out)-1].Hi = i
		next, gerund := t.SkipLead(i+m.Len, hi)
		if next >= hi {
			break
		}
		out = append(out, start{parse.Span{Lo: next, Hi: hi}, gerund})
		i += m.Len - 1
	}
	return out
}

// correctSpelling returns a text with all misspelled words of commands corrected, or nil.
func correctSpelling(t *parse.Text) *parse.Text {
	next := t
	for i := range t.Tokens {
		if t.Tokens[i].Shape != lexicon.WordShape || t.Hint(i).Object != "" {
			continue
		}
		if word, ok := t.Words.CorrectWord(t.Fold(i)); ok {
			next = next.Splice(parse.Span{Lo: i, Hi: i + 1}, word, false)
		}
	}
	if next == t || len(next.Tokens) != len(t.Tokens) {
		return nil
	}
	return next
}

// useVerb replaces a gerund that the words before it want: "would you mind moving …".
func useVerb(t *parse.Text, s start) *parse.Text {
	m, ok := t.Longest(s.Lo, s.Hi, lexicon.ActGerund)
	if !ok || !s.gerund {
		return nil
	}
	return t.Splice(parse.Span{Lo: s.Lo, Hi: s.Lo + m.Len}, m.Value, false)
}

// movePlace moves places in front of a verb to the end of the command: "to the desktop copy a.txt".
func movePlace(t *parse.Text, s start) *parse.Text {
	at := s.Lo
	for at < s.Hi {
		m, ok := t.Longest(at, s.Hi, lexicon.Place, lexicon.ToPlace)
		if !ok || m.Len < 2 {
			break
		}
		at = t.SkipPauses(at+m.Len, s.Hi)
	}
	if _, act := t.Longest(at, s.Hi, lexicon.FileAction); at == s.Lo || !act {
		return nil
	}
	end := t.TrimTail(at, s.Hi, true)
	places := parse.Span{Lo: s.Lo, Hi: at}
	for places.Hi > places.Lo && t.Tokens[places.Hi-1].Shape == lexicon.MarkShape {
		places.Hi--
	}
	moved := parse.Repeat(t, parse.Span{Lo: end, Hi: end}, places)
	return moved.Splice(parse.Span{Lo: s.Lo, Hi: at}, "", false)
}

// slots are the places of a rule for the words that it keeps.
const (
	slot       = "{}"
	quotedSlot = "{text}" // keeps them as one quoted text
	nameSlot   = "{name}" // after the slot for one file: the words after the file
)

// reword replaces the phrase at the start by the words of its rule, the longest first.
func reword(t *parse.Text, s start) *parse.Text {
	end := t.TrimTail(s.Lo, s.Hi, true)
	var best *parse.Text
	longest := 0
	for _, m := range t.Matches[s.Lo] {
		if s.Lo+m.Len > end || m.Len <= longest {
			continue
		}
		var next *parse.Text
		switch rest := (parse.Span{Lo: t.SkipPauses(s.Lo+m.Len, end), Hi: end}); {
		case m.Kind == lexicon.Reworded && s.Lo+m.Len == end:
			next = t.Splice(parse.Span{Lo: s.Lo, Hi: endOfTime(t, end, s.Hi, m.Value)}, m.Value, false)
		case m.Kind == lexicon.RewordedStart && rest.Lo < rest.Hi:
			_, linked := t.FindEnding(s.Lo, s.Lo+m.Len, lexicon.TextLink)
			if isQuoted := strings.Contains(m.Value, quotedSlot); isQuoted && !linked && rest.Lo == s.Lo+m.Len {
				continue // "make a note of this page"
			}
			next = fill(t, parse.Span{Lo: s.Lo, Hi: end}, rest, m.Value)
		case m.Kind == lexicon.RewordedOpen:
			if rest.Hi = closing(t, rest, m.Value); rest.Lo < rest.Hi {
				next = fill(t, parse.Span{Lo: s.Lo, Hi: end}, rest, m.Value)
			}
		}
		if next != nil {
			best, longest = next, m.Len
		}
	}
	return best
}

// endOfTime is where words end that a rule replaces: after a time at token end, if the rule says one
// itself, so that "today" does not stand there twice.
func endOfTime(t *parse.Text, end, hi int, rule string) int {
	if !t.IsPhrase(end, hi, lexicon.TopicWhen) {
		return end
	}
	r := parse.New(t.Words, t.Platform, rule)
	if _, says := r.FindEnding(0, len(r.Tokens), lexicon.TopicWhen); says {
		return hi
	}
	return end
}

// closing is where the words in at end before the end of a rule, or 0.
func closing(t *parse.Text, at parse.Span, rule string) int {
	for i := max(at.Lo+1, at.Hi-parse.MaxPhrase); i < at.Hi; i++ {
		for _, m := range t.Matches[i] {
			if m.Kind == lexicon.RewordedClose && m.Value == rule && i+m.Len == at.Hi {
				return i
			}
		}
	}
	return 0
}

// fill puts the words of a rule around those of kept, in place of all.
func fill(t *parse.Text, all, kept parse.Span, rule string) *parse.Text {
	before, after, ok := strings.Cut(rule, slot)
	isQuoted := !ok
	if isQuoted {
		before, after, _ = strings.Cut(rule, quotedSlot)
	}
	words := t.Cut(kept.Lo, kept.Hi)
	next := t
	if between, ok := strings.CutSuffix(after, nameSlot); ok { // "call a.txt b"
		if shape := t.Tokens[kept.Lo].Shape; kept.Hi-kept.Lo < 2 || shape != lexicon.FileShape && shape != lexicon.PathShape {
			return nil
		}
		next = next.Splice(parse.Span{Lo: kept.Lo + 1, Hi: kept.Lo + 1}, between, false)
		return next.Splice(parse.Span{Lo: all.Lo, Hi: kept.Lo}, before, false)
	}
	if after != "" || kept.Hi < all.Hi {
		next = next.Splice(parse.Span{Lo: kept.Hi, Hi: all.Hi}, after, false)
	}
	if isQuoted {
		next = next.Splice(kept, words, true)
	}
	return next.Splice(parse.Span{Lo: all.Lo, Hi: kept.Lo}, before, false)
}

// dropPause removes the comma after the first words of a command: "show me, what is in a.txt".
func dropPause(t *parse.Text, s start) *parse.Text {
	for i := s.Lo + 1; i < min(s.Hi-1, s.Lo+3); i++ {
		if t.Tokens[i].Shape == lexicon.MarkShape && t.Fold(i) == "," {
			return t.Splice(parse.Span{Lo: i, Hi: i + 1}, "", false)
		}
	}
	return nil
}
