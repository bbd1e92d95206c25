package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"errand/host/tool"
	"errand/planner/interpret"
	"errand/planner/interpret/named"
	"errand/planner/message"
	"errand/planner/phrase"
	"errand/planner/plan"
)

// Phrases are the phrases that call tools of plugins.
type Phrases struct {
	All   func() []phrase.Phrase // of the enabled plugins
	Specs func(ctx context.Context) ([]tool.Spec, error)
}

// phraseQuestion is the id of the question which plugin is meant.
const phraseQuestion = "phrase"

// readPhrase reads a command that a phrase of a plugin describes, where the built-in grammar
// reads nothing. If phrases of several plugins read it, the user is asked.
func (p *Planner) readPhrase(in Interpretation, r interpret.Reading, text string, request Request) Interpretation {
	if in.Status == interpret.OK || p.phrases.All == nil || !request.isUsersText() {
		return in
	}
	t := p.reader.Parse(text)
	if !named.MayRead(r, t) {
		return in // without loading plugins
	}
	calls := named.FindPhrases(r, t, p.phrases.All())
	if answer := request.Answers[phraseQuestion]; answer != "" && len(calls) > 1 {
		if i := slices.IndexFunc(calls, func(c named.Call) bool { return c.Plugin == answer }); i >= 0 {
			calls = calls[i : i+1]
		}
	}
	for _, c := range calls {
		if p.hasSecret(text) || p.holdsSecret(c) {
			return withoutGoals(in, interpret.Unsupported, message.New("reason.secret_in_phrase", "plugin", c.Plugin))
		}
	}
	switch len(calls) {
	case 0:
	case 1:
		in = withoutGoals(in, interpret.OK, message.Message{})
		in.Questions, in.Suggestions, in.Call = []plan.Question{}, nil, &calls[0]
	default:
		q := plan.Question{ID: phraseQuestion, Question: message.New("question.phrase")}
		for _, c := range calls {
			q.Choices = append(q.Choices, plan.Choice{Label: message.New("question.choice_plugin", "plugin", c.Plugin, "tool", c.Tool), Value: c.Plugin})
		}
		in = withoutGoals(in, interpret.Ambiguous, q.Question)
		in.Questions = []plan.Question{q}
	}
	return in
}

// holdsSecret reports whether an argument by itself looks like a secret.
func (p *Planner) holdsSecret(c named.Call) bool {
	for _, v := range c.Args {
		if p.hasSecret(fmt.Sprint(v)) {
			return true
		}
	}
	return false
}

// isUsersText reports whether the words are typed by the user: a transcript and an origin
// other than the user run nothing by its name.
func (r Request) isUsersText() bool {
	return r.Voice == nil && (r.Origin == "" || r.Origin == plan.UserGoal)
}

// PlanWords makes the plan of a call that words asked for, as [Planner.PlanCall] does.
func PlanWords(p *Planner, c named.Call, specs []tool.Spec) (plan.Plan, error) {
	args, err := json.Marshal(c.Args)
	if err != nil {
		return plan.Plan{}, tool.NewError(tool.ValidationError, "bad_calls", message.New("runs.bad_calls", "cause", err))
	}
	return p.PlanCall(Call{Tool: c.Tool, Args: args}, specs)
}

// planPhrase plans a call that words asked for.
func planPhrase(ctx context.Context, p *Planner, in Interpretation) (Planned, error) {
	specs, err := p.phrases.Specs(ctx)
	if err != nil {
		return Planned{Interpretation: in}, err
	}
	made, err := PlanWords(p, *in.Call, specs)
	if err != nil {
		return Planned{Interpretation: in}, err
	}
	result := plan.NewSuccess(made, plan.Proof{Kind: plan.Unproved})
	return Planned{in, &result}, nil
}
