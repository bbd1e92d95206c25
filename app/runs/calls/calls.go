// Package calls is about the calls that a planner chooses for a task: their plan for the user,
// the scopes of their effects, and what is recorded of them.
package calls

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"errand/app/answers"
	"errand/app/planning"
	"errand/host/run"
	"errand/host/run/callscope"
	"errand/host/store"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// PlannerRequest asks for the planner of a task.
type PlannerRequest struct {
	RunID string
	Kind  string // names the planner
	State json.RawMessage
	Words string           // what the task is about
	Note  func(trace.Note) // records an event of the run
	Clean func(any) any    // removes the secrets of the run from a JSON value
	// Turns and Steps are what is recorded of earlier attempts.
	Turns []trace.Turn
	Steps []trace.Step
	// AddTurn records an entry of the conversation, as [trace.Turn] has it, without secrets.
	AddTurn func(ctx context.Context, number int, role string, body any) error
	// Partial hears how far the text of a turn is, without secrets. Nil: nothing is streamed.
	Partial func(number int, text string)
}

// ScopedPlanner gives the calls of a planner the scopes of their effects: the same call twice in
// a run has its effect once. On a page it is another effect each time, because the page is another
// one.
type ScopedPlanner struct {
	run.Planner
	Tools func() *tool.Set
	Seal  func(hash string) string
}

// Plan implements [run.Planner].
func (p ScopedPlanner) Plan(ctx context.Context, rc *run.RunContext) (run.AssistantAction, error) {
	answer, err := p.Planner.Plan(ctx, rc)
	for i, a := range answer.Calls {
		scope := plan.Scope(a.Tool, a.ActionID)
		if t, known := p.Tools().Get(a.Tool); known && t.Spec().SideEffectClass != tool.Read && t.Spec().PageUse(a.Args) == tool.NoPage {
			scope = a.Tool + ":" + p.Seal(tool.HashArgs(a.Args))[:16]
		}
		answer.Calls[i].IdempotencyScope = scope
	}
	return answer, err
}

// CallContext implements [callscope.Planner].
func (p ScopedPlanner) CallContext(ctx context.Context, id string) (context.Context, context.CancelFunc) {
	return callscope.Context(ctx, p.Planner, id)
}

// ReadingsBefore returns steps with what the runs that a run follows have read of others. They
// count as steps of the run itself, so that its writes need approval.
func ReadingsBefore(ctx context.Context, storage func() (store.Store, error), runID string, follows []string) ([]trace.Step, error) {
	if len(follows) == 0 {
		return nil, nil
	}
	s, err := storage()
	if err != nil {
		return nil, err
	}
	var out []trace.Step
	for _, id := range follows {
		rec, err := s.Record(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, step := range rec.Steps {
			if step.Untrusted != nil {
				out = append(out, trace.Step{RunID: runID, StepID: step.StepID, Untrusted: step.Untrusted})
			}
		}
	}
	return out, nil
}

// Plan returns a plan with the calls of a planner's answer. c has what it is about.
func Plan(c plan.Content, calls []plan.Action, tools *tool.Set) (plan.Plan, error) {
	c.Domain, c.GoalAchievedBy = "mixed", calls[len(calls)-1].ActionID
	for _, a := range calls { // a planner names the calls, not their risk
		a.Confidence, a.RiskLevel, a.ReadOnly = 1, plan.Medium, false
		a.Preview, a.Reason = answers.SummarizeCall(a.Tool, a.Args), message.New("plan.task_call")
		if t, ok := tools.Get(a.Tool); ok {
			a.RiskLevel = planning.Risk(t.Spec())
		}
		a.DependsOn = slices.DeleteFunc(slices.Clone(a.DependsOn), func(id string) bool { // the plan has no done actions
			return !slices.ContainsFunc(calls, func(c plan.Action) bool { return c.ActionID == id })
		})
		c.Actions = append(c.Actions, a)
	}
	planning.FlagRisks(&c)
	p, err := plan.New(c)
	if err != nil {
		return p, tool.NewError(tool.ValidationError, "bad_calls", message.New("runs.bad_calls", "cause", err))
	}
	return p, nil
}

// RuleMaxURLs denies a call of a task that has opened as many pages as it may.
const RuleMaxURLs = "max_urls"

// IsTaskRule reports whether a rule limits one task. Policy has no such rules: the record alone says how
// they decided.
func IsTaskRule(rule string) bool { return strings.HasPrefix(rule, "agent.") || rule == RuleMaxURLs }

// LastSteps returns the last step of each call by its id.
func LastSteps(steps []trace.Step) map[string]trace.Step {
	out := map[string]trace.Step{}
	for _, s := range steps {
		out[s.StepID] = s
	}
	return out
}

// Waiting returns the steps of the calls that wait for an approval.
func Waiting(steps []trace.Step) []trace.Step {
	last, out := LastSteps(steps), []trace.Step{}
	for _, s := range steps {
		if s.Status == trace.NeedsApproval && last[s.StepID].Status == trace.NeedsApproval {
			delete(last, s.StepID) // once
			out = append(out, s)
		}
	}
	return out
}

// Count returns how many calls ended, and how many of them failed or were denied.
func Count(steps []trace.Step) (ended, failed int) {
	for _, s := range LastSteps(steps) {
		switch s.Status {
		case trace.Failed, trace.Denied:
			ended, failed = ended+1, failed+1
		case trace.Done:
			ended++
		}
	}
	return ended, failed
}

// Results converts the steps of calls that ended to results. A payload in payloads, by the ids of
// the calls, is complete; others are as recorded, without secrets.
func Results(ctx context.Context, steps []trace.Step, payloads map[string]any) []run.ToolResult {
	var out []run.ToolResult
	for _, s := range steps {
		if s.Status != trace.Done && s.Status != trace.Failed && s.Status != trace.Denied || s.Effect == tool.Unknown {
			continue
		}
		r := run.ResultOf(ctx, s)
		if payload, ok := payloads[s.StepID]; ok {
			r.Payload = payload
		}
		out = append(out, r)
	}
	return out
}
