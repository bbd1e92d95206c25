package quarantine

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"errand/policy/rulefile"
)

// book is all the rules, indexed by the words that their matches begin with.
// Where none of these is, nothing is tried: a page without orders costs one
// walk over its words.
type book struct {
	rules []*rule
	// words is a trie of the beginnings of indexed rules: the key is a node and
	// a byte, the value the next node. ends lists the rules of a node.
	words map[uint32]uint32
	ends  [][]int
	// loose are the rules whose matches may begin anywhere; they are tried
	// around the words that they need.
	loose []int
	needs index
}

// theBook is made on first use: parsing the patterns takes some milliseconds.
var theBook = sync.OnceValue(func() *book {
	b := &book{words: map[uint32]uint32{}, ends: make([][]int, 1)}
	for _, r := range loadRules() {
		b.add(r)
	}
	// Rules that lean on others are tried when those have been.
	slices.SortStableFunc(b.loose, func(x, y int) int { return len(b.rules[x].With) - len(b.rules[y].With) })
	return b
})

func (b *book) add(r *rule) {
	id := len(b.rules)
	b.rules = append(b.rules, r)
	tree := outline(r.pattern.Source)
	lits := beginnings(tree)
	for _, l := range lits {
		if first, _ := utf8.DecodeRuneInString(l); !unicode.IsLetter(first) && !unicode.IsDigit(first) {
			lits = nil // words alone are walked over
			break
		}
	}
	if lits == nil || r.Raw || len(r.With) > 0 {
		b.loose = append(b.loose, id)
		return
	}
	r.contents = contents(tree)
	b.needs.add(id, r.contents)
	r.pattern = rulefile.New(`^(?:` + r.pattern.Source + `)`)
	for _, l := range lits {
		node := uint32(0)
		for i := range len(l) {
			key := node<<8 | uint32(l[i])
			next, ok := b.words[key]
			if !ok {
				next = uint32(len(b.ends))
				b.ends = append(b.ends, nil)
				b.words[key] = next
			}
			node = next
		}
		if n := len(b.ends[node]); n == 0 || b.ends[node][n-1] != id {
			b.ends[node] = append(b.ends[node], id)
		}
	}
}

// begun calls try for each place where a word begins and each rule that can
// begin there.
func (b *book) begun(text string, try func(id, pos int)) {
	inWord := false
	for i, r := range text {
		letter := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if letter && (!inWord || blanklessRune(r)) {
			node := uint32(0)
			for j := i; j < len(text); j++ {
				next, ok := b.words[node<<8|uint32(text[j])]
				if !ok {
					break
				}
				node = next
				for _, id := range b.ends[node] {
					try(id, i)
				}
			}
		}
		inWord = letter
	}
}

// around and behind are how much text a loose rule sees before and after a
// word that it needs; ahead is how much an indexed one sees.
const (
	around = 250
	behind = 500
	ahead  = 500
)

// windows lists the stretches of text around the words that a rule needs.
func (r *rule) windows(text string) [][2]int {
	if len(r.Need) == 0 {
		return [][2]int{{0, len(text)}}
	}
	var at []int
	for _, n := range r.Need {
		for from := 0; ; {
			i := strings.Index(text[from:], n)
			if i < 0 {
				break
			}
			from += i + len(n)
			if len(n) < 3 && isLetter(n[0]) && (from-len(n) > 0 && isLetter(text[from-len(n)-1]) || from < len(text) && isLetter(text[from])) {
				continue // a short word inside another
			}
			at = append(at, from-len(n))
		}
	}
	return merged(text, at)
}

// merged makes stretches around places and joins those that touch. A stretch
// that begins inside the text begins inside a word, so that nothing takes its
// beginning for the text's.
func merged(text string, at []int) [][2]int {
	slices.Sort(at)
	var out [][2]int
	for _, pos := range at {
		from, to := pos-around, min(len(text), pos+behind)
		if n := len(out); n > 0 && from <= out[n-1][1] {
			out[n-1][1] = to
			continue
		}
		if from > 0 {
			for from < pos && !(isLetter(text[from-1]) && isLetter(text[from])) {
				from++
			}
		}
		out = append(out, [2]int{max(0, from), to})
	}
	return out
}
