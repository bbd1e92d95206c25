package parse

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/message"
	"errand/planner/plan"
)

// Question is a [plan.Question] before it gets its text.
type Question struct {
	Key     string // of the language's messages
	Arg     string
	Choices []plan.Choice

	At          Span      // the tokens that an answer replaces; empty: where it is inserted
	Command     Span      // the command that the question is about
	Description Span      // the whole description of the thing whose name is missing
	Optional    bool      // of ask_partial: the words may be left out
	Name        bool      // of ask_partial: the words are part of a name
	Ext         string    // of ask_name: the extension that the words imply
	Site        bool      // the choices are ids of sites
	Thing       Entity    // of ask_verb
	Inside      bool      // of ask_referent: "in it", and not a whole command
	Conflict    *Conflict // of ask_conflict
}

// Kind is the id of a question: what it asks for.
func (q Question) Kind() string { return strings.TrimPrefix(q.Key, "ask_") }

// LeaveOut is the answer that drops the unclear words.
const LeaveOut = "leave_out"

// IsChoice reports whether a value is one of the choices of a question.
func IsChoice(q Question, value string) bool {
	return slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value })
}

// AskUnclear asks about words that are unclear.
func (p *Text) AskUnclear(at Span) Question {
	return Question{Key: "ask_partial", Arg: p.Cut(at.Lo, at.Hi), At: at, Optional: true}
}

// Conflict is a pair of drafts of which only one can be done.
type Conflict struct {
	One, Other Draft
	Forbidden  bool // the words forbid Other
}

// Loser is the draft that an answer gives up.
func (c *Conflict) Loser(value string) (Draft, bool) {
	switch {
	case c.Forbidden && value == "do", !c.Forbidden && value == c.One.Goal.Action:
		return c.Other, true
	case c.Forbidden && value == "dont", !c.Forbidden && value == c.Other.Goal.Action:
		return c.One, true
	}
	return Draft{}, false
}

// AskChoice asks which of two stretches of the text is meant.
func (p *Text) AskChoice(one, other Span) Question {
	q := Question{Key: "ask_choice", At: Span{one.Lo, other.Hi}}
	for _, s := range []Span{one, other} {
		v := p.Cut(s.Lo, s.Hi)
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(v), Value: v})
	}
	return q
}

// Render gives a question its text in a language.
func (q Question) Render(words *lexicon.Vocabulary, language string) plan.Question {
	out := plan.Question{ID: q.Kind(), Question: message.Verbatim(words.Message(words.PackOf(language), q.Key)), Choices: q.Choices, FreeTextAllowed: true}
	if strings.Contains(out.Question, "%") {
		out.Question = message.Verbatim(fmt.Sprintf(out.Question, q.Arg))
	}
	if q.Optional {
		out.Choices = []plan.Choice{{Label: message.Verbatim(words.Message(words.PackOf(language), "leave_out")), Value: LeaveOut}}
	}
	if out.Choices == nil {
		out.Choices = []plan.Choice{}
	}
	return out
}
