package runs

import (
	"fmt"
	"slices"
	"strings"

	"errand/app/recipes/recipe"
	"errand/app/setting"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// CodeRecipeDrift is the error of a run that stopped because a page has changed since its
// recipe was made.
const CodeRecipeDrift = "recipe_drift"

// explainDrift replaces the report's error if a recipe's run stopped because a page has changed
// since the recipe was made. The steps keep their own errors.
func (x *attempt) explainDrift() {
	e := x.report.Error
	if !x.request.isRecipe(x.earlier) || e == nil || x.report.Result == nil {
		return
	}
	p, _ := x.report.Result.Plan()
	for _, s := range x.report.Steps {
		if s.Error == nil || s.Error.Code != e.Code {
			continue
		}
		arrival := strings.HasSuffix(s.StepID, recipe.ArrivalSuffix) && s.Error.Code == "assertion_failed"
		if s.Error.Code != "target_drift" && !arrival {
			continue
		}
		step := strings.TrimSuffix(s.StepID, recipe.ArrivalSuffix)
		d := tool.NewError(tool.ExecutionError, CodeRecipeDrift, message.New("runs.recipe_drift", "step", step, "cause", s.Error)).
			WithHint(message.New("runs.recipe_drift_hint", "step", step))
		d.Details = slices.Clone(s.Error.Details)
		if arrival {
			at := slices.IndexFunc(p.Actions(), func(a plan.Action) bool { return a.ActionID == s.StepID })
			if at >= 0 {
				d.Details = append(d.Details, fmt.Sprintf("expected  %v", p.Actions()[at].Args["url"]))
			}
		}
		x.report.Error = d
		return
	}
}

// isRecipe reports whether the plan is from a recipe, also in later attempts.
func (r Request) isRecipe(earlier *trace.Run) bool {
	if earlier == nil {
		return r.Plan != nil && r.Plan.Setting.PlanSource == setting.GivenRecipe
	}
	s, err := setting.Read(earlier.Setting)
	return err == nil && s.Run.PlanSource == setting.GivenRecipe
}
