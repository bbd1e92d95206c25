package drafts

import (
	"errors"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// WaitingError is the error of a run that waits for the approval of a draft, or for an answer.
func WaitingError(h Draft) *tool.Error {
	v := h.View()
	if len(v.Questions) > 0 {
		e := tool.NewError(tool.PolicyDenied, CodeOpenQuestions, v.Questions[0].Question)
		if v.Withheld {
			return e.WithHint(message.New("drafts.draft_withheld_hint"))
		}
		return e.WithHint(message.New("drafts.open_questions_hint", "draft", h.ID))
	}
	e := tool.NewError(tool.PolicyDenied, "needs_approval", message.New("drafts.needs_approval", "draft", h.ID))
	if !h.Proposal.Part.IsZero() {
		e = tool.NewError(tool.PolicyDenied, "partial", message.New("drafts.partial", "part", h.Proposal.Part, "draft", h.ID))
	}
	if v.Withheld || v.NeedsSecrets() {
		return e.WithHint(message.New("drafts.secrets_hint"))
	}
	return e.WithHint(message.New("drafts.approve_command", "command", v.NextApproval()))
}

// Refusal is an error of package approval as a *tool.Error.
func Refusal(h Draft, err error) *tool.Error {
	var confirm *approval.ConfirmError
	var unconfirmed *approval.UnconfirmedError
	var refused *approval.RefusedError
	switch {
	case errors.Is(err, approval.ErrExpired):
		h.State = approval.StateExpired
		return h.EndedError()
	case errors.As(err, &confirm):
		return tool.NewError(tool.PolicyDenied, CodeConfirm, message.New("drafts.confirm_count", "count", confirm.Want, "without", strings.Join(confirm.Without, ", "))).
			WithHint(message.New("drafts.confirm_command", "draft", h.ID, "count", confirm.Want))
	case errors.As(err, &unconfirmed):
		return Unconfirmed(h.View(), unconfirmed.Actions)
	case errors.As(err, &refused):
		class := tool.PolicyDenied
		switch refused.Code {
		case approval.CodeNotProposed, approval.CodeNoQuestion, approval.CodeNotAChoice, approval.CodeDone:
			class = tool.ValidationError
		}
		e := tool.NewError(class, string(refused.Code), message.FromError(refused))
		if refused.Code == approval.CodeDependency {
			e = e.WithHint(message.New("drafts.approve_needed", "actions", refused.Needs))
		}
		if refused.Code == approval.CodeNotProposed {
			e = e.WithHint(message.New("drafts.no_action_hint", "actions", idsOf(h.Actions, func(a approval.Action) string { return a.ActionID })))
		}
		if refused.Code == approval.CodeDone {
			e = e.WithHint(message.New("drafts.undo_done", "run", h.RunID))
		}
		return e
	}
	return tool.AsError(err)
}

// idsOf lists the ids of actions.
func idsOf[A any](actions []A, id func(A) string) []string {
	ids := make([]string, len(actions))
	for i, a := range actions {
		ids[i] = id(a)
	}
	return ids
}

// Unconfirmed is the error of an approval that leaves out destructive actions, because they
// have no confirmation of their own. Its hint is the command that approves all that is left.
func Unconfirmed(v View, ids []string) *tool.Error {
	var previews []message.Message
	for _, a := range v.Actions {
		if slices.Contains(ids, a.ActionID) {
			previews = append(previews, message.New("drafts.unconfirmed_action", "action", a.ActionID, "preview", a.Preview))
		}
	}
	return tool.NewError(tool.PolicyDenied, CodeUnconfirmed, message.New("drafts.unconfirmed", "actions", previews, "count", len(previews))).
		WithHint(message.New("drafts.confirm_actions", "count", len(previews), "command", v.ApproveCommand(v.PendingActions()...)))
}

// QuestionsFirst is the error of an approval of a draft whose questions are open.
func QuestionsFirst(h Draft) *tool.Error {
	return tool.NewError(tool.PolicyDenied, CodeOpenQuestions, message.New("drafts.open_questions_first", "draft", h.ID, "count", len(h.View().Questions))).
		WithHint(message.New("drafts.open_questions_hint", "draft", h.ID))
}

// NotApproved is the error of a draft that can't be applied, because no approval of it is
// valid now.
func NotApproved(h Draft) *tool.Error {
	if h.State == approval.StateApplying {
		return UnderWay(h)
	}
	if len(h.View().Questions) > 0 {
		return QuestionsFirst(h)
	}
	return tool.NewError(tool.PolicyDenied, CodeRequired, message.New("drafts.not_approved", "draft", h.ID)).
		WithHint(message.New("drafts.approve_command", "command", h.View().NextApproval()))
}

// ChangedError is the error of an approval for another revision than the draft shows now. Its
// hint is the command that approves what it shows now.
func ChangedError(h Draft, changes []Change, actions []string) *tool.Error {
	m := message.New("drafts.changed", "draft", h.ID)
	if len(changes) > 0 {
		texts := make([]message.Message, len(changes))
		for i, c := range changes {
			texts[i] = c.Text
		}
		m = message.New("drafts.changed_since", "draft", h.ID, "changes", texts)
	}
	return tool.NewError(tool.PolicyDenied, CodeDrift, m).WithHint(h.View().ApproveAgain(actions...))
}

// Superseded is the error of a run whose draft another one replaces.
func Superseded(m message.Message) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "superseded", m)
}
