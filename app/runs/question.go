package runs

import (
	"context"

	"errand/app/planning"
	"errand/planner/message"
	"errand/planner/plan"
)

// ErrNoAnswer says that the user was asked and gave no answer: the question stays
// open. The empty answer may be one of a question's choices.
var ErrNoAnswer = message.Error("runs.no_answer")

// askAll asks the user every question and adds the answers.
func (x *attempt) askAll(ctx context.Context, questions []plan.Question, answers map[string]string) error {
	if x.request.Ask == nil || len(questions) == 0 {
		return ErrNoAnswer
	}
	for _, q := range questions {
		value, err := x.request.Ask(ctx, q)
		if err != nil {
			return err
		}
		if fault := planning.CheckAnswer(q, value); fault != nil {
			return fault
		}
		x.freeText = x.freeText || !planning.Offers(q, value)
		answers[q.ID] = value
	}
	return nil
}

// takeAnswers answers open questions with the answers that the request brought, and
// reports whether it had one.
func (x *attempt) takeAnswers(questions []plan.Question) (bool, error) {
	taken := false
	for _, q := range questions {
		value, given := x.request.Answers[q.ID]
		if _, used := x.answers[q.ID]; !given || used {
			continue
		}
		if fault := planning.CheckAnswer(q, value); fault != nil {
			return taken, fault
		}
		x.freeText = x.freeText || !planning.Offers(q, value)
		x.answers[q.ID], taken = value, true
	}
	return taken, nil
}
