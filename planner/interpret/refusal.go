package interpret

import (
	"slices"

	"errand/planner/interpret/parse"
)

// Refusal is the reason why a text has no goal.
type Refusal struct {
	Text      *parse.Text
	Reason    string // code of the message that says why
	Withdrawn bool   // a part of the text forbids or withdraws something, or has a question
	Deletes   bool   // the text has a verb of deleting
}

// Refusal reads a text and returns false unless it is unsupported.
func (i *Interpreter) Refusal(text string) (Refusal, bool) {
	r, done := i.newReading(text)
	if done || r.Text == "" {
		return Refusal{}, false
	}
	p := newParser(i.Parse(text))
	v, clauses := i.readVerdict(p)
	if _, again := i.reword(p.Text, v); again.status != v.status {
		return Refusal{}, false
	}
	withdrawn := slices.ContainsFunc(clauses, func(c parse.Clause) bool { return c.Negated || c.Outcome == parse.Cancels || c.Outcome == parse.Asks })
	return Refusal{Text: p.Text, Reason: v.reason, Withdrawn: withdrawn, Deletes: hasDeletion(clauses)}, v.status == Unsupported
}
