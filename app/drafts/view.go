package drafts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy/approval"
)

// View is a draft as a person looks at it: what would be done, why it waits
// and what has to be answered first. Its actions are what was shown, and what an
// approval is bound to.
type View struct {
	DraftID   string          `json:"draft_id"`
	RunID     string          `json:"run_id"`
	PlanID    string          `json:"plan_id"` // the same before and after an answer
	Goal      string          `json:"goal"`
	Language  string          `json:"language"`
	State     approval.State  `json:"state"`
	Reason    message.Message `json:"reason,omitzero"` // of the state: blocked by what, cancelled by whom
	CreatedAt time.Time       `json:"created_at"`
	ExpiresAt time.Time       `json:"expires_at"`

	PlanDigest string `json:"plan_digest"` // empty while there is no plan yet
	OwnDigest  string `json:"-"`           // [plan.Plan.Digest] of the plan; empty if it is withheld
	// Revision names what is shown here. An edit, an answer or anything else that
	// changes what would be done gives another one.
	Revision string `json:"revision"`
	// EarlierRevisions were shown before, oldest first. The first one stays, of the others
	// the newest. A draft that has some was edited, or evaluated again with another result.
	EarlierRevisions []string           `json:"earlier_revisions,omitempty"`
	Actions          []Action           `json:"actions"`
	Questions        []plan.Question    `json:"questions"` // those that are still open
	Answers          map[string]string  `json:"answers,omitempty"`
	Risks            []plan.Risk        `json:"risks"`
	Modules          []plan.Module      `json:"modules"`
	Confirm          int                `json:"confirm,omitempty"`     // the count that has to be confirmed; 0: none
	Destructive      []string           `json:"destructive,omitempty"` // ids of the actions that still need a confirmation of their own
	Approval         *approval.Approval `json:"approval,omitempty"`
	Part             message.Message    `json:"part,omitzero"`      // why only a part of the goal is in the plan
	Unmet            []string           `json:"unmet,omitempty"`    // what is left of the goal then
	Undoes           string             `json:"undoes,omitempty"`   // the run that it undoes
	Withheld         bool               `json:"withheld,omitempty"` // it holds a secret, which is not kept: it can be neither answered nor approved later
	Demo             bool               `json:"demo,omitempty"`     // it was made in the demo and runs there
	Irreversible     []IrreversibleStep `json:"irreversible,omitempty"`
}

// ApproveCommand is the command that approves what the draft shows, or some of its
// actions, from any terminal or script.
func (v View) ApproveCommand(actions ...string) string {
	confirm := v.Only(actions).Confirm
	command := strings.Join(append([]string{"errand approve", v.DraftID}, actions...), " ")
	if confirm > 0 {
		command += fmt.Sprintf(" --confirm %d", confirm)
	}
	if len(v.EarlierRevisions) > 0 {
		command += " --seen " + v.Revision
	}
	return command
}

// NextApproval is the command that approves what is left: all that needs no confirmation of
// its own, or if nothing else is left, the actions that do.
func (v View) NextApproval() string {
	if v.OnlyDestructive() {
		return v.ApproveCommand(v.PendingActions()...)
	}
	return v.ApproveCommand()
}

// Only returns the view as it is to be approved in part: with the count and the
// destructive actions of those that are named; none: of all.
func (v View) Only(actions []string) View {
	if len(actions) == 0 {
		return v
	}
	bound := make([]approval.Action, len(v.Actions))
	for i, a := range v.Actions {
		bound[i] = a.Action
	}
	v.Confirm = CountToConfirm(bound, actions)
	v.Destructive = slices.DeleteFunc(slices.Clone(v.Destructive), func(id string) bool { return !slices.Contains(actions, id) })
	return v
}

// ProposedRevision is the revision that the draft had when it was proposed.
func (v View) ProposedRevision() string {
	if len(v.EarlierRevisions) > 0 {
		return v.EarlierRevisions[0]
	}
	return v.Revision
}

// ApproveAgain is the hint for a draft that shows something else than before: the command
// that approves what it shows now.
func (v View) ApproveAgain(actions ...string) message.Message {
	return message.New("drafts.approve_revision", "command", v.ApproveCommand(actions...))
}

// NeedsSecrets reports whether its actions refer to secrets, which only the program
// knows that was given them.
func (v View) NeedsSecrets() bool {
	return slices.ContainsFunc(v.Actions, func(a Action) bool { return len(tool.SecretRefs(a.Args)) > 0 })
}

// Outlook returns whether the actions that are left can succeed in another attempt: the best of
// those that wait for no other. why is the error that blocks a draft before its first call.
func (v View) Outlook(why *tool.Error) tool.Outlook {
	pending, best := map[string]bool{}, tool.NeverSucceeds
	for _, a := range v.Actions {
		if a.Status == ActionDone || a.Status == ActionRejected {
			continue
		}
		first := !slices.ContainsFunc(a.DependsOn, func(id string) bool { return pending[id] })
		pending[a.ActionID] = true
		e := a.Error
		if e == nil && v.State == approval.StateBlocked {
			e = why
		}
		if first {
			best = max(best, e.Outlook())
		}
	}
	if len(pending) == 0 {
		return tool.MaySucceed
	}
	return best
}

// IsReady reports whether the draft was approved and waits to be applied.
func (v View) IsReady() bool { return v.State == approval.StateReady }

// OnlyDestructive reports whether every action that is left needs a confirmation of its own.
func (v View) OnlyDestructive() bool {
	return len(v.Destructive) > 0 && len(v.Destructive) == len(v.PendingActions())
}

// PendingActions returns the ids of the actions that can still be approved.
func (v View) PendingActions() []string {
	var d approval.Draft
	for _, a := range v.Actions {
		d.Actions = append(d.Actions, a.Action)
		switch a.Status {
		case ActionDone:
			d.Done = append(d.Done, a.ActionID)
		case ActionRejected:
			d.Rejected = append(d.Rejected, a.ActionID)
		}
	}
	return d.Remaining()
}

// Action is one action of a draft, with its outcome. No view has its identity.
type Action struct {
	approval.Action
	Outcome
}

// Outcome is the outcome of an action of a draft.
type Outcome struct {
	Status ActionStatus `json:"status"`
	Error  *tool.Error  `json:"error,omitempty"`
}

// ActionStatus is how an action of a draft stands.
type ActionStatus string

// Statuses of actions.
const (
	ActionProposed ActionStatus = "proposed"
	ActionRejected ActionStatus = "rejected"
	ActionDone     ActionStatus = "done"
	ActionFailed   ActionStatus = "failed"
	ActionUnknown  ActionStatus = "unknown" // it started, and its outcome is unknown
)

// IrreversibleStep is a step of a run that can't be undone.
type IrreversibleStep struct {
	StepID string          `json:"step_id"`
	Tool   string          `json:"tool"`
	Reason message.Message `json:"reason"`
}
