// Package trace is the noun of the record: one [Step] for every call that came
// to the one door, one [Run] around the steps of a plan, and the [Log] that
// keeps them. What the window shows, `errand show` prints and a replay reads
// are projections of it.
//
// Steps and runs reach a Log after redaction; a Log never redacts.
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

	StartedAt time.Time      `json:"started_at"`
	Verdict   string         `json:"verdict"` // allow, ask or deny
	Rule      string         `json:"rule"`    // the policy rule that decided
	Args      map[string]any `json:"args"`    // after redaction
	Payload   any            `json:"payload"` // after redaction
	Error     *tool.Error    `json:"error,omitempty"`
}

// Event is something that happened within a run and is no step: a connection
// that was let through or stopped, a browser that started.
type Event struct {
	RunID  string         `json:"run_id"`
	StepID string         `json:"step_id,omitempty"`
	Time   time.Time      `json:"time"`
	Kind   string         `json:"kind"` // "connection", "browser", …
	Data   map[string]any `json:"data"`
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
}

// Record is a run with all that was written down in it.
type Record struct {
	Run
	Steps  []Step  `json:"steps"`
	Events []Event `json:"events"`
}

// Log keeps runs and steps. Its methods may be called by several goroutines at
// once. A step that was appended survives a crash of the program.
type Log interface {
	// Begin writes a run down as running, before its first call.
	Begin(ctx context.Context, run Run) error
	// Append adds a step and moves the data of its artifacts to where they
	// stay; the step that it returns says where.
	Append(ctx context.Context, step Step) (Step, error)
	// Note adds an event.
	Note(ctx context.Context, event Event) error
	// End writes down how the run ended.
	End(ctx context.Context, run Run) error
}

// Reader reads what a [Log] has kept.
type Reader interface {
	// Runs lists the newest runs first, at most limit (0: all).
	Runs(ctx context.Context, limit int) ([]Run, error)
	// Record finds a run by its id or an unambiguous prefix of it. An unknown
	// one is a *tool.Error of class validation_error with code run_not_found.
	Record(ctx context.Context, id string) (Record, error)
}
