package drafts

import (
	"slices"

	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/approval"
)

// Drift returns an error that lists the differences between the draft and its present
// evaluation; nil if there are none. It ignores actions that are done, begun or rejected.
func (h Draft) Drift(j Evaluation) *tool.Error {
	var differs []message.Message
	differ := func(code string, pairs ...any) { differs = append(differs, message.New(code, pairs...)) }
	if h.PlanDigest != j.Terms.PlanDigest {
		differ("drafts.other_plan")
	}
	if h.PolicyDigest != j.Terms.PolicyDigest {
		differ("drafts.other_policy")
	}
	for _, now := range j.Terms.Actions {
		at := slices.IndexFunc(h.Actions, func(a approval.Action) bool { return a.ActionID == now.ActionID })
		switch {
		case slices.Contains(j.Done, now.ActionID), slices.Contains(j.BegunActions, now.ActionID), slices.Contains(h.Rejected, now.ActionID):
		case at < 0:
			differ("drafts.new_action", "action", now.ActionID)
		case h.Actions[at].ArgsHash != now.ArgsHash:
			differ("drafts.other_arguments", "action", now.ActionID)
		case h.Actions[at].Tool != now.Tool || h.Actions[at].ToolDigest != now.ToolDigest:
			differ("drafts.other_tool", "action", now.ActionID, "tool", now.Tool)
		default:
			if m := foresees(h.Actions[at], now); !m.IsZero() {
				differs = append(differs, m)
			}
		}
	}
	if len(differs) == 0 {
		return nil
	}
	return tool.NewError(tool.PolicyDenied, CodeDrift, message.New("drafts.approval_drift", "differences", differs))
}

// foresees says how what an action would do differs from what was shown. It returns the
// zero Message if nothing does.
func foresees(was, now approval.Action) message.Message {
	for _, f := range []string{policy.FlagUntrusted, policy.FlagOrder} {
		if slices.Contains(now.Flags, f) && !slices.Contains(was.Flags, f) {
			return message.New("drafts.reads_more", "action", now.ActionID)
		}
	}
	switch {
	case !slices.Equal(was.Destroys, now.Destroys) || was.Count != now.Count:
		return otherDeletions(was, now)
	case was.Site != now.Site:
		return message.New("drafts.other_site", "action", now.ActionID, "site", now.Site)
	case was.Identity != now.Identity:
		return changedTarget(was, now)
	case was.Reversible && !now.Reversible, !was.Destructive && now.Destructive:
		return message.New("drafts.not_reversible_now", "action", now.ActionID)
	}
	return message.Message{}
}

// otherDeletions says what an action would delete beside what was shown, or no longer. If
// not all paths are listed, it says only that they differ.
func otherDeletions(was, now approval.Action) message.Message {
	more := pathsBeside(now.Destroys, was.Destroys)
	fewer := pathsBeside(was.Destroys, now.Destroys)
	isListed := len(more)-len(fewer) == now.Count-was.Count
	switch {
	case isListed && len(fewer) == 0:
		return message.New("drafts.destroys_more", "action", now.ActionID, "paths", more)
	case isListed && len(more) == 0:
		return message.New("drafts.destroys_fewer", "action", now.ActionID, "paths", fewer, "count", len(fewer))
	}
	return message.New("drafts.destroys_other", "action", now.ActionID)
}

// pathsBeside returns the paths that are not among others.
func pathsBeside(paths, others []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(others, p) })
}

// changedTarget says which of the files that an action names are not as they were shown.
func changedTarget(was, now approval.Action) message.Message {
	var paths []string
	for _, f := range now.Files {
		if !slices.Contains(was.Files, f) {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) == 0 {
		return message.New("drafts.target_changed", "action", now.ActionID)
	}
	return message.New("drafts.files_changed", "action", now.ActionID, "paths", paths)
}
