package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"errand/app/core/recipe"
	"errand/host/store"
	"errand/host/system"
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
	r := PlanRequest{Text: x.request.words(), Voice: x.request.Voice, Answers: x.answers}
	in, voice := a.understand(r)
	if in.Status != interpret.OK {
		var err error
		x.setting, err = a.setting(x.id, nil, Own{Voice: x.request.Voice, Answers: x.answers, OwnWords: x.ownWords})
		return Planned{Interpretation: in}, err
	}
	if err := x.equip(); err != nil {
		return Planned{}, err
	}
	var err error
	if x.world, err = a.world(ctx, in); err != nil {
		return Planned{}, err
	}
	if x.setting, err = a.setting(x.id, x.tools.Specs(), Own{Voice: x.request.Voice, World: x.world, Answers: x.answers, OwnWords: x.ownWords}); err != nil {
		return Planned{}, err
	}
	r.World, r.Capabilities = &x.world, capabilitiesOf(x.tools.Specs())
	return a.planned(in, voice, r)
}

// planRecipe takes the plan that a recipe holds.
func (x *execution) planRecipe(ctx context.Context) (Planned, error) {
	if err := x.equip(); err != nil {
		return Planned{}, err
	}
	planned, r, secrets, err := x.app.plannedRecipe(*x.request.Recipe, x.tools.Specs(), x.request.DryRun && x.request.Recipe.Unsaid)
	if err != nil {
		return planned, err
	}
	x.app.vault.Entrust(x.id, secrets)
	x.request.Recipe = &RecipeRun{Ref: x.request.Recipe.Ref, Values: recipe.Told(x.request.Recipe.Values, secrets)}
	if x.world, err = x.app.world(ctx, planned.Interpretation); err != nil {
		return planned, err
	}
	kept, err := json.Marshal(r)
	if err != nil {
		return planned, err
	}
	x.setting, err = x.app.setting(x.id, x.tools.Specs(), Own{World: x.world, Given: GivenRecipe, Params: x.request.Recipe.Values, Recipe: x.app.recipeCalled(x.request.Recipe.Ref), RecipeSource: kept})
	return planned, err
}

// equip gives the execution the program's tools.
func (x *execution) equip() error {
	if x.tools != nil {
		return nil
	}
	var err error
	if x.tools, err = x.session.tools(); err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	return nil
}

// world takes the snapshot that planning starts from. What can't be told of a
// platform is left out: the plan is then made as if it did not hold.
func (a *App) world(ctx context.Context, in Interpretation) (plan.World, error) {
	world, err := system.Snapshot(ctx, a.systemApps())
	if err != nil {
		return world, fmt.Errorf("look at the system: %w", err)
	}
	seen := a.existing(in.set)
	world.RecentFacts = append(world.RecentFacts, a.remembered(ctx, in.set)...)
	world.RecentFacts = append(world.RecentFacts, seen...) // the latest facts are last, and believed
	return world, nil
}

// remembered are the facts that runs of the past left behind and that have not
// expired, the oldest first. Of the paths that the goals name none is believed:
// a look at them says more, even where it can't tell what is there.
func (a *App) remembered(ctx context.Context, set plan.GoalSet) []string {
	s, err := a.storage()
	if err != nil {
		return nil // what was forgotten costs a step, not the run
	}
	facts, err := s.Facts(ctx)
	if err != nil {
		return nil
	}
	return believed(facts, a.resolved(set).Goals)
}

// maxRemembered bounds the facts of the past in a world: every run keeps its
// world in its record.
const maxRemembered = 100

func believed(facts []store.Fact, goals []plan.Goal) []string {
	named := map[string]bool{}
	for _, g := range goals {
		if g.GoalType == plan.FileOperation {
			named[strings.TrimRight(g.Target, `/\`)] = true
		}
	}
	var out []string
	for _, f := range slices.Backward(facts[:min(len(facts), maxRemembered)]) { // they come newest first
		if _, path, isPath := strings.Cut(f.Fact, ":"); isPath && named[strings.TrimRight(path, `/\`)] {
			continue
		}
		if f.Holds {
			out = append(out, f.Fact)
		} else {
			out = append(out, "!"+f.Fact)
		}
	}
	return out
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
			WithHint("%s", in.hint())
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
