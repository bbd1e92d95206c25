// Package named reads commands that name something of the user's own: a recipe, or a phrase of
// a plugin. It knows no names of recipes: the caller compares what it returns with those that
// exist.
package named

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// Words of the grammar in both languages, as tokens spell them.
var (
	runVerbs    = strings.Fields("run start execute launch perform begin запусти запустите запустить выполни выполните выполнить начни включи прогони")
	determiners = strings.Fields("my the our a this мой моего наш этот")
	nouns       = strings.Fields("recipe рецепт")
	markers     = [][]string{{"called"}, {"named"}, {"под", "названием"}, {"с", "именем"}, {"по", "имени"}, {"с", "названием"}}
	// joints end what can be a name: something else follows.
	joints = strings.Fields("and or then with for of in on и или потом затем с для из в на")
)

const maxNameWords = 6

// FindRecipe returns the words that name a recipe, if the whole text asks to run one: "run my
// videos recipe", «запусти рецепт утро». Words such as "my" may be a part of the name, so that
// there can be a longer name after the usual one. A text that asks for more names none.
func FindRecipe(t *parse.Text) (names []string) {
	lo := t.SkipMarks(0, len(t.Tokens))
	lo, _ = t.SkipLead(lo, len(t.Tokens))
	hi := t.TrimTail(lo, len(t.Tokens), true)
	if hi-lo < 3 || hi-lo > maxNameWords+6 || !isOneOf(t, lo, runVerbs) {
		return nil
	}
	lo++
	start := lo
	for lo < hi && isOneOf(t, lo, determiners) {
		lo++
	}
	switch {
	case lo < hi && isOneOf(t, lo, nouns):
		lo = skipMarker(t, lo+1, hi)
		start = lo
	case lo < hi && isOneOf(t, hi-1, nouns):
		hi--
	default:
		return nil
	}
	if lo >= hi || hi-lo > maxNameWords {
		return nil
	}
	if !t.IsQuoted(lo, hi) {
		for i := lo; i < hi; i++ {
			if t.Tokens[i].Shape == lexicon.MarkShape || isOneOf(t, i, joints) || isOneOf(t, i, nouns) {
				return nil
			}
		}
	}
	names = append(names, t.Cut(lo, hi))
	if start < lo {
		names = append(names, t.Cut(start, hi))
	}
	return names
}

func isOneOf(t *parse.Text, i int, words []string) bool {
	return t.Tokens[i].Shape != lexicon.QuotedShape && slices.Contains(words, t.Fold(i))
}

func skipMarker(t *parse.Text, lo, hi int) int {
	for _, words := range markers {
		if lo+len(words) > hi {
			continue
		}
		same := true
		for n, w := range words {
			same = same && t.Fold(lo+n) == w
		}
		if same {
			return lo + len(words)
		}
	}
	return lo
}
