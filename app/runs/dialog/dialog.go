package dialog

import (
	"context"

	"errand/app/planning"
	"errand/planner/message"
	"errand/planner/plan"
)

// ErrNoAnswer means that the user gave no answer to a question, which stays open. The empty
// answer may be one of the choices.
var ErrNoAnswer = message.Error("runs.no_answer")

// ErrDeclined means that the user answered a question with no, which none of its choices is. The run ends.
var ErrDeclined = message.Error("runs.question_declined")

// Dialog collects the questions about a goal's words and the user's answers.
type Dialog struct {
	Answers map[string]string // by the ids of their questions
	// FreeText reports an answer that was not one of the choices. The plan is shown before it
	// runs, because the goal's words don't name the answer.
	FreeText bool
}

// Ask asks the user every question and adds the answers. A nil ask returns ErrNoAnswer.
func (d *Dialog) Ask(ctx context.Context, ask func(context.Context, plan.Question) (string, error), questions []plan.Question) error {
	if ask == nil || len(questions) == 0 {
		return ErrNoAnswer
	}
	for _, q := range questions {
		value, err := ask(ctx, q)
		if err != nil {
			return err
		}
		if err := d.add(q, value); err != nil {
			return err
		}
	}
	return nil
}

// Take uses the answers of the request, and reports whether there was one.
func (d *Dialog) Take(answers map[string]string, questions []plan.Question) (bool, error) {
	taken := false
	for _, q := range questions {
		value, known := answers[q.ID]
		if _, used := d.Answers[q.ID]; !known || used {
			continue
		}
		if err := d.add(q, value); err != nil {
			return taken, err
		}
		taken = true
	}
	return taken, nil
}

// add adds an answer: a choice of the question or, if it is permitted, free text.
func (d *Dialog) add(q plan.Question, value string) error {
	if fault := planning.CheckAnswer(q, value); fault != nil {
		return fault
	}
	if d.Answers == nil {
		d.Answers = map[string]string{}
	}
	d.FreeText = d.FreeText || !planning.Offers(q, value)
	d.Answers[q.ID] = value
	return nil
}
