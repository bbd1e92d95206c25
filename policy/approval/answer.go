package approval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"errand/planner/plan"
)

// Answered records the answer to one question: the value of a choice, or any
// text where the question allows it. What else is said is a [RefusedError] that
// carries the question, to be shown again. The Draft stays BLOCKED until
// [Draft.Revise] brings the plan that the answers lead to.
func (d Draft) Answered(question, value string, now time.Time) (Draft, error) {
	if late, err := d.late("answer", now); err != nil {
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
	if !takes(q, value) {
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

// takes reports whether a value answers a question. An empty one does only
// where it is offered.
func takes(q plan.Question, value string) bool {
	if slices.ContainsFunc(q.Choices, func(c plan.Choice) bool { return c.Value == value }) {
		return true
	}
	return q.FreeTextAllowed && strings.TrimSpace(value) != ""
}

// Revise puts another plan in the place of the one that was shown: after an
// edit, an answer, or because the world, a tool or the policy is another now.
// The Draft keeps its id, its answers, and what was rejected or done; an
// approval is lost, and it waits anew from now on. A plan in which something
// that was carried out is missing or another thing is refused.
//
// Questions that the new terms ask are open, but for those that were answered
// in the way they now ask. Where there is still no plan all of them are open:
// an answer that led back to its question was none.
func (d Draft) Revise(t Terms, now time.Time) (Draft, error) {
	if late, err := d.late("revise", now); err != nil {
		return late, err
	}
	if d.State != StateDraft && d.State != StateReady && d.State != StateBlocked {
		return d, &StepError{d.ID, d.State, StateDraft}
	}
	if err := t.check(); err != nil {
		return d, fmt.Errorf("revise draft %q: %w", d.ID, err)
	}
	for _, id := range d.Done {
		was, _ := d.action(id)
		now, there := find(t.Actions, id)
		if !there || was.Tool != now.Tool || was.ArgsHash != now.ArgsHash {
			return d, fmt.Errorf("revise draft %q: %s was carried out already and would be another action", d.ID, id)
		}
	}
	after := d.with(t)
	after.Approval, after.Stale = nil, false
	after.State, after.Reason, after.ExpiresAt = StateDraft, "", now.Add(TTL)
	after.Answers = maps.Clone(d.Answers)
	for _, q := range after.Questions {
		if value, answered := after.Answers[q.ID]; answered && (len(t.Actions) == 0 || !takes(q, value)) {
			delete(after.Answers, q.ID)
		}
	}
	if len(after.Open()) > 0 {
		after.State, after.Reason = StateBlocked, reasonOpen
	}
	return after.settled(), nil
}
