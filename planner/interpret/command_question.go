package interpret

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/message"
	"errand/planner/plan"
)

// askVerb asks what to do with the thing at token i.
func (p *commandReader) askVerb(e parse.Entity, i int) parse.Question {
	q := parse.Question{Code: "question.verb", Words: p.Words.EntityName(e.ID), At: parse.Span{Lo: i, Hi: i + e.Len}, Thing: e}
	q.Choices = []plan.Choice{{Label: message.New("question.choice_open"), Value: "open"}}
	if e.Site && p.Words.Catalogue.Searchable(e.ID) {
		q.Choices = append(q.Choices, plan.Choice{Label: message.New("question.choice_search"), Value: "search"})
	}
	return q
}

// askWhetherMeant asks whether the clause was meant as a command. The answer is kept
// at token i.
func (p *commandReader) askWhetherMeant(c *parse.Clause, i int, word string) {
	if c.Outcome == parse.Understood && !p.Hint(i).Certain {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Code: "question.typo", Words: word, At: parse.Span{Lo: i, Hi: i + 1}, Choices: parse.YesOrNo()}
		c.Drafts = nil
	}
}

// maxSentence is the number of words in which findQuestion looks for the end of a
// sentence.
const maxSentence = 64

// findQuestion finds a sentence that starts with the verb in the infinitive and ends in a
// question mark. «Сделать скриншот гитхаба?» asks "should I …?", so it isn't a command.
func (p *commandReader) findQuestion(verb parse.Span) (from, to int) {
	if verb.Hi <= verb.Lo || verb.Lo > 0 && !p.endsSentence(verb.Lo-1) || !p.isInfinitive(verb) {
		return 0, 0
	}
	for i := verb.Hi; i < min(len(p.Tokens), verb.Lo+maxSentence); i++ {
		if p.endsSentence(i) {
			if p.Fold(i) == "?" {
				return verb.Lo, i
			}
			return 0, 0
		}
	}
	return 0, 0
}

// endsSentence reports whether a sentence ends at token i.
func (p *commandReader) endsSentence(i int) bool {
	if p.Tokens[i].Shape != lexicon.MarkShape {
		return false
	}
	switch p.Fold(i) {
	case "?", ".", "!", "…", "\n":
		return true
	}
	return false
}

// isInfinitive reports whether the first word of a verb is an infinitive, by the
// endings of a language that has the word.
func (p *commandReader) isInfinitive(verb parse.Span) bool {
	for n := range p.Words.Packs {
		isWord := func(m lexicon.Match) bool { return m.IsIn(n) }
		if !slices.ContainsFunc(p.Matches[verb.Lo], isWord) {
			continue
		}
		for _, end := range p.Words.Packs[n].Infinitive {
			if strings.HasSuffix(p.Fold(verb.Lo), end) {
				return true
			}
		}
	}
	return false
}
