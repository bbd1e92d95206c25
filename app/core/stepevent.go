package core

import "errand/host/run"

// StepEvent is the Data of a [Progress] of the kinds step_started, step_running
// (a heartbeat) and step_finished, under a name that faces may use.
type StepEvent = run.Event
