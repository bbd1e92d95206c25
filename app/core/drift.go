package core

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"errand/host/run"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/approval"
)

// drift says what differs between what a draft showed and what would be done
// now; nil where nothing does. What is done
// already or was rejected does not count.
func (h held) drift(j judged) *tool.Error {
	var differs []string
	if h.PlanDigest != j.terms.PlanDigest {
		differs = append(differs, "the plan is another one")
	}
	if h.PolicyDigest != j.terms.PolicyDigest {
		differs = append(differs, "the rules have changed")
	}
	for i, now := range j.terms.Actions {
		at := slices.IndexFunc(h.Actions, func(a approval.Action) bool { return a.ID == now.ID })
		switch {
		case slices.Contains(j.done, now.ID), slices.Contains(h.Rejected, now.ID):
		case at < 0:
			differs = append(differs, now.ID+" is new")
		case h.Actions[at].ArgsHash != now.ArgsHash:
			differs = append(differs, now.ID+" has other arguments")
		case h.Actions[at].Tool != now.Tool || h.Actions[at].ToolDigest != now.ToolDigest:
			differs = append(differs, fmt.Sprintf("the tool of %s (%s) is not the one that was shown", now.ID, now.Tool))
		default:
			differs = append(differs, h.foresees(j.actions[i])...)
		}
	}
	if len(differs) == 0 {
		return nil
	}
	return tool.Errorf(tool.PolicyDenied, CodeDrift, "it is no longer what was shown: %s", strings.Join(differs, "; "))
}

// foresees says how what an action would do differs from what was shown.
func (h held) foresees(now DraftAction) []string {
	at := slices.IndexFunc(h.proposal.Actions, func(a DraftAction) bool { return a.ActionID == now.ActionID })
	if at < 0 {
		return nil
	}
	was := h.proposal.Actions[at]
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

// stillShown judges a draft anew after a person said yes to it: a question may
// stand for long, and what it showed may be another thing by then. Where it is,
// what holds now takes its place and the draft waits; the fault says so. What
// can't run at all is left to the gate, which says why.
func (x *execution) stillShown(ctx context.Context, h held, approved, done []string) (held, *tool.Error) {
	j, err := x.judge(ctx, h.plan, done)
	if err != nil {
		return h, tool.AsError(err)
	}
	if j.only(approved).invalid() != nil {
		return h, nil
	}
	drift := h.drift(j)
	if drift == nil {
		return h, nil
	}
	s, err := x.app.storage()
	if err != nil {
		return h, tool.AsError(err)
	}
	next, err := x.revise(h, j)
	if err == nil {
		h, err = x.app.swap(ctx, s, h, next)
	}
	if err != nil {
		h, _, fault := x.lookAgain(ctx, h, err)
		return h, fault
	}
	return h, drift.WithHint("look at it again: errand approve %s", h.ID)
}

// only is the judgment on some of the actions, or on all where none is named.
func (j judged) only(ids []string) judged {
	if len(ids) == 0 {
		return j
	}
	var some []run.Verdict
	for _, v := range j.verdicts {
		if slices.Contains(ids, v.ActionID) {
			some = append(some, v)
		}
	}
	j.verdicts = some
	return j
}
