package drafts

import (
	"fmt"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/approval"
)

// drift says what differs between what a draft showed and what would be done
// now; nil where nothing does. What is done
// already or was rejected does not count.
func (h Draft) Drift(j Evaluation) *tool.Error {
	var differs []string
	if h.PlanDigest != j.Terms.PlanDigest {
		differs = append(differs, "the plan is another one")
	}
	if h.PolicyDigest != j.Terms.PolicyDigest {
		differs = append(differs, "the rules have changed")
	}
	for i, now := range j.Terms.Actions {
		at := slices.IndexFunc(h.Actions, func(a approval.Action) bool { return a.ID == now.ID })
		switch {
		case slices.Contains(j.Done, now.ID), slices.Contains(h.Rejected, now.ID):
		case at < 0:
			differs = append(differs, now.ID+" is new")
		case h.Actions[at].ArgsHash != now.ArgsHash:
			differs = append(differs, now.ID+" has other arguments")
		case h.Actions[at].Tool != now.Tool || h.Actions[at].ToolDigest != now.ToolDigest:
			differs = append(differs, fmt.Sprintf("the tool of %s (%s) is not the one that was shown", now.ID, now.Tool))
		default:
			differs = append(differs, h.foresees(j.Actions[i])...)
		}
	}
	if len(differs) == 0 {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, CodeDrift, message.New("drafts.approval_drift", "value", strings.Join(differs, "; ")))
}

// foresees says how what an action would do differs from what was shown.
func (h Draft) foresees(now Action) []string {
	at := slices.IndexFunc(h.Proposal.Actions, func(a Action) bool { return a.ActionID == now.ActionID })
	if at < 0 {
		return nil
	}
	was := h.Proposal.Actions[at]
	for _, f := range []string{policy.FlagUntrusted, policy.FlagOrder} {
		if slices.Contains(now.Flags, f) && !slices.Contains(was.Flags, f) {
			return []string{fmt.Sprintf("before %s the run has read something that was not known then", now.ActionID)}
		}
	}
	switch {
	case !slices.Equal(was.Destroys, now.Destroys) || was.Count != now.Count:
		return []string{fmt.Sprintf("%s would destroy something else than was shown", now.ActionID)}
	case was.Identity != now.Identity:
		return []string{now.ActionID + ": what would be deleted has changed since it was shown"}
	case was.Reversible && !now.Reversible:
		return []string{now.ActionID + " can no longer be taken back as was shown"}
	}
	return nil
}
