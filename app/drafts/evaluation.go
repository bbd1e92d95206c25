package drafts

import (
	"cmp"
	"slices"

	"errand/host/run"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/approval"
)

// Evaluation is a plan with the current policy decision for each of its actions.
// Actions that are done are allowed without another look: a folder that was deleted
// is not there.
type Evaluation struct {
	run.Prepared
	Done         []string
	BegunActions []string // actions that an earlier attempt may have done; what they would do now does not count
	Grants       []string // ids of the grants that the decisions use, sorted
	Terms        approval.Terms
}

// AllowProblems removes the errors of actions whose only error is that they would fail or change
// nothing now, and returns the first. They count while a plan is offered. Of a plan that was
// offered before, such an action fails by itself, and the others go on.
func (j Evaluation) AllowProblems() (first *tool.Error) {
	for i, v := range j.Verdicts {
		if v.Forecast != nil && v.Forecast.Problem != nil && v.Error == v.Forecast.Problem {
			first, j.Verdicts[i].Error = cmp.Or(first, v.Error), nil
		}
	}
	return first
}

// FirstError is the first error or denial of an action. A plan with one can't run, and
// needs no approval.
func (j Evaluation) FirstError() *tool.Error {
	for _, v := range j.Verdicts {
		if v.Error != nil {
			return v.Error
		}
		if v.Decision.Verdict == policy.Deny {
			return run.DenialError(v.Decision)
		}
	}
	return nil
}

// WaitsForHost reports whether an action needs a host on the allowlist.
func (j Evaluation) WaitsForHost() bool {
	return slices.ContainsFunc(j.Verdicts, WaitsForHost)
}

// WaitsForHost reports whether an approval is not enough for an action, because its
// host is not on the allowlist.
func WaitsForHost(v run.Verdict) bool {
	return v.Decision.Verdict == policy.Ask && !Approvable(v.Decision)
}

// Asks reports whether an action needs approval.
func (j Evaluation) Asks() bool {
	return slices.ContainsFunc(j.Verdicts, func(v run.Verdict) bool { return v.Decision.Verdict == policy.Ask })
}

// OnlyReads reports whether no action changes anything.
func (j Evaluation) OnlyReads() bool {
	return !slices.ContainsFunc(j.Verdicts, func(v run.Verdict) bool { return v.Class() != tool.Read })
}

// Unconfirmed returns the ids of the actions that need a confirmation of their own.
func (j Evaluation) Unconfirmed() []string {
	d := approval.Draft{Actions: j.Terms.Actions, Done: j.Terms.Done}
	return d.Unconfirmed(d.Remaining(), nil)
}

// Select is the evaluation of some of the actions, or of all where ids is empty.
func (j Evaluation) Select(ids []string) Evaluation {
	if len(ids) == 0 {
		return j
	}
	var some []run.Verdict
	for _, v := range j.Verdicts {
		if slices.Contains(ids, v.ActionID) {
			some = append(some, v)
		}
	}
	j.Verdicts = some
	return j
}

// Approvable reports whether an approval permits an action that policy asks about. A
// host that is not on the allowlist needs a grant or an entry in the list.
func Approvable(d policy.Decision) bool { return d.Rule != policy.RuleUnlisted }
