package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"errand/app/core/recipe"
	"errand/app/planning"
	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/interpret"
	"errand/planner/plan"
)

// plan reads the goal against the world as it is now. A question is put to the
// person at once, where one can be asked.
func (x *execution) plan(ctx context.Context) (Planned, error) {
	if x.answers == nil {
		x.answers = map[string]string{}
	}
	var planned Planned
	for range maxRounds {
		var err error
		if planned, err = x.planOnce(ctx); err != nil || planned.Interpretation.Status != interpret.Ambiguous {
			return planned, err
		}
		given, err := x.takeGiven(planned.Interpretation.Questions)
		if err != nil {
			return planned, err
		}
		if given {
			continue
		}
		if x.request.DryRun {
			return planned, nil
		}
		if err := x.askAll(ctx, planned.Interpretation.Questions, x.answers); err != nil {
			if !errors.Is(err, ErrNoAnswer) {
				x.report.Error = tool.AsError(err)
			}
			return planned, ctx.Err()
		}
	}
	return planned, nil
}

func (x *execution) planOnce(ctx context.Context) (Planned, error) {
	a := x.app
	if x.request.Recipe != nil {
		return x.planRecipe(ctx)
	}
	r := planning.Request{Text: x.request.words(), Voice: x.request.Voice, Answers: x.answers}
	in, voice := a.Understand(r)
	if in.Status != interpret.OK {
		var err error
		x.setting, err = a.settings.Record(x.id, nil, setting.Own{Voice: x.request.Voice, Answers: x.answers, OwnWords: x.ownWords})
		return Planned{Interpretation: in}, err
	}
	if err := x.equip(ctx); err != nil {
		return Planned{}, err
	}
	var err error
	if x.world, err = a.World(ctx, in); err != nil {
		return Planned{}, err
	}
	if x.setting, err = a.settings.Record(x.id, x.tools.Specs(), setting.Own{Voice: x.request.Voice, World: x.world, Answers: x.answers, OwnWords: x.ownWords}); err != nil {
		return Planned{}, err
	}
	r.World, r.Capabilities = &x.world, planning.Capabilities(x.tools.Specs())
	return a.PlanUnderstood(in, voice, r)
}

// planRecipe takes the plan that a recipe holds.
func (x *execution) planRecipe(ctx context.Context) (Planned, error) {
	if err := x.equip(ctx); err != nil {
		return Planned{}, err
	}
	planned, r, secrets, err := x.app.plannedRecipe(*x.request.Recipe, x.tools.Specs(), x.request.DryRun && x.request.Recipe.Unsaid)
	if err != nil {
		return planned, err
	}
	x.app.vault.Entrust(x.id, secrets)
	x.request.Recipe = &RecipeRun{Ref: x.request.Recipe.Ref, Values: recipe.Told(x.request.Recipe.Values, secrets)}
	if x.world, err = x.app.World(ctx, planned.Interpretation); err != nil {
		return planned, err
	}
	kept, err := json.Marshal(r)
	if err != nil {
		return planned, err
	}
	x.setting, err = x.app.settings.Record(x.id, x.tools.Specs(), setting.Own{World: x.world, Given: setting.GivenRecipe, Params: x.request.Recipe.Values, Recipe: x.app.recipeCalled(x.request.Recipe.Ref), RecipeSource: kept})
	return planned, err
}

// equip gives the execution the program's tools.
func (x *execution) equip(ctx context.Context) error {
	if x.tools != nil {
		return nil
	}
	var err error
	if x.tools, err = x.app.toolSet(ctx); err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	return nil
}

// settled answers what ends without a call: questions, what can't be
// understood, what needs no plan or has none.
func settled(planned Planned, report *Report) (p plan.Plan, stop bool) {
	in := planned.Interpretation
	switch in.Status {
	case interpret.Ambiguous:
		report.Status = trace.NeedsApproval
		if report.Error == nil {
			report.Error = tool.Errorf(tool.ValidationError, "ambiguous", "%s", in.Reason)
		}
		return p, true
	case interpret.OK:
	default:
		report.Error = tool.Errorf(tool.ValidationError, "unsupported", "%s", in.Reason).
			WithHint("%s", in.Hint())
		return p, true
	}
	p, ok := planned.Result.Plan()
	switch planned.Result.Status() {
	case plan.AlreadySatisfied:
		report.Status, report.Answer = trace.Done, planned.Result.Reason()
		return p, true
	case plan.Blocked:
		report.Error = tool.Errorf(tool.ValidationError, "blocked", "%s", planned.Result.Reason())
		return p, true
	case plan.NoCapability:
		report.Error = tool.Errorf(tool.ToolUnavailable, "no_capability", "%s", planned.Result.Reason())
		return p, true
	}
	return p, !ok
}
