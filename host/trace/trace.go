// Package trace is the noun of the record: one [Step] for every call that came
// to the one door, one [Run] around the steps of a plan, and the [Log] that
// keeps them. What the window shows, `errand show` prints ([Print]) and a replay
// reads are projections of it.
//
// Steps and runs reach a Log after redaction; a Log never redacts. [Memory] is
// a Log for tests and dry runs, host/store the one on disk; package tracetest
// holds both to the contract.
package trace

import (
	"context"
	"encoding/json"
	"time"

	"errand/host/tool"
)

// Status is how a step or a run stands.
type Status string

// Statuses of steps and runs.
const (
	Running       Status = "running"
	Done          Status = "done"
	Failed        Status = "failed"
	Denied        Status = "denied"
	NeedsApproval Status = "needs_approval"
	Interrupted   Status = "interrupted"
	Skipped       Status = "skipped" // a step whose dependency failed
)

// Step is the record of one call (trace schema of the agent plan). It is
// written once and never changed.
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
	Reason    string           `json:"reason,omitempty"`     // why it decided so, in words
	Attempts  int              `json:"attempts,omitempty"`   // how often the tool was called; 0: it was not
	Fuel      uint64           `json:"fuel,omitempty"`       // what a metered tool used; see [tool.Result]
	Args      map[string]any   `json:"args"`                 // after redaction
	Payload   any              `json:"payload"`              // after redaction
	Facts     []string         `json:"facts,omitempty"`      // what holds since, after redaction
	Undo      *tool.Inverse    `json:"undo,omitempty"`       // how it is taken back, after redaction
	EffectKey string           `json:"effect_key,omitempty"` // names the call's effect in the ledger; empty: it has none
	Effect    tool.EffectState `json:"effect,omitempty"`     // what is known of it: COMMITTED, UNKNOWN or RELEASED
	Error     *tool.Error      `json:"error,omitempty"`
	// EffectClass is what the call was judged as, where its tool knows better than
	// its spec: a click on a link navigates, any other commits.
	EffectClass tool.Effect `json:"effect_class,omitempty"`
	// Untrusted is on a step whose result holds what others wrote: since then its
	// run's writes ask. Aside names the keys of Payload that no planner was given.
	Untrusted *tool.Untrusted `json:"untrusted,omitempty"`
	Aside     []string        `json:"aside,omitempty"`
}

// RunState is where a run is in its loop (state machine of the agent plan).
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

// StopReason is why a run went no further. Only one that reached its end is
// completed.
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
	StopAwaitingApproval StopReason = "awaiting_approval"
)

// Claim is a call's effect as the ledger has it.
type Claim struct {
	Key    string           `json:"key"`
	Effect tool.EffectState `json:"effect"`
	// Step is the recorded one where Recorded, else the call as it was about to
	// be made. An effect that [Log.Settle] decided has none that is recorded.
	Step     Step `json:"step"`
	Recorded bool `json:"recorded"`
}

// Flags that the dispatcher itself adds to a step's policy flags.
const (
	FlagApproved   = "approved"   // a person said yes to this call
	FlagRetried    = "retried"    // the first attempt failed and was repeated
	FlagAbandoned  = "abandoned"  // the tool did not end with its deadline and was left behind
	FlagUnrecorded = "unrecorded" // the record could not be written; only a step in memory has it
	FlagUnredacted = "unredacted" // redaction failed, so args and payload were left out
	FlagRepeated   = "repeated"   // the effect was there from an earlier call of the same key; the tool was not called
	FlagReconciled = "reconciled" // an earlier call's end was not seen; the tool looked and found its effect
	// FlagUndoWithheld is on a step whose undo holds a secret: without it the
	// undo could not be carried out, and so it is not kept.
	FlagUndoWithheld = "undo_withheld"
)

// Codes of the errors of a [Log] and a [Reader] that callers tell apart.
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

// Event is something that happened within a run and is no step: a connection
// that was let through or stopped, a browser that started.
type Event struct {
	RunID  string         `json:"run_id"`
	StepID string         `json:"step_id,omitempty"`
	Time   time.Time      `json:"time"`
	Kind   string         `json:"kind"` // KindConnection, "browser", …
	Data   map[string]any `json:"data"`
}

// KindConnection is the kind of the events that [Connection] makes.
const KindConnection = "connection"

// Connection is the event of one attempt to reach a host, with policy's verdict
// on it: deny, ask or allow. What else is known of it may be added to Data.
func Connection(runID, stepID string, at time.Time, host string, port int, verdict, rule, reason string) Event {
	return Event{
		RunID: runID, StepID: stepID, Time: at, Kind: KindConnection,
		Data: map[string]any{"host": host, "port": float64(port), "verdict": verdict, "rule": rule, "reason": reason},
	}
}

// Run is the record around the steps of one goal. Interpretation and Plan are
// the JSON documents that the faces show: what was understood, what was meant
// to happen.
type Run struct {
	RunID          string          `json:"run_id"`
	Goal           string          `json:"goal"` // the words, after redaction
	Status         Status          `json:"status"`
	StartedAt      time.Time       `json:"started_at"`
	DurationMS     int64           `json:"duration_ms"`
	Actions        int             `json:"actions"`
	Interpretation json.RawMessage `json:"interpretation"`
	Result         json.RawMessage `json:"result"`
	Answer         string          `json:"answer"`
	Error          *tool.Error     `json:"error,omitempty"`

	State      RunState   `json:"state"`
	StopReason StopReason `json:"stop_reason"`        // empty while it runs
	DraftID    string     `json:"draft_id,omitempty"` // the draft that the run waits for, or was carried out under
	// Setting is what the run was planned in and what a replay needs: the world,
	// the tools, the configuration. Equal ones are kept once.
	Setting json.RawMessage `json:"setting,omitempty"`
}

// Record is a run with all that was written down in it.
type Record struct {
	Run
	Steps  []Step  `json:"steps"`
	Events []Event `json:"events"`

	// Of an excerpt: how many steps and events are left out in the middle. They
	// would come after the first n.
	OmittedSteps  int `json:"omitted_steps,omitempty"`
	OmittedEvents int `json:"omitted_events,omitempty"`
}

// Log keeps runs and steps. Its methods may be called by several goroutines at
// once. What a method has returned nil for survives a crash of the program.
// Errors are *tool.Error; each names one of the codes above or says why the
// place of the record can't be written.
type Log interface {
	// Begin writes a run down as running, before its first call.
	Begin(ctx context.Context, run Run) error
	// Resume takes a run that is not under way, whatever its status, back to
	// running, as this program's own: state INIT, no stop reason, no error. What
	// it had claimed and not settled is unknown from then on. One that a living
	// program carries out is an error with code run_under_way.
	Resume(ctx context.Context, runID string) error
	// Claim writes down, before a call that has an effect, that it is about to
	// be made, in a run that this program has begun or resumed and not ended.
	// step.EffectKey names the effect. A call must be made only where
	// the claim that is returned is Pending: it is then the caller's, until
	// Append settles it. Committed: an earlier call of this key had its effect.
	// Unknown: an earlier call was made and nobody saw its end, because the
	// program died or the tool never answered. While an earlier call of the key
	// is under way, here or in a living program, the error is effect_under_way;
	// it is no longer once Append failed to settle it, or its run has ended.
	// A claim that was not settled shows in the record as a step that was
	// interrupted, with code outcome_unknown.
	Claim(ctx context.Context, step Step) (Claim, error)
	// Append adds a step, settles the claim of its EffectKey as its Effect says
	// (Committed, Unknown or Released; see [Claim.After]) in the same
	// transaction, and moves the data of its artifacts to where they stay; the
	// step that it returns says where. A run may have several steps of one
	// step_id: it was tried again.
	Append(ctx context.Context, step Step) (Step, error)
	// Settle decides an effect that is Unknown: Committed or Released. Anything
	// else than an unknown one is an error with code effect_settled.
	Settle(ctx context.Context, key string, to tool.EffectState) error
	// Note adds an event.
	Note(ctx context.Context, event Event) error
	// End writes down how the run ended. Where run has no Setting, that of Begin
	// stays.
	End(ctx context.Context, run Run) error
}

// Reader reads what a [Log] has kept. Times are in UTC.
type Reader interface {
	// Runs lists the newest runs first, at most limit (0: all), without their
	// Interpretation, Result and Setting.
	Runs(ctx context.Context, limit int) ([]Run, error)
	// Record finds a run by its id or an unambiguous prefix of it, upper and
	// lower case alike. An unknown one is a *tool.Error of class
	// validation_error with code run_not_found. Steps and events are in the
	// order in which they were added; claims that no step tells of come last.
	Record(ctx context.Context, id string) (Record, error)
	// Excerpt is Record with at most the first n and the last n of the steps,
	// and as many of the events: what a person looks at of a run of thousands.
	Excerpt(ctx context.Context, id string, n int) (Record, error)
	// Effects lists what the ledger has of a run, the oldest claim first. An
	// unknown run has none.
	Effects(ctx context.Context, runID string) ([]Claim, error)
}
