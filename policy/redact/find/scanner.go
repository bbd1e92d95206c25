package find

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// scanner goes through one text. A trigger is a literal that is a part of
// every secret of some kind or of the text before it. Slower looks happen only
// where one is found.
type scanner struct {
	source
	pairs pairReader
	keys  keyReader
	spans []Span
	marks []Span // of this text, by rising place
	// covered is the end of what has been found so far.
	covered   int
	leakTried map[*leakRule]int // up to where rules of gitleaks have been tried
	// inner says that the text was decoded from a word of another.
	inner bool
}

func newScanner(p Page, marks []Span) *scanner {
	s := &scanner{source: source{Page: p}, marks: marks}
	s.pairs = pairReader{source: &s.source, add: s.add}
	s.keys = keyReader{&s.source, s.add}
	return s
}

// trigger is a literal in lower case, and who looks at text[pos:after] where it
// is found.
type trigger struct {
	literal string
	look    func(s *scanner, pos, after int)
}

func (s *scanner) scan() {
	t := triggers()
	for _, first := range t.starts {
		if n := len(first.literal) - 1; len(s.Text) >= n && strings.EqualFold(s.Text[:n], first.literal[1:]) {
			first.look(s, 0, n)
		}
	}
	t.ForEach(s.Text, func(pos, n int) {
		// Skip names inside a secret, which is replaced as a whole, and the kind in a
		// mark.
		if pos >= s.covered && !isInsideMark(s.marks, Span{Start: pos, End: pos + 1}) {
			s.effort.begin(pos)
			t.all[n].look(s, pos, pos+len(t.all[n].literal))
			if s.effort.isSpent(pos) {
				s.add("unread", max(pos, s.covered), s.findLineEnd(s.effort.block))
			}
		}
	})
}

// findLineEnd is the end of the line that text[i] is in, at most one block further
// and never inside a rune.
func (s *scanner) findLineEnd(i int) int {
	i = min(i, len(s.Text))
	return i + len(s.rest(i, blockSize))
}

func (s *scanner) add(kind string, start, end int) {
	if start < end {
		s.spans = append(s.spans, Span{Start: start, End: end, Kind: kind})
		s.covered = max(s.covered, end)
	}
}

// lookout finds triggers.
type lookout struct {
	*Matcher
	all    []trigger
	starts []trigger // those that begin with a blank, as which the start of a text counts
}

// triggers are indexed on first use: a program that redacts nothing doesn't
// pay for it.
var triggers = sync.OnceValue(func() lookout {
	l := lookout{all: allTriggers()}
	var literals []string
	for _, t := range l.all {
		literals = append(literals, t.literal)
		if t.literal[0] == ' ' && isAlpha[t.literal[1]] {
			l.starts = append(l.starts, t)
		}
	}
	l.Matcher = NewMatcher(literals, true)
	return l
})

// minTrigger keeps the matcher's window, and so its speed, at three bytes.
const minTrigger = 3

func allTriggers() []trigger {
	var all []trigger
	on := func(look func(s *scanner, pos, after int), literals ...string) {
		for _, l := range literals {
			if len(l) < minTrigger {
				panic("redact: trigger " + l + " is too short")
			}
			all = append(all, trigger{strings.Map(lowerASCII, l), look})
		}
	}
	for _, r := range rules() {
		on(func(s *scanner, pos, after int) { s.tryRule(r, pos, after) }, r.Keywords...)
	}
	for _, r := range tokens() {
		for _, prefix := range r.Keywords {
			on(func(s *scanner, pos, after int) { s.tryToken(r, prefix, pos, after) }, prefix)
		}
	}
	for _, r := range leakRules() {
		on(func(s *scanner, pos, _ int) { s.tryLeak(r, pos) }, r.Keywords...)
	}
	on(func(s *scanner, pos, _ int) { s.keys.readBegin(pos) }, "begin ")
	on(func(s *scanner, _, after int) { s.keys.readPrivateLines(after) }, "private-lines:")
	on(func(s *scanner, pos, _ int) { s.pairs.readInsert(pos) }, "insert into")
	on(func(s *scanner, pos, after int) { s.pairs.readName(pos, after) }, slices.Sorted(maps.Keys(terms().KeyWords))...)
	on(func(s *scanner, pos, _ int) { s.pairs.readTable(pos) }, terms().Columns...)
	on(func(s *scanner, pos, after int) { s.pairs.readForeign(pos, after, strong, "password") }, terms().ForeignPasswords...)
	on(func(s *scanner, pos, after int) { s.pairs.readForeign(pos, after, medium, "key") }, terms().ForeignKeys...)
	return all
}

// lowerASCII leaves other letters alone, as the matcher does.
func lowerASCII(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(lower(byte(r)))
	}
	return r
}
