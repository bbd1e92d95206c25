package planning

import (
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/installed"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
)

// confirmTranscript is the id of the question about a transcript that is unsure.
const confirmTranscript = "confirm_transcript"

// Understand reads what was asked for, with the answers that there are. The
// voice that it returns is the confirmed one, where the user confirmed it.
func (p *Planner) Understand(r Request) (Interpretation, *plan.Voice) {
	if len(r.Goals) > 0 {
		in := Interpretation{Status: interpret.OK, Language: "en", Questions: []plan.Question{}}
		p.fill(&in, plan.NewGoalSet(normalizeGoals(r.Goals, p.Conf.Catalogue), nil), nil)
		var lookups installed.Answers
		in = p.nameApps(in, lookups.Record(p.appsOf(r)), r.Answers)
		in.lookups = lookups
		return in, r.Voice
	}
	unsure := r.Voice != nil && r.Voice.Confidence < plan.VoiceConfirmBelow
	confirmation, confirmed := r.Answers[confirmTranscript]
	if !unsure || !confirmed {
		in := p.interpret(r.Text, r)
		if unsure && in.Status == interpret.OK {
			in = confirmVoice(in, *r.Voice)
		}
		return in, r.Voice
	}
	if strings.TrimSpace(confirmation) == "" {
		in := p.interpret(r.Text, Request{})
		return withoutGoals(in, interpret.Unsupported, message.New("planning.not_what_was_said")), r.Voice
	}
	return p.interpret(confirmation, r), &plan.Voice{FileID: r.Voice.FileID, Transcript: confirmation, Confidence: 1}
}

// InterpretVoice reads a transcript. One that is unsure is not understood before
// the user has confirmed it.
func (p *Planner) InterpretVoice(v plan.Voice) Interpretation {
	in, _ := p.Understand(Request{Text: v.Transcript, Voice: &v})
	return in
}

// Explained is an interpretation with the steps that led to it.
type Explained struct {
	Interpretation Interpretation         `json:"interpretation"`
	Tokens         []interpret.TokenView  `json:"tokens"`
	Clauses        []interpret.ClauseView `json:"clauses"`
	Leftovers      []interpret.Span       `json:"leftovers"` // words that nothing took
}

// Explain shows how the words of an interpretation were read.
func (p *Planner) Explain(text string, in Interpretation) Explained {
	x := p.reader.WithApps(p.apps).Explain(text)
	return Explained{in, x.Tokens, x.Clauses, x.Leftovers}
}

// confirmVoice turns what was understood from an unsure transcript into a
// question.
func confirmVoice(in Interpretation, v plan.Voice) Interpretation {
	in = withoutGoals(in, interpret.Ambiguous, message.New("planning.unsure_transcript"))
	in.Questions = []plan.Question{{
		ID: confirmTranscript, Question: message.New("question.heard", "transcript", v.Transcript),
		Choices:         []plan.Choice{{Label: message.New("question.choice_yes"), Value: v.Transcript}, {Label: message.New("question.choice_no"), Value: ""}},
		FreeTextAllowed: true,
	}}
	return in
}

func withoutGoals(in Interpretation, status interpret.Status, reason message.Message) Interpretation {
	in.Status, in.Reason = status, reason
	in.Goals, in.files.Set, in.Kind, in.Deps = []plan.Goal{}, plan.GoalSet{}, "", nil
	in.Questions, in.Evidence, in.Suggestions, in.FollowUp = []plan.Question{}, nil, nil, nil
	return in
}

// withQuestion turns a planner's question about goals into one of the reading.
func withQuestion(in Interpretation, err *plan.AmbiguousError) Interpretation {
	in = withoutGoals(in, interpret.Ambiguous, err.AsMessage())
	in.Questions = err.Questions
	for i := range in.Questions {
		if in.Questions[i].Choices == nil {
			in.Questions[i].Choices = []plan.Choice{}
		}
	}
	return in
}

// fill takes goals into an interpretation: merged, with what a person answered
// about each of them, and with the defaults.
func (p *Planner) fill(in *Interpretation, set plan.GoalSet, answers map[string]string) {
	set = p.planner.Prepare(set, answers)
	in.files.Set = set
	in.Kind, in.Goals, in.Deps = set.Kind, set.Goals, set.Deps
}

// CheckAnswer refuses a value that a question doesn't offer, and shows what it
// offers.
func CheckAnswer(q plan.Question, value string) *tool.Error {
	if slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value }) {
		return nil
	}
	var offered []message.Message
	for _, c := range q.Choices {
		offered = append(offered, message.New("planning.offered_choice", "question", q.ID, "value", c.Value, "label", c.Label))
	}
	switch {
	case q.FreeTextAllowed && strings.TrimSpace(value) != "":
		return nil
	case q.FreeTextAllowed && len(offered) == 0:
		return tool.NewError(tool.ValidationError, "empty_answer", message.New("planning.empty_answer", "question", q.Question))
	}
	return tool.NewError(tool.ValidationError, "not_a_choice", message.New("planning.not_a_choice", "answer", value, "question", q.Question)).
		WithHint(message.New("planning.choose_one", "choices", offered))
}

// Offers reports whether a value is one of a question's choices.
func Offers(q plan.Question, value string) bool {
	return slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value })
}
