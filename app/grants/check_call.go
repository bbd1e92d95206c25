package grants

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"errand/host/question"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// CallQuestion is a call that policy is asked about. It is neither checked nor
// made.
type CallQuestion struct {
	Tool   string         `json:"tool"`
	Args   map[string]any `json:"args"`
	Origin plan.Origin    `json:"origin,omitempty"` // empty: the user's own goal
	// AfterReading asks about the call in a run that has read untrusted content.
	AfterReading bool `json:"after_reading,omitempty"`
}

// CallCheck is policy's decision about a call.
type CallCheck struct {
	CallQuestion
	Verdict policy.Verdict  `json:"verdict"`
	Rule    string          `json:"rule"`
	Reason  message.Message `json:"reason"`
	Hint    message.Message `json:"hint,omitzero"`
	Warning message.Message `json:"warning,omitzero"` // a language model may change something without approval
	Steps   []policy.Step   `json:"steps"`
	Change  *ConfigChange   `json:"change,omitempty"` // the one line of the config that would change the verdict
}

// CheckCall asks policy about a call of one of the program's tools. An unknown
// tool is a *tool.Error.
func (c *Checker) CheckCall(ctx context.Context, q CallQuestion) (CallCheck, error) {
	specs, err := c.Grants.Tools(ctx)
	if err != nil {
		return CallCheck{}, err
	}
	i := slices.IndexFunc(specs, func(s tool.Spec) bool { return s.Name == q.Tool })
	if i < 0 {
		var off []tool.Off
		if c.Grants.Off != nil {
			off = c.Grants.Off()
		}
		return CallCheck{}, tool.UnknownTool(tool.ValidationError, q.Tool, specs, off)
	}
	if q.Origin == "" {
		q.Origin = plan.UserGoal
	}
	if !slices.Contains(plan.Origins(), q.Origin) {
		return CallCheck{}, tool.NewError(tool.ValidationError, "unknown_origin", message.New("grants.unknown_origin", "origin", q.Origin, "origins", plan.Origins()))
	}
	if q.Args, err = plainValues(q.Args); err != nil {
		return CallCheck{}, err
	}
	args := q.Args
	if c.PlaceArgs != nil {
		args = c.PlaceArgs(specs[i], args)
	}
	r := CallRequest(specs[i], plan.Action{ActionID: policy.FutureRun, Args: args}, q.Origin, c.Grants.Now())
	if q.AfterReading {
		r.Readings = []policy.UntrustedRead{{}}
	}
	gate := c.Grants.Policy.WithGrants(c.Grants.Current()...)
	d, steps := gate.Explain(r)
	check := CallCheck{
		CallQuestion: q, Verdict: d.Verdict, Rule: d.Rule, Reason: d.Reason, Hint: d.Hint, Steps: steps, Change: c.change(gate, r),
		Warning: agentWarning(specs[i], q.Origin, d),
	}
	if check.Steps == nil {
		check.Steps = []policy.Step{}
	}
	return check, nil
}

// CallRequest is the question to policy about an action that no run has yet.
func CallRequest(spec tool.Spec, a plan.Action, origin plan.Origin, at time.Time) policy.Request {
	r := question.About(spec, tool.Call{ActionID: a.ActionID, RunID: policy.FutureRun, Origin: string(origin), Args: a.Args, Several: a.Several})
	r.At = at
	return r
}

// plainValues makes plain JSON values of arguments, as calls carry them.
func plainValues(args map[string]any) (map[string]any, error) {
	b, err := json.Marshal(args)
	if err != nil {
		return nil, tool.NewError(tool.ValidationError, "invalid_args", message.New("grants.invalid_args", "cause", err))
	}
	plain := map[string]any{}
	if err := json.Unmarshal(b, &plain); err != nil || plain == nil {
		return map[string]any{}, nil // null
	}
	return plain, nil
}
