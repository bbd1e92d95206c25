package item

import (
	"slices"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// takesBack are the kinds that start a remark which withdraws something. restricts are the
// kinds that can't be part of a name in a remark.
var (
	exclusionKinds   = []lexicon.Kind{lexicon.Not, lexicon.Instead, lexicon.But, lexicon.If, lexicon.Cancel, lexicon.Keep}
	restrictionKinds = slices.Concat(lexicon.Verbs, exclusionKinds, []lexicon.Kind{
		lexicon.And, lexicon.Or, lexicon.BulkAll, lexicon.Bulk, lexicon.Pronoun, lexicon.Rest, lexicon.Manner, lexicon.When, lexicon.Adverb, lexicon.Position, lexicon.Hurry, lexicon.Here, lexicon.On, lexicon.In, lexicon.Inside, lexicon.From, lexicon.InIt, lexicon.With, lexicon.Vague,
		lexicon.Folder, lexicon.File, lexicon.Folders, lexicon.Files, lexicon.Determiner, lexicon.OtherAction, lexicon.OtherThing,
	})
)

// isRemark reports whether brackets at token i contain more than a part of a name. For a
// deletion any word of a sentence counts, otherwise only words that withdraw something.
func isRemark(p *parse.Text, i, hi int, deleting bool) bool {
	inside, _ := p.Remark(i, hi)
	if inside == nil {
		return false
	}
	if deleting {
		for at := range inside.Tokens {
			if _, ok := inside.Longest(at, len(inside.Tokens), restrictionKinds...); ok {
				return true
			}
		}
		return false
	}
	_, ok := inside.Longest(0, len(inside.Tokens), exclusionKinds...)
	return ok
}

// findRemark reports whether there is a remark in the name of an item, and notes it.
func (p *Reader) findRemark(it *Item) bool {
	for i := it.Name.Lo; i < it.Name.Hi; i++ {
		if isRemark(p.Text, i, it.Name.Hi, true) {
			it.doubt = parse.Span{Lo: i, Hi: it.Name.Hi}
			return true
		}
	}
	return false
}
