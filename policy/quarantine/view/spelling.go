package view

import (
	"slices"
	"strings"
	"sync"

	"errand/policy/rulefile"
)

var lowerWord = rulefile.New(`[a-z]+`)

// correct corrects misspelt words of orders: with letters swapped, missing, added or
// replaced. People and models read over such errors. It returns "" for fewer than two
// corrections, because one may be a typo.
func correct(s string) string {
	changed := 0
	out := lowerWord.Get().ReplaceAllStringFunc(s, func(w string) string {
		if right := spelling(w); right != "" {
			changed++
			return right
		}
		return w
	})
	if changed < 2 {
		return ""
	}
	return out
}

// spellings maps misspelt forms to words: by the first letter, the last letter and the
// sorted letters between, and by the word without one of its letters.
var spellings = sync.OnceValue(func() (s struct{ swapped, without map[string]string }) {
	s.swapped, s.without = map[string]string{}, map[string]string{}
	for w := range signWords().Misspelt {
		s.swapped[sortMiddle(w)] = w
		if len(w) >= 6 {
			for i := 1; i < len(w); i++ {
				s.without[w[:i]+w[i+1:]] = w
			}
		}
	}
	return s
})

func sortMiddle(w string) string {
	middle := []byte(w[1 : len(w)-1])
	slices.Sort(middle)
	return w[:1] + string(middle) + w[len(w)-1:]
}

// spelling returns the instruction word that w misspells, or "".
func spelling(w string) string {
	terms := signWords()
	if len(w) < 4 || len(w) > 14 || terms.Misspelt[w] || terms.Correct[w] {
		return ""
	}
	if right, ok := spellings().swapped[sortMiddle(w)]; ok {
		return right
	}
	if len(w) < 5 {
		return ""
	}
	if right, ok := spellings().without[w]; ok && !strings.HasPrefix(right, w) {
		return right
	}
	for i := 1; i < len(w)-1; i++ { // one letter added or replaced
		less := w[:i] + w[i+1:]
		if terms.Misspelt[less] && len(less) >= 6 {
			return less
		}
		if right, ok := spellings().without[less]; ok && len(right) == len(w) && right[:i] == w[:i] && right[i+1:] == w[i+1:] {
			return right
		}
	}
	return ""
}
