package interpret

import (
	"slices"

	"errand/planner/interpret/parse"
	"errand/planner/interpret/rephrase"
)

// rewordable are the kinds of questions about a text that other words may answer.
var rewordable = []string{"unknown", "bare", "local", "partial", "place", "type", "target", "query", "delete"}

// askable are the kinds of questions that a text in other words may have.
var askable = []string{"name", "destination", "folder", "choice"}

// reword reads a text that is not understood in other words, if these are. Only the words that were
// said delete.
func (i *Interpreter) reword(p *parse.Text, v verdict) (*parse.Text, verdict) {
	if v.status == OK || v.status == Unsupported && v.reason == "reason.forbidden" || v.status == Ambiguous && !slices.Contains(rewordable, v.question.Kind()) {
		return p, v
	}
	for _, next := range rephrase.Texts(p) {
		again, _ := i.evaluate(next.Text)
		switch {
		case !next.Allows(again.drafts), next.IsCorrected && again.status != OK, !next.ActsOnFound && v.question.Kind() == "delete":
		case again.status == OK, again.status == Ambiguous && (v.status == Unsupported || next.IsReworded) && slices.Contains(askable, again.question.Kind()):
			return next.Text, again
		}
	}
	return p, v
}
