package planning

import (
	"cmp"
	"slices"

	"errand/app/answers"
	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/planner/message"
	"errand/planner/plan"
)

// Call is one call of a tool that the user asks for by its name.
type Call struct {
	Tool     string
	Args     []byte // a JSON object; empty: no arguments
	Language string // of the record; empty: English
}

// PlanCall makes the plan of a call. Arguments that the tool's schema marks as paths are
// read like paths in a goal. The error is a *tool.Error: for an unknown tool, and for
// arguments that are no JSON object or that the tool does not take.
func (p *Planner) PlanCall(c Call, specs []tool.Spec) (plan.Plan, error) {
	i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == c.Tool })
	if i < 0 {
		return plan.Plan{}, tool.UnknownTool(tool.ValidationError, c.Tool, specs, p.off())
	}
	spec := specs[i]
	args, err := schema.ReadArguments(c.Args)
	if err != nil {
		return plan.Plan{}, err
	}
	args = p.PlaceArgs(spec, args)
	checker := schema.Checker{}
	if e := checker.Check(spec, args); e != nil {
		return plan.Plan{}, e
	}
	what := answers.SummarizeCall(spec.Name, args)
	content := plan.Content{
		Origin: plan.UserGoal, Language: cmp.Or(c.Language, "en"), Domain: "mixed", Summary: what,
		Inputs: plan.Inputs{RawText: "tool " + spec.Name}, GoalAchievedBy: "a1",
		Actions: []plan.Action{{
			ActionID: "a1", Tool: spec.Name, Args: args, Confidence: 1, RiskLevel: Risk(spec), ReadOnly: spec.SideEffectClass == tool.Read,
			ExpectedEffect: spec.Name + "_done", IdempotencyScope: plan.Scope(spec.Name, "a1"),
			Preview: what, Reason: message.New("plan.asked_call"),
		}},
	}
	FlagRisks(&content)
	made, err := plan.New(content)
	if err != nil {
		return made, tool.NewError(tool.ValidationError, "bad_calls", message.New("runs.bad_calls", "cause", err))
	}
	return made, nil
}
