package moment

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"errand/planner/wordlist"
)

//go:embed words/*.toml
var files embed.FS

// meaning is what a phrase means: its key in a language file, with that of a table behind a point.
type meaning struct{ kind, value string }

// vocabulary has the phrases of all languages.
type vocabulary struct {
	phrases map[string][]meaning
	longest int // words of the longest phrase
}

// words reads the language files, at the first use. A table has the value of a meaning as its key.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{phrases: map[string][]meaning{}}
	wordlist.Read(files, func(f map[string]any) {
		for kind, value := range f {
			if table, ok := value.(map[string]any); ok {
				for key, list := range table {
					v.add(meaning{kind, key}, list)
				}
				continue
			}
			v.add(meaning{kind, ""}, value)
		}
	})
	return v
})

func (v *vocabulary) add(m meaning, list any) {
	for _, template := range list.([]any) {
		for _, phrase := range wordlist.Expand(template.(string)) {
			if !slices.Contains(v.phrases[phrase], m) {
				v.phrases[phrase] = append(v.phrases[phrase], m)
				v.longest = max(v.longest, strings.Count(phrase, " ")+1)
			}
		}
	}
}

// Words are the words of a text in the spelling by which they are compared, with commas as words of
// their own. The reader of a command finds the words of a moment among them.
type Words []string

// NewWords folds words.
func NewWords(text []string) Words {
	out := make(Words, len(text))
	for i, s := range text {
		out[i] = wordlist.Fold(s)
	}
	return out
}

// Phrase returns the value of the longest phrase of a kind at word i, and its number of words; 0: there
// is none.
func (w Words) Phrase(i int, kinds ...string) (value string, n int) {
	for n := min(words().longest, len(w)-i); n > 0; n-- {
		for _, kind := range kinds {
			for _, m := range words().phrases[strings.Join(w[i:i+n], " ")] {
				if m.kind == kind {
					return m.value, n
				}
			}
		}
	}
	return "", 0
}

// PhraseOf returns the number of words of the longest phrase of a kind and a value at word i; 0: there is
// none.
func (w Words) PhraseOf(i int, kind, value string) int {
	for n := min(words().longest, len(w)-i); n > 0; n-- {
		if slices.Contains(words().phrases[strings.Join(w[i:i+n], " ")], meaning{kind, value}) {
			return n
		}
	}
	return 0
}
