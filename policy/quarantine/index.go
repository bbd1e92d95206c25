package quarantine

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"errand/policy/rulefile"
)

// ruleSet has all rules, indexed by the words that their matches begin with. A text
// without such words costs one pass.
type ruleSet struct {
	rules []*rule
	// starts are the beginnings of rules by their first two bytes.
	starts map[[2]byte][]start
	// unanchored are the rules whose matches may begin anywhere. They are tried around
	// the literals that their matches contain.
	unanchored []int
}

// start is a literal that matches of a rule begin with.
type start struct {
	literal string
	id      int
}

// allRules is made on first use, because it takes some milliseconds.
var allRules = sync.OnceValue(func() *ruleSet {
	set := &ruleSet{rules: loadRules(), starts: map[[2]byte][]start{}}
	known := map[string][2][]string{} // the first words and the contents of parts
	for id, r := range set.rules {
		for _, part := range r.parts {
			if _, ok := known[part]; !ok {
				tree := parse(part)
				known[part] = [2][]string{firstWords(tree), content(tree)}
			}
			if c := known[part][1]; c != nil {
				r.contents = c
			}
		}
		words := known[r.parts[0]][0]
		if words == nil || r.Raw || r.With != nil {
			set.unanchored = append(set.unanchored, id)
			continue
		}
		for _, w := range words {
			key := [2]byte{w[0], w[1]}
			set.starts[key] = append(set.starts[key], start{w, id})
		}
		r.pattern = rulefile.New(`^(?:` + r.pattern.Source + `)`)
	}
	// Rules that need the evidence of others are tried after them.
	slices.SortStableFunc(set.unanchored, func(x, y int) int { return len(set.rules[x].With) - len(set.rules[y].With) })
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
