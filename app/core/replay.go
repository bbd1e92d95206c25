package core

import (
	"context"

	"errand/host/tool"
)

// Replay is what came of carrying a record out again, offline, with the recorded
// results in place of the tools.
type Replay struct {
	RunID string `json:"run_id"`
	Goal  string `json:"goal"`
	// Recorded and Now are the versions of the program that wrote the record and
	// that replayed it.
	Recorded string `json:"recorded_version"`
	Now      string `json:"version"`

	Same       bool        `json:"same"`
	Difference *Difference `json:"difference"` // the first one; nil: Same
	Compared   Compared    `json:"compared"`
	// NotCompared is what the record can't answer for, such as what redaction
	// changed. It is never a difference.
	NotCompared []NotCompared `json:"not_compared"`
}

// Difference is one thing that the record says otherwise than its replay.
type Difference struct {
	Where    string `json:"where"`             // interpretation, result, step, answer or run
	StepID   string `json:"step_id,omitempty"` // of an action of the plan, or of a step
	Field    string `json:"field"`             // a JSON pointer into an interpretation or a result, else the field's name
	Recorded any    `json:"recorded"`          // nil: it is not there
	Now      any    `json:"now"`               // nil: it is not there
}

// Compared counts what was held against the record until the first difference.
type Compared struct {
	Interpretation bool `json:"interpretation"`
	Plan           bool `json:"plan"`
	Actions        int  `json:"actions"` // of the plan
	Steps          int  `json:"steps"`
}

// NotCompared is one thing that was left out of a replay, and why.
type NotCompared struct {
	Where  string `json:"where"`
	StepID string `json:"step_id,omitempty"`
	Field  string `json:"field"`
	Why    string `json:"why"` // "redacted", …
}

// Replay carries a run of the record, or of a file that [App.Export] wrote, out
// again: interpreted and planned with the recorded setting, judged by the
// recorded policy, each call answered from its recorded step. It touches no
// network, no tool, no record and nothing of this machine beside reading. A
// difference is a [Replay], not an error. A run that was recorded without its
// setting is a *tool.Error with code no_setting, a file that is no bundle one
// with a code of package bundle.
func (a *App) Replay(ctx context.Context, idOrFile string) (Replay, error) {
	return Replay{}, tool.Errorf(tool.ToolUnavailable, "not_built", "replay is being built")
}

// PolicyToday judges the recorded plan by this program's own policy, as of now,
// and lists each action whose verdict or rule is no longer the recorded one.
func (a *App) PolicyToday(ctx context.Context, idOrFile string) ([]Difference, error) {
	return nil, tool.Errorf(tool.ToolUnavailable, "not_built", "replay is being built")
}
