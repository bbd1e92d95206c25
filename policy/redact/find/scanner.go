package find

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// scanner scans one text. A trigger is a literal that is a part of every secret of some
// kind, or of the text before it. Slower checks run only at triggers.
type scanner struct {
	source
	pairs pairReader
	keys  keyReader
	spans []Span
	marks []Span // in this text, by position
	// covered is the end of the last secret found.
	covered   int
	leakTried map[*leakRule]int // the end of the text that rules of Gitleaks have tried
	// inner means that the text was decoded from a word of another text.
	inner bool
}

func newScanner(p Page, marks []Span) *scanner {
	s := &scanner{source: source{Page: p}, marks: marks}
	s.pairs = pairReader{source: &s.source, add: s.add}
	s.keys = keyReader{&s.source, s.add}
	return s
}

// trigger is a literal in lower case, with the check to run at text[pos:after].
type trigger struct {
	literal string
	look    func(s *scanner, pos, after int)
}

func (s *scanner) scan() {
	t := embeddedTables()
	for _, first := range t.starts {
		if literal := t.Literals[first][1:]; len(s.Text) >= len(literal) && strings.EqualFold(s.Text[:len(literal)], literal) {
			triggers()[first].look(s, 0, len(literal))
		}
	}
	t.ForEach(s.Text, func(pos, n int) {
		// Skip names inside a secret, which is replaced as a whole, and the kind in a
		// mark.
		if pos >= s.covered && !isInsideMark(s.marks, Span{Start: pos, End: pos + 1}) {
			s.effort.begin(pos)
			triggers()[n].look(s, pos, pos+len(t.Literals[n]))
			if s.effort.isSpent(pos) {
				s.add("unread", max(pos, s.covered), s.findLineEnd(s.effort.block))
			}
		}
	})
}

// findLineEnd returns the end of the line of text[i], at most one block further and
// never inside a rune.
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

// minTrigger keeps the matcher's window, and so its speed, at three bytes.
const minTrigger = 3

// triggers are the triggers of all rules. The rules are read when a text has its first
// trigger, because most goals have none.
var triggers = sync.OnceValue(func() (all []trigger) {
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
})

// lowerASCII leaves other letters unchanged, as the matcher does.
func lowerASCII(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(lower(byte(r)))
	}
	return r
}
