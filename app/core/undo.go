package core

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/app/secrets"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// CodeUndone is a run that was taken back already.
const CodeUndone = "already_undone"

// Undo proposes to take a run back: a new run whose plan is the inverses of what
// was done and not taken back yet, the last first, as a draft that waits like
// any other. Steps that can't be taken back are listed in it. Nothing is done
// before a yes. A draft that waits for the same already is answered again; one
// that the run has left behind is cancelled. Of several that ask at once, in one
// program or in many, one draft remains, and all are answered it.
func (a *App) Undo(ctx context.Context, id string) (DraftView, error) {
	for range undoTries {
		d, err := a.undo(ctx, id)
		if err == nil || tool.AsError(err).Code != store.CodeDraftMoved {
			return d, err
		}
	}
	return a.undo(ctx, id)
}

// undoTries bounds how often another one's undoing may get in between.
const undoTries = 4

func (a *App) undo(ctx context.Context, id string) (DraftView, error) {
	s, err := a.storage()
	if err != nil {
		return DraftView{}, err
	}
	rec, err := s.Record(ctx, id)
	if err != nil {
		return DraftView{}, err
	}
	if rec.Status == trace.Running {
		return DraftView{}, trace.RunUnderWay(rec.RunID)
	}
	past, err := a.undoings(ctx, s, rec.RunID)
	if err != nil {
		return DraftView{}, err
	}
	specs, err := a.Tools(ctx)
	if err != nil {
		return DraftView{}, err
	}
	effects, err := s.Effects(ctx, rec.RunID)
	if err != nil {
		return DraftView{}, err
	}
	back := inverses(rec, past, specs)
	back.unseen(rec, effects)
	h, found, err := a.waitingUndo(ctx, s, past, back)
	if err != nil || found {
		return h.view(), err
	}
	p, fault := back.plan(rec, past)
	if fault != nil {
		h := held{proposal: proposal{Undoes: rec.RunID, Irreversible: back.irreversible, Words: rec.Goal, Language: languageOf(rec)}}
		return h.view(), fault
	}
	return a.proposeUndo(ctx, rec, p, past, back)
}

// takenBack is what an undoing does: the inverses, each for a step of the run.
type takenBack struct {
	actions      []plan.Action
	steps        map[string]string // action id → id of the step that it takes back
	irreversible []IrreversibleStep
}

// inverses take a record back, as far as earlier undoings have not.
func inverses(rec trace.Record, past undoings, specs []tool.Spec) takenBack {
	out := takenBack{steps: map[string]string{}}
	needs := needsOf(rec.Result)
	var undone []trace.Step // of out.actions
	for _, step := range slices.Backward(lastDone(rec.Steps)) {
		says := slices.ContainsFunc(specs, func(s tool.Spec) bool { return s.Name == step.ToolName && s.Reversible })
		secret := secrets.Marked(step.Args) || step.Undo != nil && secrets.Marked(step.Undo.Args)
		switch {
		case past.by[step.StepID] != "", step.EffectKey == "", says && step.Undo == nil && !secret: // it only read, or changed nothing
			continue
		case secret:
			out.irreversible = append(out.irreversible, IrreversibleStep{step.StepID, step.ToolName, "what takes it back holds a secret, which is not kept"})
			continue
		case step.Undo == nil:
			out.irreversible = append(out.irreversible, IrreversibleStep{step.StepID, step.ToolName, "its tool does not say how to take it back"})
			continue
		}
		a := plan.Action{
			ActionID: fmt.Sprintf("a%d", len(out.actions)+1), Tool: step.Undo.Tool, Args: step.Undo.Args, Confidence: 1, RiskLevel: plan.High,
			Reason: fmt.Sprintf("it takes back %s (%s)", step.StepID, step.ToolName), IdempotencyScope: scopeOf(step.Undo.Tool, step.Undo.Args),
		}
		a.Preview = answers.SummarizeCall(languageOf(rec), a.Tool, a.Args)
		for i, later := range undone {
			if needs.reach(later.StepID, step.StepID) || nest(pathsOf(step), pathsOf(later)) {
				a.DependsOn = append(a.DependsOn, out.actions[i].ActionID)
			}
		}
		undone, out.actions = append(undone, step), append(out.actions, a)
		out.steps[a.ActionID] = step.StepID
	}
	return out
}

// unseen adds the calls of which no step says how they ended.
func (b *takenBack) unseen(rec trace.Record, effects []trace.Claim) {
	for _, c := range effects {
		if slices.ContainsFunc(lastDone(rec.Steps), func(s trace.Step) bool { return s.StepID == c.Step.StepID }) {
			continue
		}
		switch c.Effect {
		case tool.Unknown:
			b.irreversible = append(b.irreversible, IrreversibleStep{c.Step.StepID, c.Step.ToolName, "nobody saw what came of it"})
		case tool.Committed:
			b.irreversible = append(b.irreversible, IrreversibleStep{c.Step.StepID, c.Step.ToolName, "a person said that it was done; its tool did not say how to take it back"})
		}
	}
}

// plan is the plan of the inverses; the fault says why there is none.
func (b takenBack) plan(rec trace.Record, past undoings) (plan.Plan, *tool.Error) {
	switch {
	case len(b.actions) > 0:
	case len(past.by) > 0:
		runs := slices.Compact(slices.Sorted(maps.Values(past.by)))
		e := tool.Errorf(tool.ValidationError, CodeUndone, "run %s was undone by run %s", rec.RunID, strings.Join(runs, ", "))
		if len(b.irreversible) > 0 {
			e.Message += ", as far as it can be taken back"
		}
		return plan.Plan{}, e.WithHint("errand show %s tells what was taken back", runs[len(runs)-1])
	case len(b.irreversible) == 0:
		return plan.Plan{}, tool.Errorf(tool.ValidationError, "nothing_to_undo", "run %s changed nothing", rec.RunID)
	default:
		return plan.Plan{}, tool.Errorf(tool.ValidationError, "nothing_to_undo", "nothing of run %s can be taken back", rec.RunID)
	}
	p, err := plan.New(plan.Content{
		Origin: plan.UserGoal, Language: languageOf(rec), Domain: "mixed", Summary: "undo " + rec.RunID,
		Inputs: plan.Inputs{RawText: undoWords(rec)}, Actions: b.actions, GoalAchievedBy: b.actions[len(b.actions)-1].ActionID,
	})
	if err != nil {
		return p, tool.Errorf(tool.ExecutionError, "bad_inverse", "undo run %s: %v", rec.RunID, err)
	}
	return p, nil
}

func undoWords(rec trace.Record) string {
	return "undo " + rec.RunID + ": " + answers.FormatValue(rec.Goal)
}
