package core

import (
	"context"
	"fmt"
	"slices"

	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/plan"
	"errand/policy/approval"
	"errand/policy/redact"
)

// CodeUndone is a run that was taken back already.
const CodeUndone = "already_undone"

// Undo proposes to take a run back: a new run whose plan is the inverses of what
// was done, the last first, as a draft that waits like any other. Steps that
// can't be taken back are listed in it. Nothing is done before a yes.
func (a *App) Undo(ctx context.Context, id string) (DraftView, error) {
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
	if earlier, found, err := a.undoing(ctx, s, rec.RunID); err != nil || found {
		return earlier, err
	}
	specs, err := a.Tools(ctx)
	if err != nil {
		return DraftView{}, err
	}
	p, irreversible, fault := inverses(rec, specs)
	if fault != nil {
		h := held{proposal: proposal{Undoes: rec.RunID, Irreversible: irreversible, Words: rec.Goal, Language: languageOf(rec)}}
		return h.view(), fault
	}
	return a.proposeUndo(ctx, rec, p, irreversible)
}

// undoing finds the draft that takes a run back: one that waits is answered
// again, and one that was carried out says that there is nothing left to undo.
func (a *App) undoing(ctx context.Context, s *store.Store, runID string) (DraftView, bool, error) {
	drafts, err := s.Drafts(ctx, "")
	if err != nil {
		return DraftView{}, false, err
	}
	for _, d := range drafts {
		h, err := readHeld(d)
		if err != nil || h.proposal.Undoes != runID {
			continue
		}
		h = a.expire(ctx, s, h)
		if h.State == approval.StateApplied {
			return h.view(), true, tool.Errorf(tool.ValidationError, CodeUndone, "run %s was undone by run %s", runID, h.RunID).
				WithHint("errand show %s tells what was taken back", h.RunID)
		}
		if !h.State.Final() {
			return h.view(), true, nil
		}
	}
	return DraftView{}, false, nil
}

// inverses is the plan that takes a record back, each step after the one before.
func inverses(rec trace.Record, specs []tool.Spec) (plan.Plan, []IrreversibleStep, *tool.Error) {
	var irreversible []IrreversibleStep
	var actions []plan.Action
	for _, step := range slices.Backward(lastDone(rec.Steps)) {
		says := slices.ContainsFunc(specs, func(s tool.Spec) bool { return s.Name == step.ToolName && s.Reversible })
		secret := redacted(step.Args) || step.Undo != nil && redacted(step.Undo.Args)
		switch {
		case step.EffectKey == "", says && step.Undo == nil && !secret: // it only read, or changed nothing
			continue
		case secret:
			irreversible = append(irreversible, IrreversibleStep{step.StepID, step.ToolName, "what takes it back holds a secret, which is not kept"})
			continue
		case step.Undo == nil:
			irreversible = append(irreversible, IrreversibleStep{step.StepID, step.ToolName, "its tool does not say how to take it back"})
			continue
		}
		a := plan.Action{
			ActionID: fmt.Sprintf("a%d", len(actions)+1), Tool: step.Undo.Tool, Args: step.Undo.Args, Confidence: 1, RiskLevel: plan.High,
			Reason: fmt.Sprintf("it takes back %s (%s)", step.StepID, step.ToolName), IdempotencyScope: scopeOf(step.Undo.Tool, step.Undo.Args),
		}
		a.Preview = preview(languageOf(rec), a.Tool, a.Args)
		if n := len(actions); n > 0 {
			a.DependsOn = []string{actions[n-1].ActionID}
		}
		actions = append(actions, a)
	}
	if len(actions) == 0 {
		e := tool.Errorf(tool.ValidationError, "nothing_to_undo", "nothing of run %s can be taken back", rec.RunID)
		if len(irreversible) == 0 {
			e.Message = fmt.Sprintf("run %s changed nothing", rec.RunID)
		}
		return plan.Plan{}, irreversible, e
	}
	p, err := plan.New(plan.Content{
		Origin: plan.UserGoal, Language: languageOf(rec), Domain: "mixed", Summary: "undo " + rec.RunID,
		Inputs: plan.Inputs{RawText: undoWords(rec)}, Actions: actions, GoalAchievedBy: actions[len(actions)-1].ActionID,
	})
	if err != nil {
		return p, irreversible, tool.Errorf(tool.ExecutionError, "bad_inverse", "undo run %s: %v", rec.RunID, err)
	}
	return p, irreversible, nil
}

func undoWords(rec trace.Record) string { return "undo " + rec.RunID + ": " + shown(rec.Goal) }

// redacted reports whether something was cut out of arguments.
func redacted(v any) bool {
	switch v := v.(type) {
	case string:
		return redact.Marked(v)
	case map[string]any:
		for key, e := range v {
			if redact.Marked(key) || redacted(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, redacted)
	}
	return false
}

// lastDone are the steps of a record that were done, each action's last one, in
// the order in which they were. That a later attempt was skipped or refused
// takes nothing back.
func lastDone(steps []trace.Step) []trace.Step {
	var out []trace.Step
	for i, step := range steps {
		again := slices.ContainsFunc(steps[i+1:], func(later trace.Step) bool {
			return later.StepID == step.StepID && later.Status == trace.Done
		})
		if step.Status == trace.Done && !again {
			out = append(out, step)
		}
	}
	return out
}

// proposeUndo begins the run that takes another one back and keeps its draft.
func (a *App) proposeUndo(ctx context.Context, rec trace.Record, p plan.Plan, irreversible []IrreversibleStep) (DraftView, error) {
	x := &execution{app: a, id: a.newID(), started: a.now(), request: RunRequest{Text: undoWords(rec)}}
	end, err := x.open()
	if err != nil {
		return DraftView{}, err
	}
	defer end()
	judged, err := x.judge(ctx, p, nil)
	if err != nil {
		return DraftView{}, err
	}
	if x.setting, err = a.setting(x.tools.Specs(), Own{Given: GivenUndo}); err != nil {
		return DraftView{}, err
	}
	result := plan.Succeeded(p, plan.Proof{Kind: plan.Unproved})
	x.report = Report{
		RunID: x.id, Steps: []trace.Step{}, Result: &result,
		Interpretation: &Interpretation{Status: interpret.OK, Language: languageOf(rec), Goals: []plan.Goal{}, Questions: []plan.Question{}},
	}
	if err := x.begin(ctx); err != nil {
		return DraftView{}, err
	}
	h, err := x.propose(ctx, judged, proposal{Undoes: rec.RunID, Irreversible: irreversible})
	if err != nil {
		x.report.Status, x.report.Error = trace.Failed, tool.AsError(err)
	} else {
		x.waits(h, nil)
	}
	if _, ended := x.finish(ctx); ended != nil && err == nil {
		err = ended
	}
	return h.view(), err
}
