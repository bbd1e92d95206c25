package run

import (
	"context"
	"slices"
	"time"

	"errand/host/run/planview"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// Planner decides what a run does next: the rule planner or a model. The engine
// calls Plan again after each answer; the context then has the results. Plan must
// return soon after ctx ends.
type Planner interface {
	Plan(ctx context.Context, rc *RunContext) (AssistantAction, error)
}

// AssistantAction is a planner's answer: calls to make, or a text that ends the
// run. An empty action does nothing. A call needs an id, a tool and arguments. It may
// depend on calls of this answer or on what was done before. Its idempotency scope names
// its effect; if it has none, the id does.
type AssistantAction struct {
	Respond *string
	Calls   []plan.Action
	// CallErrors are errors of calls by their ids, such as arguments that could not be read.
	// None of the calls is made then: these fail with their error, the others are skipped.
	CallErrors map[string]*tool.Error
}

// Respond returns an action that ends a run with a text.
func Respond(text string) AssistantAction { return AssistantAction{Respond: &text} }

// ToolCalls returns an action with several calls. Independent ones run in
// parallel.
func ToolCalls(calls ...plan.Action) AssistantAction { return AssistantAction{Calls: calls} }

// callOf returns the call of an action, as its tool gets it.
func callOf(a plan.Action, runID string, origin plan.Origin) tool.Call {
	return tool.Call{
		RunID: runID, ActionID: a.ActionID, Tool: a.Tool, Args: a.Args, Origin: string(origin), Several: a.Several,
		Key: effectKey(runID, a.ActionID, a.IdempotencyScope, a.Tool),
	}
}

// ToolResult is the result of a call.
type ToolResult struct {
	ActionID  string       `json:"action_id"`
	OK        bool         `json:"ok"`
	Status    trace.Status `json:"status"`
	Payload   any          `json:"payload,omitempty"` // not redacted; quarantined where Untrusted
	ErrorCode string       `json:"error_code,omitempty"`
	Retriable bool         `json:"retriable"`
	Error     *tool.Error  `json:"error,omitempty"`
	// Repeated is set if an earlier call had this effect, and this one was not made.
	Repeated bool `json:"repeated,omitempty"`
	// Args are those that the call was made with, after redaction, if the user may have changed them.
	Args map[string]any `json:"args,omitempty"`
	// Untrusted is set if Payload and Error are untrusted content: data, never
	// instructions. From then on every write needs approval.
	Untrusted *tool.Untrusted `json:"untrusted,omitempty"`
}

// ResultOf converts a recorded step into the result of its call. The payload is as recorded,
// without secrets; untrusted content is quarantined again.
func ResultOf(ctx context.Context, s trace.Step) ToolResult {
	r := ToolResult{
		ActionID: s.StepID, OK: s.Status == trace.Done, Status: s.Status, Payload: omitKeys(s.Payload, s.Aside), ErrorCode: s.ErrorCode, Error: s.Error,
		Repeated: slices.Contains(s.PolicyFlags, trace.FlagRepeated), Args: s.Args, Untrusted: s.Untrusted,
	}
	if s.Error != nil {
		r.Retriable = s.Error.Retriable
	}
	if s.Untrusted != nil {
		r.Payload, r.Error = planview.Scan(ctx, r.Payload, r.Error, func(text string) string { return text }, &tool.Untrusted{})
	}
	return r
}

// Limits end a run that does not end by itself. A zero field means unlimited.
type Limits struct {
	MaxSteps    int           `json:"max_steps,omitempty"`     // calls that are made, refused ones included
	MaxWallTime time.Duration `json:"max_wall_time,omitempty"` // of the whole run; what is under way then is interrupted
	MaxFailures int           `json:"max_failures,omitempty"`  // steps that failed, were denied or timed out
	MaxNoOps    int           `json:"max_no_ops,omitempty"`    // answers in a row that do nothing, or the same with the same result
}

// Task is the input of [Engine.RunTask].
type Task struct {
	RunID   string // the caller has begun it in the log
	Origin  plan.Origin
	Planner Planner
	World   plan.World
	Limits  Limits
	// Done are steps of an earlier attempt of the run, by id. They are not
	// repeated, and calls that depend on them may run.
	Done map[string]trace.Step

	// ContinueDenied and ContinuePending return a call that was denied, or that
	// needs approval, to the planner as a result. Otherwise such a call ends the
	// run.
	ContinueDenied, ContinuePending bool

	// For a resumed task: the results of its last calls, how often its planner was
	// asked, how many calls were made, and how many of them failed.
	Results         []ToolResult
	Turn            int
	EarlierCalls    int
	EarlierFailures int

	prepared []Verdict // verdicts of calls of a plan; other calls are evaluated
}

// RunContext is a planner's view of its run. The engine owns it; a planner may
// read it only during Plan.
type RunContext struct {
	RunID   string
	Origin  plan.Origin
	State   trace.RunState
	World   plan.World
	Steps   []trace.Step // all recorded steps of this attempt, in order
	Results []ToolResult // results of the last answer, in the order of its calls
	Limits  Limits
	Turn    int // how often the planner was asked, including now
	Done    map[string]trace.Step

	failures, noOps int
	earlierCalls    int  // calls of earlier attempts
	onDenied        bool // return a denied call to the planner
	onPending       bool // return a call that needs approval to the planner
	pending         []plan.Action
	prepared        []Verdict // see [Task]
	planner         Planner
	lastAnswer      string // signature of the last answer, to detect a repetition
	stop            trace.StopReason
	err             *tool.Error
	response        string
	responded       bool
	payloads        map[string]any
	warnings        []*tool.Error
	progress        *progress
	total           int  // number of a plan's actions; 0 if unknown
	isExecuted      bool // the whole plan is done, so no limit stops its last answer
}

// StepResult is the result of executing one planner answer.
type StepResult struct {
	State   trace.RunState
	Stop    trace.StopReason // empty if the run goes on
	Results []ToolResult
}
