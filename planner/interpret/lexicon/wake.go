package lexicon

import "slices"

// WithWakeWords returns a vocabulary that also knows names by which the user addresses the
// program, of one word or several.
func (v *Vocabulary) WithWakeWords(words []string) *Vocabulary {
	var wake [][]string
	for _, w := range words {
		var folded []string
		for _, t := range Tokenize(w) {
			folded = append(folded, t.Fold)
		}
		if len(folded) > 0 {
			wake = append(wake, folded)
		}
	}
	if len(wake) == 0 {
		return v
	}
	next := *v
	next.wake = wake
	return &next
}

// Find lists every phrase that starts at each token, shorter ones first, and the user's own
// wake words.
func (v *Vocabulary) Find(toks []Token) [][]Match {
	out := v.lexicon.Find(toks)
	for _, w := range v.wake {
		for i := 0; i+len(w) <= len(toks); i++ {
			if slices.EqualFunc(w, toks[i:i+len(w)], func(word string, t Token) bool { return word == t.Fold }) {
				out[i] = append(out[i], Match{Entry{Wake, AnyLang, ""}, len(w), 0})
			}
		}
	}
	return out
}
