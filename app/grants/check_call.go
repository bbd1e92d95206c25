package core

import (
	"context"
	"encoding/json"
	"slices"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// CallQuestion is a call that policy is asked about, without anything of it being
// checked or made.
type CallQuestion struct {
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
	Origin plan.Origin    `json:"origin,omitempty"` // empty: the person's own goal
	// AfterReading asks about the call in a run that has read what others wrote.
	AfterReading bool `json:"after_reading,omitempty"`
}

// CallCheck is what policy says of a call.
type CallCheck struct {
	CallQuestion
	Verdict policy.Verdict `json:"verdict"`
	Rule    string         `json:"rule"`
	Reason  string         `json:"reason"`
	Hint    string         `json:"hint,omitempty"`
	Steps   []policy.Step  `json:"steps"`
	Change  *ConfigChange  `json:"change,omitempty"` // the one line of the config that would change the verdict
}

// CheckCall asks policy about a call of one of the program's tools, as of now.
// An unknown tool is a *tool.Error.
func (a *App) CheckCall(ctx context.Context, q CallQuestion) (CallCheck, error) {
	specs, err := a.Tools(ctx)
	if err != nil {
		return CallCheck{}, err
	}
	i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == q.Tool })
	if i < 0 {
		return CallCheck{}, tool.Errorf(tool.ValidationError, "unknown_tool", "there is no tool %q", q.Tool).
			WithHint("errand tools lists what can be called")
	}
	if q.Origin == "" {
		q.Origin = plan.UserGoal
	}
	if !slices.Contains(plan.Origins(), q.Origin) {
		return CallCheck{}, tool.Errorf(tool.ValidationError, "unknown_origin", "origin %q is not one of %v", q.Origin, plan.Origins())
	}
	if q.Args, err = plainValues(q.Args); err != nil {
		return CallCheck{}, err
	}
	r := request(specs[i], plan.Action{ActionID: toCome, Args: q.Args}, q.Origin, a.now())
	if q.AfterReading {
		r.Readings = []policy.Reading{{Step: "an earlier step", Tool: "any tool whose answers are untrusted"}}
	}
	gate := a.gate.WithGrants(a.grants()...)
	d, steps := gate.Explain(r)
	c := CallCheck{
		CallQuestion: q, Verdict: d.Verdict, Rule: d.Rule, Reason: d.Reason, Hint: d.Hint, Steps: steps, Change: a.change(gate, r),
	}
	if c.Steps == nil {
		c.Steps = []policy.Step{}
	}
	return c, nil
}

// CheckPlan is [App.CheckCall] for each action of a plan.
func (a *App) CheckPlan(ctx context.Context, p plan.Plan) ([]CallCheck, error) {
	checks := []CallCheck{}
	for _, action := range p.Actions() {
		c, err := a.CheckCall(ctx, CallQuestion{Tool: action.Tool, Args: action.Args, Origin: p.Origin()})
		if err != nil {
			return nil, err
		}
		checks = append(checks, c)
	}
	return checks, nil
}

// plainValues brings arguments into the form in which calls carry them.
func plainValues(args map[string]any) (map[string]any, error) {
	b, err := json.Marshal(args)
	if err != nil {
		return nil, tool.Errorf(tool.ValidationError, "invalid_args", "the arguments are not JSON: %v", err)
	}
	plain := map[string]any{}
	if err := json.Unmarshal(b, &plain); err != nil || plain == nil {
		return map[string]any{}, nil // null
	}
	return plain, nil
}
