package view

import "errand/planner/message"

// Draft is a plan that needs approval, or an ended draft.
type Draft struct {
	DraftID   string          `json:"draft_id"`
	RunID     string          `json:"run_id"`
	Text      string          `json:"text"` // the goal
	Language  string          `json:"language"`
	State     string          `json:"state"`  // draft, ready, applying, applied, failed, blocked, cancelled, expired
	Final     bool            `json:"final"`  // nothing can change it any more
	Reason    message.Message `json:"reason"` // for the state, such as who cancelled it
	CreatedAt int64           `json:"created_at"`
	ExpiresAt int64           `json:"expires_at"`
	// Approved are the ids of approved steps that have not run. Apply runs them until
	// ApprovedUntil. If there are none, the draft is not ready.
	Approved      []string `json:"approved"`
	ApprovedUntil int64    `json:"approved_until"` // 0: not ready

	Revision string `json:"revision"` // of the shown draft; an approval names the one that the user saw
	Digest   string `json:"digest"`   // of the plan; "" while a question is open

	Steps        []Step          `json:"steps"`
	Questions    []Question      `json:"questions"` // unanswered questions
	Answers      []Answer        `json:"answers"`
	Risks        []Risk          `json:"risks"`
	Confirm      int             `json:"confirm"` // the number that has to be confirmed; 0: none
	Scopes       []Scope         `json:"scopes"`
	Partly       message.Message `json:"partly"` // why the plan covers only a part of the goal
	Unmet        []string        `json:"unmet"`
	Undoes       string          `json:"undoes"`   // the run that it undoes
	Withheld     bool            `json:"withheld"` // it contains a secret, which is not stored: the user has to run the goal again
	Irreversible []Irreversible  `json:"irreversible"`
}

// Irreversible is a step of a run that can't be undone.
type Irreversible struct {
	StepID string          `json:"step_id"`
	Tool   string          `json:"tool"`
	Why    message.Message `json:"why"`
}

// ApproveAsk approves a draft.
type ApproveAsk struct {
	DraftID  string    `json:"draft_id"`
	Revision string    `json:"revision"` // that the user saw; if it is not the current one, nothing is approved
	Actions  []string  `json:"actions"`  // ids of the approved steps; empty: all remaining ones
	Scope    ScopeName `json:"scope"`    // "" is once
	Confirm  int       `json:"confirm"`  // the number that the user confirmed; 0: none

	Confirmed []string `json:"confirmed"` // ids of the steps with a confirmation of their own; others that need it wait
}

// EditAsk changes a draft.
type EditAsk struct {
	DraftID string   `json:"draft_id"`
	Step    string   `json:"step"` // the step whose arguments Set changes; "" for none
	Set     []SetArg `json:"set"`
	Drop    []string `json:"drop"` // ids of steps to remove
}

// SetArg sets the value of an argument.
type SetArg struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	JSON   bool   `json:"json"`   // Value is JSON, not text
	Remove bool   `json:"remove"` // remove the argument
}
