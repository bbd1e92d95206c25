// Package parse holds what all readers of commands share: [Text], a row of tokens
// with the phrases that start at each of them, and [Clause], what a reader makes of
// a part of it: drafts of goals, or a [Question].
package parse

import (
	"slices"
	"strconv"
	"strings"

	"errand/planner/installed"
	"errand/planner/interpret/lexicon"
)

// Text is a row of tokens with the phrases that start at each of them.
type Text struct {
	Words    *lexicon.Vocabulary
	Platform string            // the site that searches "the web"
	Sites    map[string]string // topic → the site that answers it; none: Platform
	Apps     installed.Finder  // nil: only apps of the catalogue are known
	Source   string            // with the answers in it
	Language string            // by its script and phrases
	Tokens   []lexicon.Token
	Matches  [][]lexicon.Match
	Edits    []edit // by which the source differs from what was said
}

// Span is a range of tokens.
type Span struct{ Lo, Hi int }

// Longest finds the longest phrase of one of kinds at token i that ends by hi.
func (p *Text) Longest(i, hi int, kinds ...lexicon.Kind) (lexicon.Match, bool) {
	var best lexicon.Match
	if i >= hi {
		return best, false
	}
	for _, m := range p.Matches[i] {
		if m.Len > best.Len && i+m.Len <= hi && lexicon.HasKind(kinds, m.Kind) {
			best = m
		}
	}
	return best, best.Len > 0
}

// FindEnding finds the longest phrase of one of kinds that ends at hi and starts
// at or after lo.
func (p *Text) FindEnding(lo, hi int, kinds ...lexicon.Kind) (lexicon.Match, bool) {
	for i := max(lo, hi-MaxPhrase); i < hi; i++ {
		for _, m := range p.Matches[i] {
			if i+m.Len == hi && lexicon.HasKind(kinds, m.Kind) {
				return m, true
			}
		}
	}
	return lexicon.Match{}, false
}

// maxNth bounds an ordinal number.
const maxNth = 1000

// NthAt reads an ordinal number in digits at token i: "99th", «99-й». It is 0 if there is none.
func NthAt(p *Text, i int) int {
	word := p.Tokens[i].Fold
	ending := strings.TrimLeft(word, "0123456789")
	if p.Tokens[i].Shape != lexicon.WordShape || ending == "" || !slices.Contains(nthEndings, ending) {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSuffix(word, ending))
	if err != nil || n > maxNth {
		return 0
	}
	return n
}

// nthEndings end ordinal numbers in digits.
var nthEndings = []string{"st", "nd", "rd", "th", "-й", "-я", "-е", "-ю", "-го", "-ой", "-ый", "-ую", "-ая", "-ое"}

// MaxPhrase is the longest phrase, in words, that is looked for backwards.
const MaxPhrase = 10

// HasPhrase reports whether a phrase of kinds starts at one of the tokens [lo,hi).
func HasPhrase(p *Text, lo, hi int, kinds ...lexicon.Kind) bool {
	for i := lo; i < hi; i++ {
		if _, ok := p.Longest(i, hi, kinds...); ok {
			return true
		}
	}
	return false
}

// IsPhrase reports whether one phrase of kinds is exactly [lo,hi).
func (p *Text) IsPhrase(lo, hi int, kinds ...lexicon.Kind) bool {
	m, ok := p.Longest(lo, hi, kinds...)
	return ok && m.Len == hi-lo
}

// Skip skips phrases of kinds.
func (p *Text) Skip(i, hi int, kinds ...lexicon.Kind) int {
	for {
		m, ok := p.Longest(i, hi, kinds...)
		if !ok {
			return i
		}
		i += m.Len
	}
}

// Cut returns the original text of tokens [lo,hi) as a slot value. A single quoted
// span loses its quotes.
func (p *Text) Cut(lo, hi int) string {
	if lo >= hi {
		return ""
	}
	if hi == lo+1 && p.Tokens[lo].Shape == lexicon.QuotedShape {
		return lexicon.Tidy(p.Tokens[lo].Value)
	}
	return lexicon.Tidy(p.Source[p.Tokens[lo].Start:p.Tokens[hi-1].End])
}

// Fold is the spelling of token i for comparison.
func (p *Text) Fold(i int) string { return p.Tokens[i].Fold }

// IsQuoted reports whether [lo,hi) is one quoted span.
func (p *Text) IsQuoted(lo, hi int) bool {
	return hi == lo+1 && p.Tokens[lo].Shape == lexicon.QuotedShape
}

// New cuts a text into tokens and finds the phrases. It drops politeness after a
// pause at the very end ("…, please"), which is not even part of free text.
func New(words *lexicon.Vocabulary, platform, text string) *Text {
	p := &Text{Words: words, Platform: platform, Source: text, Tokens: lexicon.Tokenize(text)}
	p.Matches = words.Find(p.Tokens)
	dropAsides(p)
	p.Language = p.DetectLanguage()
	for {
		end := len(p.Tokens)
		for end > 0 && p.Tokens[end-1].Shape == lexicon.MarkShape {
			end--
		}
		m, ok := p.FindEnding(0, end, lexicon.Tail)
		start := end - m.Len
		for { // "-- thanks please"
			more, again := p.FindEnding(0, start, lexicon.Tail)
			if !again || !ok {
				break
			}
			start -= more.Len
		}
		if !ok || start < 2 || p.Tokens[start-1].Shape != lexicon.MarkShape && !isDash(p, start-1) || p.IsPolite(0, start) {
			return p
		}
		if isDash(p, start-1) {
			start--
		}
		p.Tokens, p.Matches = p.Tokens[:start], p.Matches[:start]
	}
}

// isDash reports whether token i is a row of dashes, as people type a long one: "--".
func isDash(p *Text, i int) bool {
	fold := p.Tokens[i].Fold
	return fold != "" && strings.Trim(fold, "-") == "" && i > 0 && p.Tokens[i-1].Shape != lexicon.MarkShape
}

// Parse reads another text with the same words.
func (p *Text) Parse(text string) *Text {
	t := New(p.Words, p.Platform, text)
	t.Sites, t.Apps = p.Sites, p.Apps
	return t
}
