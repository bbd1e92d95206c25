package drafts

import (
	"errand/app/setting"
	"errand/host/tool"
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
		return tool.Errorf(tool.PolicyDenied, CodeDraftExpired, "Draft expired: %s was to be answered by %s", h.ID, h.ExpiresAt.Local().Format("15:04:05")).
			WithHint("%s", again)
	case approval.StateCancelled:
		return tool.Errorf(tool.PolicyDenied, CodeDraftCancelled, "draft %s was cancelled", h.ID).WithHint("%s", again)
	case approval.StateApplied:
		return tool.Errorf(tool.ValidationError, CodeDraftApplied, "draft %s was carried out", h.ID).
			WithHint("errand show %s tells what came of it", h.RunID)
	}
	return nil
}

// CheckWithheld says that a draft's plan was not kept as it was.
func (h Draft) CheckWithheld() *tool.Error {
	if !h.Proposal.Withheld {
		return nil
	}
	return tool.Errorf(tool.ValidationError, CodeDraftWithheld, "draft %s can't be taken up later: it holds a secret, which is not kept", h.ID).
		WithHint("run it again, with its secrets, and answer there")
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
	return tool.Errorf(tool.ExecutionError, CodeDraftApplying, "draft %s is being carried out, or is before a person elsewhere", h.ID).
		WithHint("wait until that has ended: errand show %s", h.RunID)
}
