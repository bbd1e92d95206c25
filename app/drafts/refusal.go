package drafts

import (
	"errors"
	"strings"

	"errand/host/tool"
	"errand/policy/approval"
)

// Waiting is the error of a run that waits for the approval of a draft.
func Waiting(h Draft) *tool.Error {
	e := tool.Errorf(tool.PolicyDenied, "needs_approval", "draft %s waits for your approval", h.ID)
	if h.Proposal.Part != "" {
		e = tool.Errorf(tool.PolicyDenied, "partial", "%s Draft %s waits for your approval of the part that can be done.", h.Proposal.Part, h.ID)
	}
	if h.View().NeedsSecrets() {
		return e.WithHint("its secrets are not kept: approve it before this program ends, or run it again with --yes or where you can be asked")
	}
	return e.WithHint("errand approve %s", h.ID)
}

// Refusal is an error of package approval as a *tool.Error.
func Refusal(h Draft, err error) *tool.Error {
	var confirm *approval.ConfirmError
	var refused *approval.RefusedError
	switch {
	case errors.Is(err, approval.ErrExpired):
		h.State = approval.StateExpired
		return h.Ended()
	case errors.As(err, &confirm):
		return tool.Errorf(tool.PolicyDenied, CodeConfirm, "it changes %d things at once, which needs a second confirmation", confirm.Want).
			WithHint("errand approve %s --confirm %d", h.ID, confirm.Want)
	case errors.As(err, &refused):
		class := tool.PolicyDenied
		switch refused.Code {
		case approval.CodeNotProposed, approval.CodeNoQuestion, approval.CodeNotAChoice, approval.CodeDone:
			class = tool.ValidationError
		}
		e := tool.Errorf(class, string(refused.Code), "%v", refused)
		if refused.Code == approval.CodeDependency {
			e = e.WithHint("approve %s with it", strings.Join(refused.Needs, ", "))
		}
		return e
	}
	return tool.AsError(err)
}

// Superseded is the error of a run whose draft another one replaces.
func Superseded(format string, args ...any) *tool.Error {
	return tool.Errorf(tool.PolicyDenied, "superseded", format, args...)
}
