package planning

import (
	"slices"

	"errand/planner/interpret"
	"errand/planner/interpret/chat"
	"errand/planner/message"
)

// maxOffers is how many goals are offered in place of one that can't be done.
const maxOffers = 5

// Complete offers whole goals for a half-typed one, best first, at most limit
// of them: each begins as prefix does and is understood. language ("en", "ru")
// counts only where the words don't tell it.
func (p *Planner) Complete(prefix, language string, limit int) []string {
	return slices.DeleteFunc(p.suggester.Complete(prefix, language, limit), func(goal string) bool {
		return p.hasSecret(goal) || p.Interpret(goal).Status != interpret.OK
	})
}

// hasSecret reports whether a goal would carry what looks like a secret to where
// it leads. Such goals are not offered.
func (p *Planner) hasSecret(goal string) bool { return p.vault.HasSecret(goal) }

// offer puts near goals beside what is unsupported.
func (p *Planner) offer(in *Interpretation, text string) {
	in.Suggestions = p.suggester.Nearest(text, maxOffers)
}

// SuggestionIntro introduces the suggestions. It is zero if there are none.
func (in Interpretation) SuggestionIntro() message.Message {
	if len(in.Suggestions) == 0 {
		return message.Message{}
	}
	return message.New("question.instead")
}

// closed are the reasons of refusals that a language model must not get around: the user forbade it, or
// the words have a secret or can't be read.
var closed = []string{
	"reason.forbidden", "reason.secret_in_query", "reason.secret_in_phrase", "reason.file_contents", "reason.no_words", "reason.not_utf8",
	"reason.unreadable", "reason.control_characters", "reason.too_long", "planning.not_what_was_said", "planning.no_recipes",
}

// MayAskModel reports whether a language model may be offered words that the rules don't understand.
func (in Interpretation) MayAskModel() bool {
	return !in.IsAnswered() && !slices.Contains(closed, in.Reason.Code)
}

// IsAnswered reports whether the text asks nothing of a tool, and the reason answers it.
func (in Interpretation) IsAnswered() bool { return chat.IsAnswer(in.Reason.Code) }

// Hint says what could be said in place of what is unsupported. It is zero for texts that
// were answered.
func (in Interpretation) Hint() message.Message {
	if in.IsAnswered() {
		return message.Message{}
	}
	if len(in.Suggestions) == 0 {
		return message.New("planning.examples")
	}
	return message.New("question.instead_goals", "goals", in.Suggestions)
}
