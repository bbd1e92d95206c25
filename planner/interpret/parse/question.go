package parse

import (
	"slices"
	"strings"

	"errand/planner/interpret/lexicon"
	"errand/planner/message"
	"errand/planner/plan"
)

// Question is a [plan.Question] before it gets its text.
type Question struct {
	Code    string // of its message: question.KIND
	Words   string // the words or the name that it is about; of question.delete: the folder that is never deleted
	Limit   int    // of question.count
	Choices []plan.Choice

	At          Span              // the tokens that an answer replaces; empty: where it is inserted
	Command     Span              // the command that the question is about
	Description Span              // the whole description of the thing whose name is missing; of question.place: the name with the place
	Optional    bool              // of question.partial: the words may be left out
	Name        bool              // of question.partial: the words are part of a name
	Ext         string            // of question.name: the extension that the words imply
	Site        bool              // the choices are ids of sites
	Thing       Entity            // of question.verb
	InList      bool              // of question.unknown: other things to open stand before it
	Objects     map[string]string // of question.choice: the choices are paths, with the types of what they lead to
	Inside      bool              // of question.referent: "in it", and not a whole command
	Conflict    *Conflict         // of question.conflict
}

// Kind is the id of a question: what it asks for.
func (q Question) Kind() string { return strings.TrimPrefix(q.Code, "question.") }

// LeaveOut is the answer that drops the unclear words.
const LeaveOut = "leave_out"

// Keep is the answer that keeps unclear words as a part of the query.
const Keep = "keep"

// hasQuery reports whether the unclear words stand in a query.
func (q Question) hasQuery() bool {
	return q.Kind() == "partial" && !q.Name && q.Description.Lo < q.Description.Hi
}

// IsChoice reports whether a value is one of the choices of a question.
func IsChoice(q Question, value string) bool {
	return slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value })
}

// AskUnclear asks about words that are unclear.
func (p *Text) AskUnclear(at Span) Question {
	return Question{Code: "question.partial", Words: p.Cut(at.Lo, at.Hi), At: at, Optional: true}
}

// AskWeb asks whether to search the web for words that may mean something else. The answer is
// kept as a hint at their first token.
func (p *Text) AskWeb(query Span) Question {
	return Question{Code: "question.web", Words: p.Cut(query.Lo, query.Hi), At: Span{query.Lo, query.Lo + 1}, Choices: YesOrNo()}
}

// YesOrNo are the choices of a question about what was meant.
func YesOrNo() []plan.Choice {
	return []plan.Choice{{Label: message.New("question.choice_yes"), Value: "yes"}, {Label: message.New("question.choice_no"), Value: "no"}}
}

// offeredPlaces are the places that a question about an unknown one offers.
var offeredPlaces = []string{"~/Documents/", "~/Desktop/", "~/Downloads/"}

// PlaceChoices are the folders that a question about a place offers.
func PlaceChoices() []plan.Choice {
	var choices []plan.Choice
	for _, place := range offeredPlaces {
		choices = append(choices, plan.Choice{Label: message.Verbatim(place), Value: place})
	}
	return choices
}

// AskPlace asks which folder is meant by a place that is not known: "in google drive". The
// answer becomes the folder of a hint at the first of these tokens.
func (p *Text) AskPlace(at Span) Question {
	lo := p.Skip(at.Lo, at.Hi-1, lexicon.In, lexicon.Inside, lexicon.From, lexicon.On, lexicon.To, lexicon.Determiner)
	return Question{Code: "question.place", Words: p.Cut(lo, at.Hi), At: at, Choices: PlaceChoices()}
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
	return AskOne(p, "question.choice", []Span{one, other})
}

// AskOne is a question with a code which of several descriptions is meant, in their order.
func AskOne(p *Text, code string, all []Span) Question {
	q := Question{Code: code, At: Span{all[0].Lo, all[len(all)-1].Hi}}
	for _, s := range all {
		v := p.Cut(s.Lo, s.Hi)
		q.Choices = append(q.Choices, plan.Choice{Label: message.Verbatim(v), Value: v})
	}
	return q
}

// Ask returns the question to ask.
func (q Question) Ask() plan.Question {
	out := plan.Question{ID: q.Kind(), Question: q.message(), Choices: q.Choices, FreeTextAllowed: true}
	if q.Optional {
		out.Choices = append(slices.Clone(q.Choices), plan.Choice{Label: message.New("question.choice_leave_out"), Value: LeaveOut})
		if q.hasQuery() {
			out.Choices = append(out.Choices, plan.Choice{Label: message.New("question.choice_keep"), Value: Keep})
		}
	}
	if out.Choices == nil {
		out.Choices = []plan.Choice{}
	}
	return out
}

func (q Question) message() message.Message {
	switch q.Kind() {
	case "unknown", "bare", "local", "media", "put_on", "place", "destination", "rename", "folder", "type", "typo", "partial", "verb", "rows", "web", "empty", "trash", "literal", "site", "delete", "download":
		return message.New(q.Code, "words", q.Words)
	case "count":
		return message.New(q.Code, "limit", q.Limit)
	}
	return message.New(q.Code)
}
