package run

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// Prepared is a plan with the verdict on each of its actions. [Engine.Run] takes it,
// and evaluates an action again only right before its call.
type Prepared struct {
	Plan     plan.Plan
	Verdicts []Verdict // in the order of the actions
}

// Prepare evaluates every action of a plan: the schema, the business rules and policy.
// It asks no one and calls no tool. An action needs approval if an earlier action reads
// untrusted content, even if that content was not read yet.
func (d *Dispatcher) Prepare(ctx context.Context, runID string, p plan.Plan) Prepared {
	actions := p.Actions()
	calls, deps, index := make([]tool.Call, len(actions)), make([][]string, len(actions)), make(map[string]int, len(actions))
	for i, a := range actions {
		index[a.ActionID], deps[i], calls[i] = i, a.DependsOn, callOf(a, runID, p.Origin())
	}
	verdicts, _ := d.evaluateAll(ctx, calls, deps, index, nil)
	return Prepared{p, verdicts}
}

// evaluateAll returns a verdict for each call: the prepared one if there is one, else a
// new one. deps and index are the ids that each call depends on and the index of each id.
func (d *Dispatcher) evaluateAll(ctx context.Context, calls []tool.Call, deps [][]string, index map[string]int, prepared []Verdict) ([]Verdict, batchReadings) {
	verdicts, specs := make([]Verdict, len(calls)), make([]tool.Spec, len(calls))
	unnamed := d.nameSites(calls, deps, index)
	for i := range calls {
		at := slices.IndexFunc(prepared, func(v Verdict) bool { return v.ActionID == calls[i].ActionID })
		if at >= 0 {
			verdicts[i] = prepared[at]
			calls[i].Site = verdicts[i].Site
		} else {
			_, verdicts[i] = d.evaluate(ctx, &calls[i], false)
			if v := &verdicts[i]; v.Error == nil && v.Decision.Verdict != policy.Deny {
				v.Error = cmp.Or(unnamed[i], problemOf(*v, specs[:i]))
			}
		}
		specs[i] = verdicts[i].effectiveSpec()
	}
	readings := findBatchReadings(specs, deps, index)
	readings.escalate(verdicts, calls)
	return verdicts, readings
}

// problemOf returns the problem of a call's forecast that no earlier call can solve.
func problemOf(v Verdict, earlier []tool.Spec) *tool.Error {
	if v.Forecast == nil || v.Forecast.Problem == nil {
		return nil
	}
	if !v.Forecast.Unsolvable && slices.ContainsFunc(earlier, func(s tool.Spec) bool { return s.SideEffectClass != tool.Read }) {
		return nil
	}
	return v.Forecast.Problem
}

// IsCurrent looks at the present state again, without asking policy. It reports whether
// every action passes its business check and has the same forecast as when the plan was
// prepared. Actions with an id in skip don't count.
func (d *Dispatcher) IsCurrent(ctx context.Context, runID string, p Prepared, skip []string) bool {
	for i, a := range p.Plan.Actions() {
		v := p.Verdicts[i]
		if slices.Contains(skip, a.ActionID) {
			continue
		}
		t, known := d.o.Tools.Get(a.Tool)
		call := callOf(a, runID, p.Plan.Origin())
		args, err := tool.CopyArgs(call.Args)
		if !known || v.Error != nil || err != nil {
			return false
		}
		call.Args, call.Effect = args, v.Effect
		ctx := tool.WithCaller(ctx, v.Spec.Caller(call))
		if d.check(ctx, d.o.Precheck, v.Spec, call) != nil {
			return false
		}
		forecast, fault := d.forecast(ctx, t, v.effectiveSpec(), call)
		if fault != nil || !reflect.DeepEqual(forecast, v.Forecast) {
			return false
		}
		files, fault := d.inspect(ctx, v.effectiveSpec(), call)
		if fault != nil || !slices.Equal(files, v.Files) {
			return false
		}
	}
	return true
}
