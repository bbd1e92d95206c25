package core

import (
	"context"
	"errors"

	"errand/app/planning"
	"errand/planner/plan"
)

// maxRounds bounds how often one run asks: an answer may lead to another
// question, and the last one leads nowhere.
const maxRounds = 8

// ErrNoAnswer is a person who was asked and gave no answer: the question stays
// open. The empty answer may be one of a question's choices.
var ErrNoAnswer = errors.New("no answer was given")

// askAll asks a person every question and adds the answers.
func (x *execution) askAll(ctx context.Context, questions []plan.Question, answers map[string]string) error {
	if x.request.Ask == nil || len(questions) == 0 {
		return ErrNoAnswer
	}
	for _, q := range questions {
		value, err := x.request.Ask(ctx, q)
		if err != nil {
			return err
		}
		if fault := planning.CheckResult(q, value); fault != nil {
			return fault
		}
		x.ownWords = x.ownWords || !planning.Offers(q, value)
		answers[q.ID] = value
	}
	return nil
}

// takeGiven answers open questions with the answers that the request brought, and
// reports whether it had one.
func (x *execution) takeGiven(questions []plan.Question) (bool, error) {
	taken := false
	for _, q := range questions {
		value, given := x.request.Answers[q.ID]
		if _, used := x.answers[q.ID]; !given || used {
			continue
		}
		if fault := planning.CheckResult(q, value); fault != nil {
			return taken, fault
		}
		x.ownWords = x.ownWords || !planning.Offers(q, value)
		x.answers[q.ID], taken = value, true
	}
	return taken, nil
}
