package find

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// scanner goes through one text. A trigger is a literal that is a part of
// every secret of some kind or of the text before it. Slower looks happen only
// where one is found.
type scanner struct {
	source
	pairs pairReader
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
	s.pairs = pairReader{&s.source, s.add}
	return s
}

type trigger struct {
	literal string // lower case
	look    func(s *scanner, pos int)
}

func (s *scanner) scan() {
	t := triggers()
	t.Each(s.Text, func(pos, n int) {
		// Skip names inside a secret, which is replaced as a whole, and the kind in a
		// mark.
		if pos >= s.covered && !s.isMarked(pos) {
			s.effort.begin(pos)
			t.looks[n](s, pos)
			if s.effort.isSpent(pos) {
				s.add("unread", max(pos, s.covered), s.findLineEnd(s.effort.block))
			}
		}
	})
}

// isMarked reports whether text[pos] is in a mark. Calls come with rising pos.
func (s *scanner) isMarked(pos int) bool {
	for len(s.marks) > 0 && s.marks[0].End <= pos {
		s.marks = s.marks[1:]
	}
	return len(s.marks) > 0 && s.marks[0].Start <= pos
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

// lookout finds triggers and knows who looks at each.
type lookout struct {
	*Matcher
	looks []func(*scanner, int)
}

// triggers are indexed on first use: a program that redacts nothing doesn't
// pay for it.
var triggers = sync.OnceValue(func() lookout {
	var l lookout
	var literals []string
	for _, t := range allTriggers() {
		literals = append(literals, t.literal)
		l.looks = append(l.looks, t.look)
	}
	l.Matcher = NewMatcher(literals, true)
	return l
})

// minTrigger keeps the matcher's window, and so its speed, at three bytes.
const minTrigger = 3

func allTriggers() []trigger {
	var all []trigger
	on := func(look func(*scanner, int), literals ...string) {
		for _, l := range literals {
			l = lowerASCII(l)
			if len(l) < minTrigger {
				panic("redact: trigger " + l + " is too short")
			}
			all = append(all, trigger{l, look})
		}
	}
	for _, t := range tokens().Tokens {
		for prefix := range strings.FieldsSeq(t.Prefixes) {
			on(func(s *scanner, pos int) { s.readToken(t, prefix, pos) }, prefix)
		}
	}
	for _, r := range leakRules() {
		on(func(s *scanner, pos int) { s.tryLeak(r, pos) }, r.Keywords...)
	}
	for _, r := range rules() {
		for _, k := range r.Keywords {
			on(func(s *scanner, pos int) { s.tryRule(r, pos, pos+len(k)) }, k)
		}
	}
	on((*scanner).readPEMBegin, "begin ")
	on((*scanner).readPEMEnd, "end ")
	on((*scanner).readPuTTYKey, "private-lines:")
	on((*scanner).readInsert, "insert into")
	for _, w := range slices.Sorted(maps.Keys(terms().KeyWords)) {
		on(func(s *scanner, pos int) { s.pairs.readName(pos, pos+len(w)) }, w)
	}
	for _, w := range terms().ForeignPasswords {
		on(func(s *scanner, pos int) { s.pairs.readForeign(pos, pos+len(w), strong, "password") }, w)
	}
	for _, w := range terms().ForeignKeys {
		on(func(s *scanner, pos int) { s.pairs.readForeign(pos, pos+len(w), medium, "key") }, w)
	}
	return all
}

// lowerASCII leaves other letters alone, as the matcher does.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func (s *scanner) addValue(kind string, from, end int) {
	if from < end && !isPlaceholder(s.Text[from:end]) {
		s.add(kind, from, end)
	}
}
