// Package chat reads texts that want an answer in words and no goal: greetings, thanks and small talk.
package chat

import (
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/interpret/parse"
)

// reasons are the answers to texts that no tool is needed for, the most important
// first.
var reasons = []struct {
	kind   lexicon.Kind
	reason string
}{{lexicon.AskUndo, "reason.ask_undo"}, {lexicon.AskHistory, "reason.ask_history"}, {lexicon.AskDrafts, "reason.ask_drafts"}, {lexicon.Help, "reason.help"}, {lexicon.Thanks, "reason.thanks"}, {lexicon.Greeting, "reason.greeting"}}

// IsAnswer reports whether the code of a reason answers a text instead of saying why it is
// not understood.
func IsAnswer(code string) bool {
	for _, c := range reasons {
		if c.reason == code {
			return true
		}
	}
	return strings.HasPrefix(code, smallTalk)
}

// smallTalk begins the codes of the answers to [lexicon.SmallTalk].
const smallTalk = "small_talk."

// Find returns the answer to a text that only greets, thanks, makes small talk, or asks for
// help or about earlier runs, or "".
func Find(p *parse.Text) string {
	present := map[lexicon.Kind]bool{}
	kinds, talk := []lexicon.Kind{lexicon.SmallTalk}, ""
	for _, c := range reasons {
		kinds = append(kinds, c.kind)
	}
	for i := p.SkipMarks(0, len(p.Tokens)); i < len(p.Tokens); i = p.SkipMarks(i, len(p.Tokens)) {
		m, ok := p.Longest(i, len(p.Tokens), kinds...)
		if !ok {
			m, ok = p.Longest(i, len(p.Tokens), lexicon.Wake, lexicon.Lead, lexicon.Tail, lexicon.TailNow) // politeness
		}
		if !ok {
			return ""
		}
		if present[m.Kind] = true; m.Kind == lexicon.SmallTalk && talk == "" {
			talk = smallTalk + m.Value
		}
		i += m.Len
	}
	for _, c := range reasons {
		if present[c.kind] && (talk == "" || c.kind != lexicon.Greeting && c.kind != lexicon.Thanks) {
			return c.reason
		}
	}
	return talk
}
