package approval

import (
	"errors"
	"fmt"
	"strings"

	"errand/planner/plan"
)

// ErrExpired is an answer that came too late.
var ErrExpired = errors.New("nobody answered in time")

// StepError is a step that a Draft's state doesn't allow.
type StepError struct {
	ID       string
	From, To State
}

func (e *StepError) Error() string {
	return fmt.Sprintf("move draft %q from %s to %s: that step does not exist", e.ID, e.From, e.To)
}

// Code names why a step was refused.
type Code string

// Codes of a [RefusedError].
const (
	CodeNotProposed   Code = "not_proposed"          // an action that the draft doesn't have
	CodeRejected      Code = "rejected"              // an action that a person said no to
	CodeDone          Code = "already_done"          // an action that was carried out
	CodeDependency    Code = "unapproved_dependency" // an action whose parent is neither approved nor done
	CodeNothingLeft   Code = "nothing_left"          // every action is done, rejected or depends on a rejected one
	CodeOpenQuestions Code = "open_questions"        // it has to be answered first
	CodeUnread        Code = "answer_unread"         // the plan was not made anew since it was answered
	CodeNoQuestion    Code = "no_question"           // an answer to what was not asked
	CodeNotAChoice    Code = "not_a_choice"          // an answer that was not offered
	CodeDrift         Code = "approval_drift"        // it is not what was shown
	CodeRequired      Code = "approval_required"     // nobody has approved it
)

// RefusedError is a step that a Draft refuses for what is in it. Nothing of the
// step was taken.
type RefusedError struct {
	ID       string // of the Draft
	Code     Code
	Actions  []string       // those that are refused, in the order of the answer
	Needs    []string       // of CodeDependency: the parents that are missing
	Question *plan.Question // of CodeOpenQuestions and CodeNotAChoice: to be shown (again)
}

func (e *RefusedError) Error() string {
	ids := strings.Join(e.Actions, ", ")
	switch e.Code {
	case CodeNotProposed:
		return fmt.Sprintf("draft %s has no action %s", e.ID, ids)
	case CodeRejected:
		return fmt.Sprintf("%s of draft %s was rejected", ids, e.ID)
	case CodeDone:
		return fmt.Sprintf("%s of draft %s was carried out already", ids, e.ID)
	case CodeDependency:
		return fmt.Sprintf("%s needs %s, which is neither approved nor done", ids, strings.Join(e.Needs, ", "))
	case CodeNothingLeft:
		return fmt.Sprintf("nothing of draft %s is left to approve", e.ID)
	case CodeOpenQuestions:
		return fmt.Sprintf("draft %s has to be answered first: %s", e.ID, e.Question.Question)
	case CodeUnread:
		return fmt.Sprintf("draft %s was answered, and its plan not made anew yet", e.ID)
	case CodeNoQuestion:
		return fmt.Sprintf("draft %s does not ask that", e.ID)
	case CodeNotAChoice:
		return fmt.Sprintf("that is none of the choices of “%s”", e.Question.Question)
	case CodeDrift:
		return fmt.Sprintf("draft %s is not what was shown", e.ID)
	}
	return fmt.Sprintf("draft %s: explicit approval required", e.ID)
}

// ConfirmError asks for a second confirmation, with the count of what changes.
type ConfirmError struct{ Want int }

func (e *ConfirmError) Error() string {
	return fmt.Sprintf("%d things would change at once: confirm the number", e.Want)
}
