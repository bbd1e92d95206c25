package undo

import (
	"fmt"
	"maps"
	"slices"

	"errand/app/answers"
	"errand/app/drafts"
	"errand/app/planning"
	"errand/app/secrets"
	"errand/host/realpath"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// inverses is what an undo does: the inverses, each of a step of the run.
type inverses struct {
	actions      []plan.Action
	steps        map[string]string // action id → id of the step that it undoes
	irreversible []drafts.IrreversibleStep
	lost         []message.Message // why steps that had an inverse can't be undone any more
}

// invert makes the inverses of a record's steps, but for those that were undone and those that
// can't be undone any more. lost has the reasons of the latter by the id of the step.
func invert(rec trace.Record, past attempts, specs []tool.Spec, lost map[string]message.Message) inverses {
	out := inverses{steps: map[string]string{}}
	needs := readNeeds(rec.Result)
	var undone []trace.Step // of out.actions
	var touched realpath.Index
	for _, step := range slices.Backward(trace.LastDone(rec.Steps)) {
		if past.undoneBy[step.StepID] != "" || step.EffectKey == "" { // a step without an effect only read
			continue
		}
		if code := irreversibleReason(step, specs); code != "" {
			out.irreversible = append(out.irreversible, drafts.IrreversibleStep{StepID: step.StepID, Tool: step.ToolName, Reason: message.New(code)})
			continue
		}
		if why, is := lost[step.StepID]; is {
			out.irreversible = append(out.irreversible, drafts.IrreversibleStep{StepID: step.StepID, Tool: step.ToolName, Reason: why})
			out.lost = append(out.lost, why)
			continue
		}
		a := plan.Action{
			ActionID: fmt.Sprintf("a%d", len(out.actions)+1), Tool: step.Undo.Tool, Args: step.Undo.Args, Confidence: 1, RiskLevel: riskOf(step.Undo.Tool, specs),
			Reason: message.New("plan.inverse_of", "step", step.StepID, "tool", step.ToolName),
		}
		a.IdempotencyScope = plan.Scope(a.Tool, a.ActionID)
		a.Preview = answers.SummarizeCall(a.Tool, a.Args)
		own := pathsOf(step)
		near := touched.Related(own...)
		for i, later := range undone {
			if _, isNear := slices.BinarySearch(near, i); isNear || needs.reach(later.StepID, step.StepID) {
				a.DependsOn = append(a.DependsOn, out.actions[i].ActionID)
			}
		}
		for _, p := range own {
			touched.Add(p, len(undone))
		}
		undone, out.actions = append(undone, step), append(out.actions, a)
		out.steps[a.ActionID] = step.StepID
	}
	return out
}

// Reasons why a step that is done has no inverse.
const (
	reasonSecret      = "undo.secret_gone"
	reasonNoInverse   = "undo.no_inverse"
	reasonNotRecorded = "undo.step_not_recorded"
)

// irreversibleReason is the code of the reason why a step can't be undone; empty if it can.
// Without an inverse a step may have changed nothing or may have changed things for good: the
// record does not tell. That a plugin calls its tool reversible is only a claim, see
// [tool.Spec.MayDestroy].
func irreversibleReason(step trace.Step, specs []tool.Spec) string {
	switch {
	case slices.Contains(step.PolicyFlags, trace.FlagUndoWithheld), secrets.IsMarked(step.Args), step.Undo != nil && secrets.IsMarked(step.Undo.Args):
		return reasonSecret
	case step.Undo != nil:
		return ""
	case slices.ContainsFunc(specs, func(s tool.Spec) bool { return s.Name == step.ToolName && s.Reversible && !s.MayDestroy }):
		return reasonNotRecorded
	}
	return reasonNoInverse
}

// riskOf grades the call of an inverse. A tool that is not known may delete.
func riskOf(name string, specs []tool.Spec) plan.RiskLevel {
	for _, s := range specs {
		if s.Name == name && !plan.IsDeletion(name) {
			return planning.Risk(s)
		}
	}
	return plan.High
}

// addUnseen adds the calls of which no step says how they ended.
func (b *inverses) addUnseen(rec trace.Record, effects []trace.Claim) {
	done := map[string]bool{}
	for _, s := range rec.Steps {
		done[s.StepID] = done[s.StepID] || s.Status == trace.Done
	}
	for _, c := range effects {
		if done[c.Step.StepID] {
			continue
		}
		switch c.Effect {
		case tool.Unknown:
			b.irreversible = append(b.irreversible, drafts.IrreversibleStep{StepID: c.Step.StepID, Tool: c.Step.ToolName, Reason: message.New("undo.outcome_unknown")})
		case tool.Committed:
			b.irreversible = append(b.irreversible, drafts.IrreversibleStep{StepID: c.Step.StepID, Tool: c.Step.ToolName, Reason: message.New("undo.outcome_answered")})
		}
	}
}

// maxReasons limits the reasons in an error.
const maxReasons = 3

// plan is the plan of the inverses; the fault says why there is none.
func (b inverses) plan(origin plan.Origin, rec trace.Record, past attempts) (plan.Plan, *tool.Error) {
	switch {
	case len(b.actions) > 0:
	case len(past.undoneBy) > 0:
		runs := slices.Compact(slices.Sorted(maps.Values(past.undoneBy)))
		code := "undo.already_undone"
		if len(b.irreversible) > 0 {
			code = "undo.already_undone_partly"
		}
		return plan.Plan{}, tool.NewError(tool.ValidationError, CodeUndone, message.New(code, "run", rec.RunID, "by", runs)).
			WithHint(message.New("undo.already_undone_hint", "run", runs[len(runs)-1]))
	case len(b.lost) > 0:
		return plan.Plan{}, tool.NewError(tool.ExecutionError, "nothing_to_undo", message.New("undo.impossible_now", "run", rec.RunID, "reasons", b.lost[:min(len(b.lost), maxReasons)]))
	case len(b.irreversible) == 0:
		return plan.Plan{}, tool.NewError(tool.ValidationError, "nothing_to_undo", message.New("undo.nothing_changed", "run", rec.RunID))
	case !slices.ContainsFunc(b.irreversible, func(s drafts.IrreversibleStep) bool { return s.Reason.Code != reasonNotRecorded }):
		return plan.Plan{}, tool.NewError(tool.ValidationError, "nothing_to_undo", message.New("undo.nothing_recorded", "run", rec.RunID)).
			WithHint(message.New("undo.nothing_recorded_hint", "run", rec.RunID))
	default:
		return plan.Plan{}, tool.NewError(tool.ValidationError, "nothing_to_undo", message.New("undo.nothing_reversible", "run", rec.RunID))
	}
	p, err := plan.New(plan.Content{
		Origin: origin, Language: planning.LanguageOf(rec), Domain: "mixed", Summary: message.New("plan.undo_run", "run", rec.RunID),
		Inputs: plan.Inputs{RawText: words(rec)}, Actions: b.actions, GoalAchievedBy: b.actions[len(b.actions)-1].ActionID,
	})
	if err != nil {
		return p, tool.NewError(tool.ExecutionError, "bad_inverse", message.New("undo.bad_inverse", "run", rec.RunID, "cause", err))
	}
	return p, nil
}

// words are the goal of a run that undoes another one.
func words(rec trace.Record) string {
	return "undo " + rec.RunID + ": " + answers.FormatValue(rec.Goal)
}
