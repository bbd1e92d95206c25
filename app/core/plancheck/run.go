package plancheck

import (
	"context"
	"fmt"
	"slices"
	"time"

	"errand/app/core"
	"errand/planner/plan"
	"errand/policy"
)

// Outcome is what came of one case.
type Outcome struct {
	Case     Case
	Diffs    []Diff // empty: as expected
	Err      error  // the case could not be planned at all
	Duration time.Duration
	got      Expect
}

// Passed reports whether everything was as expected.
func (o Outcome) Passed() bool { return o.Err == nil && len(o.Diffs) == 0 }

// Run plans one case and compares. Nothing is carried out.
func Run(ctx context.Context, app *core.App, c Case) Outcome {
	start := time.Now()
	got, err := observe(ctx, app, c)
	o := Outcome{Case: c, Err: err, got: got}
	if err == nil {
		o.Diffs = compare(c.Expect, got)
	}
	o.Duration = time.Since(start)
	return o
}

func observe(ctx context.Context, app *core.App, c Case) (Expect, error) {
	var got Expect
	if c.Call != nil || c.URL != "" {
		d, err := decide(ctx, app, c)
		got.decided(d)
		return got, err
	}
	result := &plan.Result{}
	if c.Problem != nil {
		r, err := app.Solve(plan.Problem{World: c.Problem.World, Goal: c.Problem.Goal, Capabilities: c.caps})
		if err != nil {
			return got, err
		}
		result = &r
	} else {
		planned, err := app.Plan(ctx, core.PlanRequest{Text: c.Text, Goals: c.Goals, World: c.World, Capabilities: c.caps})
		if err != nil {
			return got, err
		}
		status := string(planned.Interpretation.Status)
		got.Interpretation = &status
		for _, g := range planned.Interpretation.Goals {
			got.Goals = append(got.Goals, goalFields(g))
		}
		result = planned.Result
	}
	return got, got.fill(ctx, app, result, c)
}

func goalFields(g plan.Goal) map[string]any {
	fields := map[string]any{"goal_type": string(g.GoalType)}
	for name, value := range map[string]string{
		"platform": g.Platform, "query": g.Query, "target": g.Target, "action": g.Action,
		"object_type": g.ObjectType, "goal_id": g.GoalID,
	} {
		if value != "" {
			fields[name] = value
		}
	}
	return fields
}

// fill notes what a result holds. A text without a result has no actions.
func (e *Expect) fill(ctx context.Context, app *core.App, r *plan.Result, c Case) error {
	count := 0
	e.Actions, e.Tools, e.Args, e.DependsOn, e.Unmet = &count, []string{}, []map[string]any{}, [][]string{}, []string{}
	if r == nil {
		return nil
	}
	status := string(r.Status())
	e.Status, e.Unmet = &status, r.Unmet()
	p, ok := r.Plan()
	if !ok {
		return nil
	}
	byID := map[string]string{}
	for _, a := range p.Actions() {
		count++
		byID[a.ActionID] = a.Tool
		e.Tools = append(e.Tools, a.Tool)
		e.Args = append(e.Args, a.Args)
	}
	for _, a := range p.Actions() {
		for _, need := range a.DependsOn {
			e.DependsOn = append(e.DependsOn, []string{byID[need], a.Tool})
		}
	}
	if c.Expect.Verdict == nil && c.Expect.Rule == nil {
		return nil
	}
	d, err := strictest(ctx, app, p)
	e.decided(d)
	return err
}

func (e *Expect) decided(d policy.Decision) {
	verdict := d.Verdict.String()
	e.Verdict, e.Rule = &verdict, &d.Rule
}

// decide asks policy about a call or a URL, by its spelling alone: the same on a
// machine without a network.
func decide(ctx context.Context, app *core.App, c Case) (policy.Decision, error) {
	if c.URL != "" {
		return app.DecideURL(c.URL), nil
	}
	check, err := app.CheckCall(ctx, core.CallQuestion{Tool: c.Call.Tool, Args: c.Call.Args, Origin: c.Call.Origin})
	if err != nil {
		return policy.Decision{}, fmt.Errorf("ask policy: %w", err)
	}
	return policy.Decision{Verdict: check.Verdict, Rule: check.Rule}, nil
}

// strictest is the first of the strictest decisions on a plan's actions.
func strictest(ctx context.Context, app *core.App, p plan.Plan) (policy.Decision, error) {
	verdicts, err := app.Preview(ctx, p)
	if err != nil {
		return policy.Decision{}, fmt.Errorf("ask policy: %w", err)
	}
	worst := policy.Decision{Verdict: policy.Allow}
	for i, v := range verdicts {
		if worst = worst.Stricter(v.Decision); i == 0 {
			worst = v.Decision
		}
	}
	return worst, nil
}

// Summary counts outcomes by what differed.
type Summary struct {
	Total, Failed int
	ByField       []Count // largest first
}

// Count is how many cases differ in a field.
type Count struct {
	Field string
	Cases int
}

// Summarise counts outcomes.
func Summarise(outcomes []Outcome) Summary {
	s := Summary{Total: len(outcomes)}
	count := map[string]int{}
	for _, o := range outcomes {
		if o.Passed() {
			continue
		}
		s.Failed++
		if o.Err != nil {
			count["error"]++
		}
		for _, d := range o.Diffs {
			count[d.Field]++
		}
	}
	for field, n := range count {
		s.ByField = append(s.ByField, Count{field, n})
	}
	slices.SortFunc(s.ByField, func(a, b Count) int {
		if a.Cases != b.Cases {
			return b.Cases - a.Cases
		}
		if a.Field < b.Field {
			return -1
		}
		return 1
	})
	return s
}
