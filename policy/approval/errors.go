package approval

import (
	"fmt"
	"strings"

	"errand/planner/message"
	"errand/planner/plan"
)

// ErrExpired is returned for an answer that came too late.
var ErrExpired = message.Error("approval.nobody_answered_in_time")

// StepError is returned for a step that the state of the Draft doesn't allow.
type StepError struct {
	ID       string
	From, To State
}

func (e *StepError) Error() string {
	return fmt.Sprintf("move draft %q from %s to %s: that step does not exist", e.ID, e.From, e.To)
}

// Code is the reason why a step was refused.
type Code string

// Codes of a [RefusedError].
const (
	CodeNotProposed   Code = "not_proposed"          // the draft has no such action
	CodeRejected      Code = "rejected"              // a person rejected the action
	CodeDone          Code = "already_done"          // the action has its effect already
	CodeDependency    Code = "unapproved_dependency" // a parent of the action is neither approved nor done
	CodeNothingLeft   Code = "nothing_left"          // every action is done, rejected or depends on a rejected one
	CodeOpenQuestions Code = "open_questions"        // the draft has questions to answer first
	CodeUnread        Code = "answer_unread"         // the plan does not reflect the latest answer yet
	CodeNoQuestion    Code = "no_question"           // the answer belongs to no open question
	CodeNotAChoice    Code = "not_a_choice"          // the answer is not one of the choices
	CodeDrift         Code = "approval_drift"        // the call differs from what was shown
	CodeRequired      Code = "approval_required"     // the call has no approval
)

// RefusedError is returned for a step that the content of the Draft doesn't allow. A
// refused step changes nothing.
type RefusedError struct {
	ID       string // the id of the Draft
	Code     Code
	Actions  []string       // the refused actions, in the order of the answer
	Needs    []string       // for CodeDependency: the missing parents
	Question *plan.Question // for CodeOpenQuestions and CodeNotAChoice: the question to show
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

// ConfirmError asks for a second confirmation. Want is the number of changes to confirm.
type ConfirmError struct{ Want int }

func (e *ConfirmError) Error() string {
	return fmt.Sprintf("%d things would change at once: confirm the number", e.Want)
}
