package approval

import (
	"errand/planner/message"
	"errand/planner/plan"
)

// ErrExpired is returned for an answer that came too late.
var ErrExpired = message.Error("approval.expired")

// StepError is returned for a step that the state of the Draft doesn't allow.
type StepError struct {
	ID       string
	From, To State
}

func (e *StepError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *StepError) AsMessage() message.Message {
	return message.New("approval.no_such_step", "id", e.ID, "from", string(e.From), "to", string(e.To))
}

// Code is the reason why a step was refused.
type Code string

// Codes of a [RefusedError].
const (
	CodeNotProposed   Code = "not_proposed"          // the draft has no such action
	CodeRejected      Code = "rejected"              // the user rejected the action
	CodeDone          Code = "already_done"          // the effect of the action is already in place
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

func (e *RefusedError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *RefusedError) AsMessage() message.Message {
	switch e.Code {
	case CodeNotProposed:
		return message.New("approval.not_proposed", "id", e.ID, "actions", e.Actions)
	case CodeRejected:
		return message.New("approval.rejected_before", "id", e.ID, "actions", e.Actions)
	case CodeDone:
		return message.New("approval.already_done", "id", e.ID, "actions", e.Actions)
	case CodeDependency:
		return message.New("approval.unapproved_dependency", "actions", e.Actions, "needs", e.Needs)
	case CodeNothingLeft:
		return message.New("approval.nothing_left", "id", e.ID)
	case CodeOpenQuestions:
		return message.New("approval.open_questions", "id", e.ID, "question", e.Question.Question)
	case CodeUnread:
		return message.New("approval.answer_unread", "id", e.ID)
	case CodeNoQuestion:
		return message.New("approval.no_question", "id", e.ID)
	case CodeNotAChoice:
		return message.New("approval.not_a_choice", "question", e.Question.Question)
	case CodeDrift:
		return message.New("approval.drift", "id", e.ID)
	}
	return message.New("approval.required", "id", e.ID)
}

// ConfirmError asks for a second confirmation. Want is the number of changes to confirm.
// Without has the actions that don't count, because they need a confirmation of their own.
type ConfirmError struct {
	Want    int
	Without []string
}

func (e *ConfirmError) Error() string { return e.AsMessage().String() }

// AsMessage implements [message.Messenger].
func (e *ConfirmError) AsMessage() message.Message {
	return message.New("approval.confirm", "count", e.Want)
}
