package grants

import (
	"context"
	"slices"

	"errand/host/realpath"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// RuleFolders decides about the folders of a call: those that no setting and no grant allows are asked about
// or refused.
const RuleFolders = "folders"

// ExplainCall is CheckCall with the folders of the call: which setting or grant allows each of its paths, and
// whether the user is asked about the others.
func (c *Checker) ExplainCall(ctx context.Context, q CallQuestion) (CallCheck, error) {
	check, err := c.CheckCall(ctx, q)
	if err != nil {
		return check, err
	}
	steps, hint, err := c.explainFolders(ctx, check)
	if err != nil {
		return check, err
	}
	check.Steps = append(check.Steps, steps...)
	for _, s := range steps {
		if d := (policy.Decision{Verdict: s.Verdict, Rule: s.Rule, Reason: s.Reason}); isStricter(d.Verdict, check.Verdict) {
			check.Verdict, check.Rule, check.Reason, check.Hint, check.Change = d.Verdict, d.Rule, d.Reason, hint, nil
		}
	}
	return check, nil
}

// ExplainPlan is ExplainCall for each action of a plan.
func (c *Checker) ExplainPlan(ctx context.Context, p plan.Plan) ([]CallCheck, error) {
	checks := []CallCheck{}
	for _, action := range p.Actions() {
		check, err := c.ExplainCall(ctx, CallQuestion{Tool: action.Tool, Args: action.Args, Origin: p.Origin()})
		if err != nil {
			return nil, err
		}
		checks = append(checks, check)
	}
	return checks, nil
}

func isStricter(a, b policy.Verdict) bool {
	order := []policy.Verdict{policy.Allow, policy.Ask, policy.Deny}
	return slices.Index(order, a) > slices.Index(order, b)
}

// explainFolders returns a step for each path of a call, and the hint for one that is refused.
func (c *Checker) explainFolders(ctx context.Context, check CallCheck) (steps []policy.Step, hint message.Message, err error) {
	spec, err := c.specOf(ctx, check.Tool)
	if err != nil || len(spec.Paths) == 0 || c.NeededFolders == nil {
		return nil, hint, err
	}
	args := check.Args
	if c.PlaceArgs != nil {
		args = c.PlaceArgs(spec, args)
	}
	granted := c.Grants.Folders()
	var open []string
	for _, arg := range spec.PathArgs(args) {
		step := policy.Step{Name: "folder", Verdict: policy.Allow}
		isIn := func(folder string) bool { return realpath.Contains(folder, arg.Path) }
		if i := slices.IndexFunc(spec.Folders(), isIn); i >= 0 {
			step.Rule, step.Reason = "files.roots", message.New("grants.folder_configured", "path", arg.Path, "folder", spec.Folders()[i])
		} else if i := slices.IndexFunc(granted, func(g policy.Grant) bool { return isIn(g.Folder) || isIn(g.Real) }); i >= 0 {
			step.Rule, step.Reason = "grants["+granted[i].ID+"]", message.New("grants.folder_granted", "path", arg.Path, "folder", granted[i].Folder, "id", granted[i].ID)
		} else {
			open = append(open, arg.Path)
			continue
		}
		steps = append(steps, step)
	}
	if len(open) == 0 {
		return steps, hint, nil
	}
	hint = realpath.GrantHint(open[0])
	folders, ok := c.NeededFolders(spec, args)
	if !ok || len(folders) == 0 {
		for _, path := range open {
			steps = append(steps, policy.Step{Name: "folder", Verdict: policy.Deny, Rule: RuleFolders, Reason: message.New("grants.folder_outside", "path", path)})
		}
		return steps, hint, nil
	}
	wider, err := c.specOf(tool.WithFolders(ctx, folders), check.Tool)
	for _, folder := range slices.Compact(slices.Sorted(slices.Values(folders))) {
		step := policy.Step{Name: "folder", Verdict: policy.Ask, Rule: RuleFolders, Reason: message.New("grants.folder_asked", "folder", folder)}
		if fault := c.Grants.Config.CheckAsk(folder); fault != nil {
			step.Verdict, step.Reason = policy.Deny, message.FromError(fault)
		} else if !slices.Contains(wider.Folders(), folder) {
			step.Verdict, step.Reason = policy.Deny, message.New("grants.folder_not_for_tool", "folder", folder, "tool", check.Tool)
		}
		steps = append(steps, step)
	}
	return steps, hint, err
}

// specOf returns the spec of a tool, with the folders of [tool.WithFolders].
func (c *Checker) specOf(ctx context.Context, name string) (tool.Spec, error) {
	specs, err := c.Grants.Tools(ctx)
	if err != nil {
		return tool.Spec{}, err
	}
	i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == name })
	if i < 0 {
		return tool.Spec{}, tool.UnknownTool(tool.ValidationError, name, specs, nil)
	}
	return specs[i], nil
}
