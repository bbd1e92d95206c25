package quarantine

import (
	"strings"
	"sync"
	"unicode"

	"errand/policy/rulefile"
)

// ruleSet has all rules, indexed by the words that their matches begin with. A text
// without such words costs one pass.
type ruleSet struct {
	tables
	patterns []rulefile.Pattern // of the rules
	starts   map[[2]byte][]start
}

// start is a literal that matches of a rule begin with.
type start struct {
	literal string
	id      int
}

// allRules is made on first use.
var allRules = sync.OnceValue(func() *ruleSet {
	set := &ruleSet{tables: *embeddedTables(), starts: map[[2]byte][]start{}}
	set.patterns = make([]rulefile.Pattern, len(set.rules))
	for id, r := range set.rules {
		set.patterns[id].Source = r.source
	}
	for _, g := range set.groups {
		set.starts[g.key] = g.starts
	}
	return set
})

// eachStart calls try for each place where a match of a rule can begin.
func (s *ruleSet) eachStart(text string, try func(id, pos int)) {
	inWord := false
	for i, r := range text {
		letter := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if letter && (!inWord || isTightRune(r)) && i+1 < len(text) {
			for _, start := range s.starts[[2]byte{text[i], text[i+1]}] {
				if strings.HasPrefix(text[i:], start.literal) {
					try(start.id, i)
				}
			}
		}
		inWord = letter
	}
}
