// Package trace defines the record: one [Step] for each dispatched call, one [Run]
// for the steps of a plan, and the [Log] that stores them. The window, `errand
// show` and replay all read it.
//
// The caller redacts steps and runs before it passes them to a Log. [Memory] is a
// Log for tests and dry runs; host/store has the one on disk. Package tracetest
// tests both.
package trace

import (
	"context"
	"encoding/json"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Status is the status of a step or a run.
type Status string

// Statuses of steps and runs.
const (
	Running       Status = "running"
	Done          Status = "done"
	Failed        Status = "failed"
	Denied        Status = "denied"
	NeedsApproval Status = "needs_approval"
	Interrupted   Status = "interrupted"
	Cancelled     Status = "cancelled" // the user said no
	Skipped       Status = "skipped"   // a step whose dependency failed
)

// Step is the record of one call (trace schema of the agent plan). It never
// changes after it was written.
type Step struct {
	RunID       string          `json:"run_id"`
	StepID      string          `json:"step_id"` // the action's id
	ToolName    string          `json:"tool_name"`
	ArgsHash    string          `json:"args_hash"`
	DurationMS  int64           `json:"duration_ms"`
	Status      Status          `json:"status"`
	ErrorCode   string          `json:"error_code"`
	Artifacts   []tool.Artifact `json:"artifacts"`
	PolicyFlags []string        `json:"policy_flags"`

	StartedAt time.Time        `json:"started_at"`
	Verdict   string           `json:"verdict"`              // allow, ask or deny; empty: the call was refused before policy was asked
	Rule      string           `json:"rule"`                 // the policy rule that decided
	Reason    message.Message  `json:"reason,omitzero"`      // why it decided so
	Attempts  int              `json:"attempts,omitempty"`   // how often the tool was called; 0: it was not
	Fuel      uint64           `json:"fuel,omitempty"`       // what a metered tool used; see [tool.Result]
	Args      map[string]any   `json:"args"`                 // after redaction
	Payload   any              `json:"payload"`              // after redaction
	Facts     []string         `json:"facts,omitempty"`      // what holds since, after redaction
	Undo      *tool.Inverse    `json:"undo,omitempty"`       // how to undo it, after redaction
	EffectKey string           `json:"effect_key,omitempty"` // names the call's effect in the ledger; empty: it has none
	Effect    tool.EffectState `json:"effect,omitempty"`     // what is known of it: COMMITTED, UNKNOWN or RELEASED
	Error     *tool.Error      `json:"error,omitempty"`
	// EffectClass is the effect of this call, if the tool knows it better than its
	// spec. For example, a click on a link navigates and any other click commits.
	EffectClass tool.Effect `json:"effect_class,omitempty"`
	// RiskLevel is the risk of this call as its decision saw it: "LOW", "MEDIUM" or "HIGH";
	// empty: that of its tool.
	RiskLevel string `json:"risk_level,omitempty"`
	// Site is the site of the page that the call could act on; empty: any page.
	Site string `json:"site,omitempty"`
	// Untrusted is set if the result holds untrusted content. Later writes of the
	// run need approval. Aside names the keys of Payload that planners don't get.
	Untrusted *tool.Untrusted `json:"untrusted,omitempty"`
	Aside     []string        `json:"aside,omitempty"`
}

// RunState is the state of a run's loop (state machine of the agent plan).
type RunState string

// States of a run.
const (
	StateInit        RunState = "INIT"
	StatePlan        RunState = "PLAN"
	StateExecuteTool RunState = "EXECUTE_TOOL"
	StateObserve     RunState = "OBSERVE"
	StateRespond     RunState = "RESPOND"
	StateStop        RunState = "STOP"
	StateError       RunState = "ERROR"
)

// StopReason is why a run stopped. Only a run that reached its end is completed.
type StopReason string

// Reasons to stop.
const (
	StopMaxSteps         StopReason = "max_steps"
	StopMaxWallTime      StopReason = "max_wall_time"
	StopMaxFailures      StopReason = "max_failures"
	StopNoOpLoop         StopReason = "no_op_loop"
	StopPolicyDenied     StopReason = "policy_denied"
	StopCompleted        StopReason = "completed"
	StopError            StopReason = "error"
	StopInterrupted      StopReason = "interrupted"
	StopCancelled        StopReason = "cancelled" // the user said no
	StopAwaitingApproval StopReason = "awaiting_approval"
)

// Claim is the ledger's entry for the effect of a call.
type Claim struct {
	Key    string           `json:"key"`
	Effect tool.EffectState `json:"effect"`
	// Step is the recorded step if Recorded is set, else the call before it was
	// made. An effect that [Log.Settle] decided has no recorded step.
	Step     Step `json:"step"`
	Recorded bool `json:"recorded"`
}

// Flags that the dispatcher adds to a step's policy flags, beside the id of the rule that
// denied the call.
const (
	FlagApproved   = "approved"   // the user approved this call
	FlagRetried    = "retried"    // the first attempt failed and was repeated
	FlagAbandoned  = "abandoned"  // the tool did not end with its deadline and was left behind
	FlagUnrecorded = "unrecorded" // the record could not be written; only a step in memory has it
	FlagUnredacted = "unredacted" // redaction failed, so args and payload were left out
	FlagRepeated   = "repeated"   // the effect was there from an earlier call of the same key; the tool was not called
	FlagReconciled = "reconciled" // an earlier call's end was not seen; the tool looked and found its effect
	// FlagUndoWithheld marks a step whose undo contains a secret. The undo could
	// not be executed without the secret, so it is not stored.
	FlagUndoWithheld = "undo_withheld"
	// FlagHidden marks a step that read a page which hides text from people.
	FlagHidden = "hidden_text_suspected"
	// FlagBlocked is followed by the number of connections that policy blocked until the
	// call ended: "blocked:3".
	FlagBlocked = "blocked:"
)

// Error codes of a [Log] and a [Reader].
const (
	CodeRunNotFound    = "run_not_found"    // no run has the id or prefix
	CodeRunAmbiguous   = "run_ambiguous"    // several runs begin with the prefix
	CodeRunNotBegun    = "run_not_begun"    // a step or event of a run that the log doesn't know
	CodeRunBegunTwice  = "run_begun_twice"  // the id is taken
	CodeRunEnded       = "run_ended"        // a call in a run that has ended, or is another program's
	CodeOutcomeUnknown = "outcome_unknown"  // a call began and nothing says how it ended
	CodeEffectUnderWay = "effect_under_way" // another call of the same key has not ended
	CodeEffectSettled  = "effect_settled"   // what was to be settled is not unknown
	CodeEffectUnnamed  = "effect_unnamed"   // a claim without a key
	CodeRunUnderWay    = "run_under_way"    // a living program carries the run out
)

// Event is something else that happened during a run, such as a connection that
// was allowed or blocked, or the start of a browser.
type Event struct {
	RunID  string         `json:"run_id"`
	StepID string         `json:"step_id,omitempty"`
	Time   time.Time      `json:"time"`
	Kind   string         `json:"kind"` // KindConnection, "browser", …
	Data   map[string]any `json:"data"` // plain JSON; messages as [message.Message.PlainValue] has them
}

// KindConnection is the kind of events of a [ConnectionNote].
const KindConnection = "connection"

// Message returns the message with this name in Data, or the zero Message.
func (e Event) Message(name string) message.Message { return message.FromPlain(e.Data[name]) }

// Run is the record of one goal. Interpretation and Plan are the JSON documents
// that the faces show: the parsed goal and the intended actions.
type Run struct {
	RunID          string          `json:"run_id"`
	Goal           string          `json:"goal"` // the words, after redaction
	Status         Status          `json:"status"`
	StartedAt      time.Time       `json:"started_at"`
	DurationMS     int64           `json:"duration_ms"`
	Actions        int             `json:"actions"`
	Interpretation json.RawMessage `json:"interpretation"`
	Result         json.RawMessage `json:"result"`
	Answer         message.Message `json:"answer"`
	Error          *tool.Error     `json:"error,omitempty"`

	State      RunState   `json:"state"`
	StopReason StopReason `json:"stop_reason"`        // empty while it runs
	DraftID    string     `json:"draft_id,omitempty"` // the draft that the run waits for, or that it applied
	// Setting is the input of planning, which replay needs: world, tools and
	// configuration. Equal settings are stored once.
	Setting json.RawMessage `json:"setting,omitempty"`
}

// Turn is an entry of the conversation with a planner that chooses the steps of a run, such
// as a language model. The planner defines Body.
type Turn struct {
	RunID     string          `json:"run_id"`
	Number    int             `json:"turn"` // of the planner's answer, from 1; several entries may have it
	Role      string          `json:"role"` // who says it
	At        time.Time       `json:"at"`
	ElapsedMS int64           `json:"elapsed_ms"` // how long the run had worked
	Body      json.RawMessage `json:"body"`       // after redaction
}

// Record is a run with its steps, events and turns.
type Record struct {
	Run
	Steps  []Step  `json:"steps"`
	Events []Event `json:"events"`
	Turns  []Turn  `json:"turns,omitempty"`

	// For an excerpt: the number of steps, events and turns omitted after the first n.
	OmittedSteps  int `json:"omitted_steps,omitempty"`
	OmittedEvents int `json:"omitted_events,omitempty"`
	OmittedTurns  int `json:"omitted_turns,omitempty"`
}

// Log stores runs and steps. Its methods are safe for concurrent use. Once a
// method has returned nil, its change survives a crash. Errors are *tool.Error;
// each has one of the codes above or says why the record can't be written.
type Log interface {
	// Begin records a run as running, before its first call.
	Begin(ctx context.Context, run Run) error
	// Resume sets a run that is not under way to running in this program, whatever
	// its status: state INIT, no stop reason, no error. Its pending claims become
	// unknown. seen is the run as the caller read it. If a living program executes
	// the run, or has executed it since it was read, the error has code
	// run_under_way.
	Resume(ctx context.Context, seen Run) error
	// Claim records a call with an effect before it is made. This program must
	// have begun or resumed the run and not ended it. step.EffectKey names the
	// effect.
	//
	// Make the call only if the returned claim is Pending; the caller then owns it
	// until Append settles it. Committed means that an earlier call with this key
	// had its effect. Unknown means that an earlier call has no recorded result,
	// because the program died or the tool never answered.
	//
	// While an earlier call with the key is under way, here or in another living
	// program, the error is effect_under_way. That ends when Append fails to
	// settle the claim or the run ends. The record shows an unsettled claim as an
	// interrupted step with code outcome_unknown.
	Claim(ctx context.Context, step Step) (Claim, error)
	// Append adds a step. In the same transaction it settles the claim of its
	// EffectKey according to its Effect (Committed, Unknown or Released; see
	// [Claim.AfterStep]) and stores the data of its artifacts. The returned step has
	// their locations. A run may have several steps with one step_id, one per
	// attempt.
	Append(ctx context.Context, step Step) (Step, error)
	// Settle decides an Unknown effect: Committed or Released. For any other
	// effect the error has code effect_settled.
	Settle(ctx context.Context, key string, to tool.EffectState) error
	// Note adds an event.
	Note(ctx context.Context, event Event) error
	// AddTurn adds an entry to the conversation of a run.
	AddTurn(ctx context.Context, turn Turn) error
	// End records how the run ended. If run has no Setting, the one from Begin
	// stays.
	End(ctx context.Context, run Run) error
}

// Reader reads what a [Log] has stored. Times are in UTC.
type Reader interface {
	// Runs returns the newest runs first, without Interpretation, Result and
	// Setting. limit is the maximum number of runs; 0 means all.
	Runs(ctx context.Context, limit int) ([]Run, error)
	// Record returns the run with this id or unambiguous prefix; case does not
	// matter. If there is none, the error is a *tool.Error of class
	// validation_error with code run_not_found. Steps, events and turns are in the
	// order in which they were added; claims without a step follow the steps.
	Record(ctx context.Context, id string) (Record, error)
	// Excerpt is Record with at most the first n and the last n steps, and the
	// same for events and turns.
	Excerpt(ctx context.Context, id string, n int) (Record, error)
	// Effects returns a run's ledger entries, the oldest claim first. An unknown
	// run has none.
	Effects(ctx context.Context, runID string) ([]Claim, error)
}
