package parse

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
)

// maxSentence is the number of words in which FindQuestion looks for the end of a
// sentence.
const maxSentence = 64

// FindQuestion finds a sentence that starts with the verb in the infinitive and ends in a
// question mark. «Сделать скриншот гитхаба?» asks "should I …?", so it isn't a command.
func FindQuestion(p *Text, verb Span) (from, to int) {
	if verb.Hi <= verb.Lo || verb.Lo > 0 && !EndsSentence(p, verb.Lo-1) || !isInfinitive(p, verb) {
		return 0, 0
	}
	for i := verb.Hi; i < min(len(p.Tokens), verb.Lo+maxSentence); i++ {
		if EndsSentence(p, i) {
			if p.Fold(i) == "?" {
				return verb.Lo, i
			}
			return 0, 0
		}
	}
	return 0, 0
}

// EndsSentence reports whether a sentence ends at token i.
func EndsSentence(p *Text, i int) bool {
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
func isInfinitive(p *Text, verb Span) bool {
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
