package run

import (
	"context"
	"time"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

// Planner says what a run does next: the rule planner's plan, or a model. Plan
// is asked again after each of its answers was carried out, and sees in the
// context what came of it. It ends soon after ctx does.
type Planner interface {
	Plan(ctx context.Context, rc *RunContext) (AssistantAction, error)
}

// AssistantAction is a planner's answer: calls to make, or, without any, the
// words that end the run. Neither is an answer that does nothing.
type AssistantAction struct {
	Respond *string
	Calls   []ToolCall
}

// Respond ends a run with words.
func Respond(text string) AssistantAction { return AssistantAction{Respond: &text} }

// ToolCalls are calls to be made together: those that don't depend on one
// another run side by side.
func ToolCalls(calls ...ToolCall) AssistantAction { return AssistantAction{Calls: calls} }

// ToolCall is one call that a planner wants made.
type ToolCall struct {
	ID               string         `json:"id"`
	Name             string         `json:"name"`
	Args             map[string]any `json:"args"`
	DependsOn        []string       `json:"depends_on,omitempty"`        // ids of this answer, or of what was done before
	IdempotencyScope string         `json:"idempotency_scope,omitempty"` // names its effect; empty: the id does
}

// ToolResult is what came of a [ToolCall].
type ToolResult struct {
	ID        string       `json:"id"`
	OK        bool         `json:"ok"`
	Status    trace.Status `json:"status"`
	Payload   any          `json:"payload,omitempty"` // not redacted; quarantined where Untrusted
	ErrorCode string       `json:"error_code,omitempty"`
	Retriable bool         `json:"retriable"`
	Error     *tool.Error  `json:"error,omitempty"`
	// Untrusted says that Payload and Error are the words of others: to be read
	// about, never to be obeyed. Every write from now on asks a person.
	Untrusted *tool.Untrusted `json:"untrusted,omitempty"`
}

// ResultOf is a recorded step as the result of its call: without the payload, and with
// the code alone of an error, where others wrote them.
func ResultOf(s trace.Step) ToolResult {
	s = seenBy(s)
	r := ToolResult{ID: s.StepID, OK: s.Status == trace.Done, Status: s.Status, Payload: s.Payload, ErrorCode: s.ErrorCode, Error: s.Error, Untrusted: s.Untrusted}
	if s.Error != nil {
		r.Retriable = s.Error.Retriable
	}
	return r
}

// Limits end a run that does not end by itself. A zero field is no limit.
type Limits struct {
	MaxSteps    int           `json:"max_steps,omitempty"`     // calls that are made, refused ones included
	MaxWallTime time.Duration `json:"max_wall_time,omitempty"` // of the whole run; what is under way then is interrupted
	MaxFailures int           `json:"max_failures,omitempty"`  // steps that failed, were denied or timed out
	MaxNoOps    int           `json:"max_no_ops,omitempty"`    // answers in a row that do nothing, or the same with the same result
}

// AgentLimits are those of the agent plan: 12 steps, 90 s, 3 failures, 3 no-ops.
func AgentLimits() Limits {
	return Limits{MaxSteps: 12, MaxWallTime: 90 * time.Second, MaxFailures: 3, MaxNoOps: 3}
}

// Task is what [Engine.RunTask] carries out.
type Task struct {
	RunID   string // begun in the log by the caller
	Origin  plan.Origin
	Planner Planner
	World   plan.World
	Limits  Limits
	// Done are steps of an earlier stretch of the run, by id: they are not made
	// again, and what depends on them may go on.
	Done map[string]trace.Step

	// ContinueDenied and ContinuePending hand a call that was denied, or that needs
	// approval, back to the planner as a result. Otherwise it ends the run.
	ContinueDenied, ContinuePending bool

	// Of a task that goes on: what came of its last calls, how often its planner was
	// asked, and how many calls were made.
	Results []ToolResult
	Turn    int
	Made    int

	prepared []Verdict // of the calls of its first answer; nil: they are judged
}

// RunContext is what a planner sees of its run. It belongs to the engine; a
// planner reads it while it is asked and keeps nothing of it.
type RunContext struct {
	RunID   string
	Origin  plan.Origin
	State   trace.RunState
	World   plan.World
	Steps   []trace.Step // all that were recorded in this stretch, in their order
	Results []ToolResult // of the last answer, in the order of its calls
	Limits  Limits
	Turn    int // how often the planner was asked, this time included
	Done    map[string]trace.Step

	failures, noOps int
	made            int  // calls of earlier attempts
	onDenied        bool // a denied call goes back to the planner
	onPending       bool // so does one that needs approval
	pending         []ToolCall
	prepared        []Verdict // of the calls of the next answer
	last            string    // what the last answer did, to see the same again
	stop            trace.StopReason
	fault           *tool.Error
	response        string
	responded       bool
	payloads        map[string]any
	warnings        []*tool.Error
	progress        *progress
	total           int  // of a plan's actions; 0: not known
	carried         bool // all of the plan is done, and no limit ends it before it says so
}

// StepResult is what came of carrying out one answer of a planner.
type StepResult struct {
	State   trace.RunState
	Stop    trace.StopReason // empty: the run goes on
	Results []ToolResult
}
