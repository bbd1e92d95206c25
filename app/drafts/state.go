package drafts

import (
	"errand/app/setting"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy/approval"
)

// Ended says why a draft that has ended can't be applied; nil where it has not ended.
func (h Draft) Ended() *tool.Error {
	again := "run the goal again: " + setting.RunCommand(h.Proposal.Words, setting.Own{Demo: h.Proposal.Demo, Recipe: h.Proposal.Recipe, Params: h.Proposal.Params})
	if h.Proposal.Undoes != "" {
		again = "propose it again: errand undo " + h.Proposal.Undoes
	}
	switch h.State {
	case approval.StateExpired:
		return tool.NewError(tool.PolicyDenied, CodeDraftExpired, message.New("drafts.draft_expired", "id", h.ID, "value", h.ExpiresAt.Local().Format("15:04:05"))).
			WithHint(message.Verbatim(again))
	case approval.StateCancelled:
		return tool.NewError(tool.PolicyDenied, CodeDraftCancelled, message.New("drafts.draft_cancelled", "id", h.ID)).WithHint(message.Verbatim(again))
	case approval.StateApplied:
		return tool.NewError(tool.ValidationError, CodeDraftApplied, message.New("drafts.draft_applied", "id", h.ID)).
			WithHint(message.New("drafts.errand_show_tells_what", "run_id", h.RunID))
	}
	return nil
}

// CheckWithheld says that a draft's plan was not kept as it was.
func (h Draft) CheckWithheld() *tool.Error {
	if !h.Proposal.Withheld {
		return nil
	}
	return tool.NewError(tool.ValidationError, CodeDraftWithheld, message.New("drafts.draft_withheld", "id", h.ID)).
		WithHint(message.New("drafts.run_it_again_with"))
}

// CheckChangeable says why a draft can't be changed now; nil where it can.
func (h Draft) CheckChangeable() *tool.Error {
	if fault := h.Ended(); fault != nil {
		return fault
	}
	if h.State == approval.StateApplying {
		return UnderWay(h)
	}
	return h.CheckWithheld()
}

// UnderWay is the error of a draft that is being applied.
func UnderWay(h Draft) *tool.Error {
	return tool.NewError(tool.ExecutionError, CodeDraftApplying, message.New("drafts.draft_applying", "id", h.ID)).
		WithHint(message.New("drafts.wait_until_that_has", "run_id", h.RunID))
}
