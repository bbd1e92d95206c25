package command

import (
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// askVerb asks what to do with the thing at token i.
func (p *Reader) askVerb(e parse.Entity, i int) parse.Question {
	q := parse.Question{Code: "question.verb", Words: p.Words.EntityName(e.ID), At: parse.Span{Lo: i, Hi: i + e.Len}, Thing: e}
	q.Choices = []plan.Choice{{Label: message.New("question.choice_open"), Value: "open"}}
	if e.Site && p.Words.Catalogue.Searchable(e.ID) {
		q.Choices = append(q.Choices, plan.Choice{Label: message.New("question.choice_search"), Value: "search"})
	}
	return q
}

// askWhetherMeant asks whether the clause was meant as a command. The answer is kept
// at token i.
func (p *Reader) askWhetherMeant(c *parse.Clause, i int, word string) {
	if c.Outcome == parse.Understood && !p.Hint(i).Certain {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.typo", Words: word, At: parse.Span{Lo: i, Hi: i + 1}, Choices: parse.YesOrNo()}
		c.Drafts = nil
	}
}
