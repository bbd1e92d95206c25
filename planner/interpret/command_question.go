package interpret

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
	"errand/planner/plan"
)

func (p *commandReader) yesOrNo(lang uint8) []plan.Choice {
	return []plan.Choice{{Label: p.Words.Message(lang, "yes"), Value: "yes"}, {Label: p.Words.Message(lang, "no"), Value: "no"}}
}

// askVerb asks what to do with the thing at token i.
func (p *commandReader) askVerb(e parse.Entity, i int) parse.Question {
	lang := p.Words.PackOf(p.Language)
	q := parse.Question{Key: "ask_verb", Arg: p.Words.EntityName(e.ID), At: parse.Span{Lo: i, Hi: i + e.Len}, Thing: e}
	q.Choices = []plan.Choice{{Label: p.Words.Message(lang, "open_it"), Value: "open"}}
	if e.Site && p.Words.Catalogue.Searchable(e.ID) {
		q.Choices = append(q.Choices, plan.Choice{Label: p.Words.Message(lang, "search_it"), Value: "search"})
	}
	return q
}

// Questions whether to do something, which are no command to do it.

// askWhetherMeant asks whether a clause was meant as a command to do what is said. The
// answer belongs to token i.
func (p *commandReader) askWhetherMeant(c *parse.Clause, i int, said string) {
	if c.Outcome == parse.Understood && !p.Hint(i).Sure {
		c.Outcome, c.Ask = parse.Asks, parse.Question{Key: "ask_typo", Arg: said, At: parse.Span{Lo: i, Hi: i + 1}, Choices: p.yesOrNo(c.Lang)}
		c.Drafts = nil
	}
}

// maxSentence is how many words of a sentence are looked at for its end.
const maxSentence = 64

// findQuestion finds a sentence that begins with a verb in the infinitive and ends in
// a question mark: «Сделать скриншот гитхаба?» asks whether one should, as "should
// I …?" does. With "can you" or "one may" before it the verb is not the first.
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

// isInfinitive reports whether the first word of a verb is in the infinitive, by the
// endings of its language.
func (p *commandReader) isInfinitive(verb parse.Span) bool {
	packs := p.Words.Packs
	for n := range packs {
		for _, end := range packs[n].Infinitive {
			if strings.HasSuffix(p.Fold(verb.Lo), end) {
				return true
			}
		}
	}
	return false
}
