package drafts

import (
	"errors"
	"slices"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// Waiting is the error of a run that waits for the approval of a draft.
func Waiting(h Draft) *tool.Error {
	e := tool.NewError(tool.PolicyDenied, "needs_approval", message.New("drafts.needs_approval", "draft", h.ID))
	if !h.Proposal.Part.IsZero() {
		e = tool.NewError(tool.PolicyDenied, "partial", message.New("drafts.partial", "part", h.Proposal.Part, "draft", h.ID))
	}
	if h.View().NeedsSecrets() {
		return e.WithHint(message.New("drafts.secrets_hint"))
	}
	return e.WithHint(message.New("drafts.approve_command", "draft", h.ID))
}

// Refusal is an error of package approval as a *tool.Error.
func Refusal(h Draft, err error) *tool.Error {
	var confirm *approval.ConfirmError
	var unconfirmed *approval.UnconfirmedError
	var refused *approval.RefusedError
	switch {
	case errors.Is(err, approval.ErrExpired):
		h.State = approval.StateExpired
		return h.Ended()
	case errors.As(err, &confirm):
		return tool.NewError(tool.PolicyDenied, CodeConfirm, message.New("drafts.confirm_count", "count", confirm.Want)).
			WithHint(message.New("drafts.confirm_command", "draft", h.ID, "count", confirm.Want))
	case errors.As(err, &unconfirmed):
		return Unconfirmed(h, unconfirmed.Actions)
	case errors.As(err, &refused):
		class := tool.PolicyDenied
		switch refused.Code {
		case approval.CodeNotProposed, approval.CodeNoQuestion, approval.CodeNotAChoice, approval.CodeDone:
			class = tool.ValidationError
		}
		e := tool.NewError(class, string(refused.Code), message.Of(refused))
		if refused.Code == approval.CodeDependency {
			e = e.WithHint(message.New("drafts.approve_needed", "actions", refused.Needs))
		}
		return e
	}
	return tool.AsError(err)
}

// Unconfirmed is the error of an approval that leaves out destructive actions, because they
// have no confirmation of their own.
func Unconfirmed(h Draft, ids []string) *tool.Error {
	var previews []message.Message
	for _, a := range h.Actions {
		if slices.Contains(ids, a.ActionID) {
			previews = append(previews, message.New("drafts.unconfirmed_action", "action", a.ActionID, "preview", a.Preview))
		}
	}
	return tool.NewError(tool.PolicyDenied, CodeUnconfirmed, message.New("drafts.unconfirmed", "actions", previews)).
		WithHint(message.New("drafts.confirm_actions_command", "draft", h.ID, "actions", ids))
}

// Superseded is the error of a run whose draft another one replaces.
func Superseded(m message.Message) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "superseded", m)
}
