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

const maxNameWords = 6

// FindRecipe returns the words that name a recipe, if the whole text asks to run one: "run my
// videos recipe", «запусти рецепт утро». Words such as "my" may be a part of the name, so that
// there can be a longer name after the usual one. A text that asks for more names none.
func FindRecipe(t *parse.Text) (names []string) {
	words := recipeWords(t.Words.Packs)
	lo := t.SkipMarks(0, len(t.Tokens))
	lo, _ = t.SkipLead(lo, len(t.Tokens))
	hi := t.TrimTail(lo, len(t.Tokens), true)
	if hi-lo < 3 || hi-lo > maxNameWords+6 || !isOneOf(t, lo, words.Run) {
		return nil
	}
	lo++
	start := lo
	for lo < hi && isOneOf(t, lo, words.Determiners) {
		lo++
	}
	switch {
	case lo < hi && isOneOf(t, lo, words.Nouns):
		lo = skipMarker(t, lo+1, hi, words.Markers)
		start = lo
	case lo < hi && isOneOf(t, hi-1, words.Nouns):
		hi--
	default:
		return nil
	}
	if lo >= hi || hi-lo > maxNameWords {
		return nil
	}
	if !t.IsQuoted(lo, hi) {
		for i := lo; i < hi; i++ {
			if t.Tokens[i].Shape == lexicon.MarkShape || isOneOf(t, i, words.Joints) || isOneOf(t, i, words.Nouns) {
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

// skipMarker returns where the first of the markers that begins at lo ends, or lo.
func skipMarker(t *parse.Text, lo, hi int, markers []string) int {
	for _, marker := range markers {
		at := lo
		for word := range strings.FieldsSeq(marker) {
			if at == hi || t.Fold(at) != word {
				at = lo
				break
			}
			at++
		}
		if at > lo {
			return at
		}
	}
	return lo
}

// recipeWords joins the words of all languages: one command may mix them.
func recipeWords(packs []lexicon.Pack) (all lexicon.RecipeWords) {
	for _, p := range packs {
		w := p.Recipe
		all.Run, all.Determiners, all.Nouns = append(all.Run, w.Run...), append(all.Determiners, w.Determiners...), append(all.Nouns, w.Nouns...)
		all.Markers, all.Joints = append(all.Markers, w.Markers...), append(all.Joints, w.Joints...)
	}
	return all
}
