package parse

import (
	"fmt"
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/plan"
)

// Kind is what a question asks for.
func (q Question) Kind() string { return strings.TrimPrefix(q.Key, "ask_") }

// leaveOut is the answer that gives up what was unclear.
const LeaveOut = "leave_out"

func IsChoice(q Question, value string) bool {
	return slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value })
}

// AskUnclear asks about words that are unclear.
func (p *Text) AskUnclear(at Span) Question {
	return Question{Key: "ask_partial", Arg: p.Cut(at.Lo, at.Hi), At: at, Optional: true}
}

// Loser is the side that an answer gives up.
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
		q.Choices = append(q.Choices, plan.Choice{Label: v, Value: v})
	}
	return q
}

// Conflict is two drafts of which only one can hold.
type Conflict struct {
	One, Other Draft
	Forbidden  bool // the other one is not to be done
}

// Question is an [plan.Question] before it is worded in a language.
type Question struct {
	Key     string // of the language's messages
	Arg     string
	Choices []plan.Choice

	At          Span      // the words that an answer stands for; empty: where it goes
	Command     Span      // the command that the question is about
	Description Span      // all of what is described, where only its name is asked for
	Optional    bool      // of ask_partial: it may be left out
	Name        bool      // of ask_partial: it stands in a name
	Ext         string    // of ask_name: that of the kind which was said
	Site        bool      // the choices are ids of sites
	Thing       Entity    // of ask_verb
	Inside      bool      // of ask_referent: "in it", and not a whole command
	Conflict    *Conflict // of ask_conflict
}

// Render puts a question into a person's language.
func (q Question) Render(words *lexicon.Vocabulary, language string) plan.Question {
	out := plan.Question{ID: q.Kind(), Question: words.Message(words.PackOf(language), q.Key), Choices: q.Choices, FreeTextAllowed: true}
	if strings.Contains(out.Question, "%") {
		out.Question = fmt.Sprintf(out.Question, q.Arg)
	}
	if q.Optional {
		out.Choices = []plan.Choice{{Label: words.Message(words.PackOf(language), "leave_out"), Value: LeaveOut}}
	}
	if out.Choices == nil {
		out.Choices = []plan.Choice{}
	}
	return out
}
