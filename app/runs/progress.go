package runs

import "errand/host/run"

// Progress is one thing that happened in a run. Seq grows by one, so that a
// listener sees a gap.
type Progress struct {
	RunID string `json:"run_id"`
	Seq   int    `json:"seq"`
	Kind  string `json:"kind"` // planned, draft, step_started, step_running, step_finished, connection, browser, finished
	Data  any    `json:"data"`
}

// StepEvent is the Data of a [Progress] of the kinds step_started, step_running
// (a heartbeat) and step_finished, under a name that faces may use.
type StepEvent = run.Event
