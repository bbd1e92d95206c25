package drafts

import (
	"errand/app/setting"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// EndedError says why a draft that has ended can't be applied; nil where it has not ended.
func (h Draft) EndedError() *tool.Error {
	hint := message.New("drafts.run_goal_again", "command", setting.RunCommand(h.Proposal.Words, setting.RunSetting{Origin: h.Plan.Origin(), Demo: h.Proposal.Demo, Recipe: h.Proposal.Recipe, Params: h.Proposal.Params}))
	if h.Proposal.Undoes != "" {
		hint = message.New("drafts.undo_again", "run", h.Proposal.Undoes)
	}
	switch h.State {
	case approval.StateExpired:
		return tool.NewError(tool.PolicyDenied, CodeDraftExpired, message.New("drafts.draft_expired", "draft", h.ID, "time", h.ExpiresAt.Local())).
			WithHint(hint)
	case approval.StateCancelled:
		return tool.NewError(tool.PolicyDenied, CodeDraftCancelled, message.New("drafts.draft_cancelled", "draft", h.ID)).WithHint(hint)
	case approval.StateFailed:
		outlook := h.View().Outlook(nil)
		switch {
		case outlook == tool.NeverSucceeds:
			hint = message.New("drafts.plan_fails_again", "run", h.RunID)
		case h.Proposal.Undoes != "":
		case outlook == tool.SucceedsAfterFix: // the run goes on without it
			hint = message.New("drafts.resume_after_fix", "run", h.RunID)
		default:
			hint = message.New("drafts.resume_run", "run", h.RunID)
		}
		return tool.NewError(tool.ExecutionError, CodeDraftFailed, message.New("drafts.draft_failed", "draft", h.ID, "cause", h.Reason)).
			WithHint(hint)
	case approval.StateApplied:
		return tool.NewError(tool.ValidationError, CodeDraftApplied, message.New("drafts.draft_applied", "draft", h.ID)).
			WithHint(message.New("drafts.draft_applied_hint", "run", h.RunID))
	}
	return nil
}

// RejectedError is the result of a call that the user rejected or left out of its draft.
func RejectedError(h Draft) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "rejected", message.New("drafts.call_rejected", "draft", h.ID))
}

// CheckWithheld says that a draft's plan was not kept as it was.
func (h Draft) CheckWithheld() *tool.Error {
	if !h.Proposal.Withheld {
		return nil
	}
	return tool.NewError(tool.ValidationError, CodeDraftWithheld, message.New("drafts.draft_withheld", "draft", h.ID)).
		WithHint(message.New("drafts.draft_withheld_hint"))
}

// CheckChangeable says why a draft can't be changed now; nil where it can.
func (h Draft) CheckChangeable() *tool.Error {
	if fault := h.EndedError(); fault != nil {
		return fault
	}
	if h.State == approval.StateApplying {
		return UnderWay(h)
	}
	return h.CheckWithheld()
}

// UnderWay is the error of a draft that is being applied.
func UnderWay(h Draft) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeDraftApplying, message.New("drafts.draft_applying", "draft", h.ID)).
		WithHint(message.New("drafts.draft_applying_hint", "run", h.RunID))
}
