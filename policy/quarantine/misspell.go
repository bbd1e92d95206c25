package quarantine

import (
	"slices"
	"strings"
)

// Words with their letters swapped, one left out or one too many are read
// rightly by people and by models, and by no list of words.

// spelled are words of orders to machines. Those of four letters are known
// again by swapped letters alone.
var spelled = set(`ignore ignoring disregard forget previous prior instruction instructions prompt prompts system reveal password
	passwords delete override bypass send files assistant secret secrets credentials execute transfer forward everything guidelines rules
	developer directives restrictions upload disclose approve payment message messages`)

// inflected are words near those that are other words.
var inflected = set("forgot forgets disregards reveals assistants assistance sends deletes system's files file filed rule ruled messaged secretes")

// spellings leads misspelt forms back: by first letter, last letter and what
// lies between them in any order, and by what is left without one letter.
var spellings = func() (s struct{ swapped, without map[string]string }) {
	s.swapped, s.without = map[string]string{}, map[string]string{}
	for w := range spelled {
		s.swapped[shuffled(w)] = w
		if len(w) >= 6 {
			for i := 1; i < len(w); i++ {
				s.without[w[:i]+w[i+1:]] = w
			}
		}
	}
	return s
}()

func shuffled(w string) string {
	middle := []byte(w[1 : len(w)-1])
	slices.Sort(middle)
	return w[:1] + string(middle) + w[len(w)-1:]
}

// respell writes the misspelt words of orders rightly. It answers "" unless
// there are two or more: one is a slip.
func respell(s string) string {
	var b strings.Builder
	changed, at := 0, 0
	for i := 0; i < len(s); {
		if s[i] < 'a' || s[i] > 'z' {
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] >= 'a' && s[end] <= 'z' {
			end++
		}
		if w := rightly(s[i:end]); w != "" {
			b.WriteString(s[at:i] + w)
			at = end
			changed++
		}
		i = end
	}
	if changed < 2 {
		return ""
	}
	b.WriteString(s[at:])
	return b.String()
}

// rightly is the word of orders that w is a misspelling of.
func rightly(w string) string {
	if len(w) < 4 || len(w) > 14 || spelled[w] || inflected[w] {
		return ""
	}
	if r, ok := spellings.swapped[shuffled(w)]; ok {
		return r
	}
	if len(w) < 5 {
		return ""
	}
	if r, ok := spellings.without[w]; ok && !strings.HasPrefix(r, w) {
		return r
	}
	for i := 1; i < len(w); i++ { // one letter too many, or another one
		less := w[:i] + w[i+1:]
		if spelled[less] && len(less) >= 6 && i < len(w)-1 {
			return less
		}
		if r, ok := spellings.without[less]; ok && len(r) == len(w) && r[:i] == w[:i] && r[i+1:] == w[i+1:] && i < len(w)-1 {
			return r
		}
	}
	return ""
}
