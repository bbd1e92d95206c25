package plancheck

import (
	"context"
	"time"

	"errand/app/grants"
	"errand/app/planning"
	"errand/planner/interpret"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Outcome is the result of one case.
type Outcome struct {
	Case     Case
	Diffs    []Diff          // empty: as expected
	Err      error           // the case could not be planned at all
	Reason   message.Message // what the program itself says of it: a question, what is missing; zero where all went well
	Duration time.Duration
	got      Expect
}

// HasPassed reports whether everything was as expected.
func (o Outcome) HasPassed() bool { return o.Err == nil && len(o.Diffs) == 0 }

// Checker plans cases with the program as it is configured.
type Checker struct {
	Planner      *planning.Planner
	Policy       *grants.Checker
	Capabilities []plan.Capability // of the program's own tools
	// Decide decides about each action of a plan, in its order.
	Decide func(context.Context, plan.Plan) ([]policy.Decision, error)
}

// Run plans one case and compares the results. It executes nothing.
func (k *Checker) Run(ctx context.Context, c Case) Outcome {
	start := time.Now()
	got, why, err := k.observe(ctx, c)
	o := Outcome{Case: c, Err: err, Reason: why, got: got}
	if err == nil {
		o.Diffs = compare(k.athome(c.Expect), got)
	}
	o.Duration = time.Since(start)
	return o
}

func (k *Checker) observe(ctx context.Context, c Case) (got Expect, why message.Message, err error) {
	if c.Call != nil || c.URL != "" {
		d, err := k.decide(ctx, c)
		got.setDecision(d)
		return got, d.Reason, err
	}
	if c.caps == nil {
		c.caps = k.Capabilities
	}
	var result *plan.Result
	if c.Problem != nil {
		r, err := k.Planner.Solve(plan.Problem{World: c.Problem.World, Goal: c.Problem.Goal, Capabilities: c.caps})
		if err != nil {
			return got, message.Message{}, err
		}
		result = &r
	} else {
		planned, err := k.Planner.Plan(ctx, planning.Request{Origin: plan.UserGoal, Text: c.Text, Goals: c.Goals, World: k.world(c.World), Capabilities: c.caps})
		if err != nil {
			return got, message.Message{}, err
		}
		why = planned.Interpretation.Reason
		status := string(planned.Interpretation.Status)
		got.Interpretation = &status
		for _, g := range planned.Interpretation.Goals {
			got.Goals = append(got.Goals, goalFields(g))
		}
		result = planned.Result
	}
	if result != nil {
		why = result.Reason()
	}
	return got, why, k.fill(ctx, &got, result, c)
}

func goalFields(g plan.Goal) map[string]any {
	fields := map[string]any{"goal_type": string(g.GoalType)}
	for name, value := range map[string]string{
		"platform": g.Platform, "query": g.Query, "target": g.Target, "action": g.Action,
		"object_type": g.ObjectType, "goal_id": g.GoalID, "save_to": g.SaveTo,
		"destination": g.Destination, "value": g.Value,
	} {
		if value != "" {
			fields[name] = value
		}
	}
	if g.Limit > 0 {
		fields["limit"] = float64(g.Limit) // as case files are read
	}
	return fields
}

// fill notes what a result holds. A text without a result has no actions.
func (k *Checker) fill(ctx context.Context, e *Expect, r *plan.Result, c Case) error {
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
	d, err := k.strictest(ctx, p)
	e.setDecision(d)
	return err
}

// Kind is the first thing that went otherwise on the way from words to policy's
// verdict. What comes after it mostly follows from it.
type Kind string

// Kinds of failure.
const (
	KindError   Kind = "error"   // the case could not be planned at all
	KindReading Kind = "reading" // interpretation, goals
	KindStatus  Kind = "status"  // status, unmet
	KindPlan    Kind = "plan"    // actions, tools, args, depends_on
	KindVerdict Kind = "verdict" // verdict, rule
)

var kindOf = map[string]Kind{
	"interpretation": KindReading, "goals": KindReading, "status": KindStatus, "unmet": KindStatus,
	"actions": KindPlan, "tools": KindPlan, "args": KindPlan, "depends_on": KindPlan, "verdict": KindVerdict, "rule": KindVerdict,
}

// Kind is the kind of a failure; empty where the case passed. Where the words
// were not understood, that is why there is no plan.
func (o Outcome) Kind() Kind {
	switch {
	case o.Err != nil:
		return KindError
	case len(o.Diffs) == 0:
		return ""
	case o.got.Interpretation != nil && *o.got.Interpretation != string(interpret.OK):
		return KindReading
	}
	return kindOf[o.Diffs[0].Field]
}

// Summary counts outcomes by the kind of failure.
type Summary struct {
	Total, Failed int
	ByKind        []Count // the kinds that occur, in the order in which a case meets them
}

// Count is how many cases failed in one way.
type Count struct {
	Kind  Kind
	Cases int
}

// Summarise counts outcomes.
func Summarise(outcomes []Outcome) Summary {
	s := Summary{Total: len(outcomes)}
	count := map[Kind]int{}
	for _, o := range outcomes {
		if !o.HasPassed() {
			s.Failed++
			count[o.Kind()]++
		}
	}
	for _, kind := range []Kind{KindError, KindReading, KindStatus, KindPlan, KindVerdict} {
		if n := count[kind]; n > 0 {
			s.ByKind = append(s.ByKind, Count{kind, n})
		}
	}
	return s
}
