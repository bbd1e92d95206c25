package replay

import (
	"slices"

	"errand/app/secrets"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// steps holds each step against the last recorded one of its action, and the
// order of the recorded ones against the plan.
func (r *replayRun) steps(t *tape, now []trace.Step) bool {
	if !r.order(t.plan.Actions()) {
		return false
	}
	for _, step := range now {
		recorded, ok := t.steps[step.StepID]
		switch {
		case !ok && t.cut:
			r.leave(WhereStep, step.StepID, "", WhyNotRecorded)
			continue
		case !ok:
			return r.addDifference(Difference{WhereStep, step.StepID, "", nil, step.ToolName})
		}
		if !r.step(t, recorded, step) {
			return false
		}
		r.out.Compared.Steps++
	}
	return true
}

func (r *replayRun) step(t *tape, recorded, now trace.Step) bool {
	id := now.StepID
	if !r.compareField(WhereStep, id, "tool_name", recorded.ToolName, now.ToolName) {
		return false
	}
	if t.redacted[id] {
		for _, field := range []string{"args_hash", "verdict", "rule"} {
			r.leave(WhereStep, id, field, WhyRedacted)
		}
	} else if !r.hashesArgs(recorded, now) && !r.compareField(WhereStep, id, "args_hash", recorded.ArgsHash, now.ArgsHash) || !r.arguments(id, recorded, now) {
		return false
	}
	switch {
	case t.redacted[id]:
	case recorded.StartedAt.Before(r.setting.Run.StartedAt):
		r.leave(WhereStep, id, "verdict", WhyEarlier)
		r.leave(WhereStep, id, "rule", WhyEarlier)
	default:
		if !r.compareField(WhereStep, id, "verdict", recorded.Verdict, now.Verdict) || !r.compareField(WhereStep, id, "rule", recorded.Rule, now.Rule) {
			return false
		}
	}
	if recorded.Status == trace.Running {
		r.leave(WhereStep, id, "status", WhyNotRecorded)
		return true
	}
	if notCalledInTime(recorded) && notCalledInTime(now) { // when the interruption came is a question of time
		return true
	}
	if !r.compareField(WhereStep, id, "status", recorded.Status, now.Status) ||
		!r.compareField(WhereStep, id, "error_code", recorded.ErrorCode, now.ErrorCode) ||
		!r.compareField(WhereStep, id, "/error/code", code(recorded.Error), code(now.Error)) ||
		!r.compareField(WhereStep, id, "/error/class", class(recorded.Error), class(now.Error)) {
		return false
	}
	was, is := facts(recorded), facts(now)
	return slices.Equal(was, is) || r.addDifference(Difference{WhereStep, id, "facts", was, is})
}

// hashesArgs reports whether the recorded hash is that of the arguments now, sealed as in a
// record of this installation, or that of the recorded arguments, as in an export.
func (r *replayRun) hashesArgs(recorded, now trace.Step) bool {
	switch recorded.ArgsHash {
	case now.ArgsHash, tool.HashArgs(recorded.Args):
		return true
	}
	return r.seal != nil && recorded.ArgsHash == r.seal(now.ArgsHash)
}

func code(e *tool.Error) string {
	if e == nil {
		return ""
	}
	return e.Code
}

func class(e *tool.Error) tool.Class {
	if e == nil {
		return ""
	}
	return e.Class
}

func facts(s trace.Step) []string {
	if s.Facts == nil {
		return []string{}
	}
	return s.Facts
}

// arguments compares the recorded arguments with those of the plan. If the recorded hash
// belongs to other arguments, the step is not the record of this call.
func (r *replayRun) arguments(id string, recorded, now trace.Step) bool {
	was, err1 := secrets.TreeOf(recorded.Args)
	is, err2 := secrets.TreeOf(now.Args)
	if err1 != nil || err2 != nil {
		return r.addDifference(Difference{WhereStep, id, "args", recorded.Args, now.Args})
	}
	c := comparison{leave: func(pointer string) { r.leave(WhereStep, id, "/args"+pointer, WhyRedacted) }}
	at, before, after, differ := c.first("", was, is)
	return !differ || r.addDifference(Difference{WhereStep, id, "/args" + at, before, after})
}

// inTime reports whether the record of a step tells of the interruption.
func inTime(s trace.Step) bool { return s.Status == trace.Interrupted || notCalledInTime(s) }

// notCalledInTime reports whether a step was not called because the run was
// interrupted first.
func notCalledInTime(s trace.Step) bool {
	return s.Attempts == 0 && s.ErrorCode == "interrupted" && (s.Status == trace.Skipped || s.Status == trace.Interrupted)
}

// order: every recorded step is an action of the plan, and came after those that
// it depends on. Actions that don't depend on one another may end in any order,
// but for one at a time, where nothing was tried again.
func (r *replayRun) order(actions []plan.Action) bool {
	place, ended := map[string]int{}, map[string]bool{}
	for i, a := range actions {
		place[a.ActionID] = i
	}
	latest, repeated := -1, false
	for _, s := range r.rec.Steps {
		i, ok := place[s.StepID]
		if !ok {
			return r.addDifference(Difference{WhereStep, s.StepID, "", s.ToolName, nil})
		}
		repeated = repeated || ended[s.StepID]
		ended[s.StepID] = true
		for _, id := range actions[i].DependsOn {
			if !ended[id] && slices.ContainsFunc(r.rec.Steps, func(s trace.Step) bool { return s.StepID == id }) {
				return r.addDifference(Difference{WhereStep, s.StepID, "order", message.New("replay.before", "step", id), message.New("replay.after", "step", id)})
			}
		}
		if i < latest && !repeated && r.app.conf.Run.Parallel == 1 {
			before := actions[latest].ActionID
			return r.addDifference(Difference{WhereStep, s.StepID, "order", message.New("replay.after", "step", before), message.New("replay.before", "step", before)})
		}
		latest = max(latest, i)
	}
	return true
}
