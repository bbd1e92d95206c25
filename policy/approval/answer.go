package approval

import (
	"maps"
	"slices"
	"strings"
	"time"

	"errand/planner/message"
	"errand/planner/plan"
)

// Answer records the answer to one question: the value of a choice, or any text if the
// question allows it. Any other answer is a [RefusedError] with the question to show
// again. The Draft stays BLOCKED until [Draft.Revise] brings the plan that reflects the
// answers.
func (d Draft) Answer(question, value string, now time.Time) (Draft, error) {
	if late, err := d.failExpired("answer", now); err != nil {
		return late, err
	}
	if d.State != StateBlocked {
		return d, &StepError{d.ID, d.State, StateBlocked}
	}
	i := slices.IndexFunc(d.Questions, func(q plan.Question) bool { return q.ID == question })
	if i < 0 {
		return d, &RefusedError{ID: d.ID, Code: CodeNoQuestion}
	}
	q := d.Questions[i]
	if !acceptsAnswer(q, value) {
		return d, &RefusedError{ID: d.ID, Code: CodeNotAChoice, Question: &q}
	}
	answers := maps.Clone(d.Answers)
	if answers == nil {
		answers = map[string]string{}
	}
	answers[question] = value
	d.Answers, d.Stale = answers, true
	return d, nil
}

// acceptsAnswer reports whether value answers the question. An empty value is an answer
// only if it is one of the choices.
func acceptsAnswer(q plan.Question, value string) bool {
	if slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value }) {
		return true
	}
	return q.FreeTextAllowed && strings.TrimSpace(value) != ""
}

// Revise replaces the Draft's plan, for example after an edit or an answer, or because a
// tool or the policy changed. The Draft keeps its id, its answers and its rejected and
// finished actions. It loses its approval and waits for a new one, starting now. A plan
// that drops or changes a finished action is refused.
//
// Questions of the new terms are open, except those already answered in the same form.
// While there is no plan, all of them are open: an answer that led to the same question
// again did not help.
func (d Draft) Revise(t Terms, now time.Time) (Draft, error) {
	if late, err := d.failExpired("revise", now); err != nil {
		return late, err
	}
	if d.State != StateDraft && d.State != StateReady && d.State != StateBlocked {
		return d, &StepError{d.ID, d.State, StateDraft}
	}
	if err := t.check(); err != nil {
		return d, message.Error("approval.revise", "id", d.ID, "cause", err)
	}
	for _, id := range d.Done {
		was, _ := d.action(id)
		now, there := find(t.Actions, id)
		if !there || was.Tool != now.Tool || was.ArgsHash != now.ArgsHash {
			return d, message.Error("approval.changes_done_action", "id", d.ID, "action_id", id)
		}
	}
	after := d.replaceTerms(t)
	after.Approval, after.Stale = nil, false
	after.State, after.Reason, after.ExpiresAt = StateDraft, message.Message{}, now.Add(TTL)
	after.Answers = maps.Clone(d.Answers)
	for _, q := range after.Questions {
		if value, answered := after.Answers[q.ID]; answered && (len(t.Actions) == 0 || !acceptsAnswer(q, value)) {
			delete(after.Answers, q.ID)
		}
	}
	if len(after.Open()) > 0 {
		after.State, after.Reason = StateBlocked, reasonOpen
	}
	return after.updateModules(), nil
}
