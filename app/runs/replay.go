package runs

import (
	"errand/host/run"
	"errand/host/trace"
	"errand/planner/interpret/filename"
	"errand/planner/plan"
)

// Replay makes a run repeat a recorded one. The record replaces the user, the network, this
// machine and the store. There are no drafts, and the new record goes to a separate log.
type Replay struct {
	World     plan.World       // at the beginning
	Entries   []filename.Entry // that the words could name
	Questions []plan.Question  // about folders, before the goals were planned
	Log       trace.Log
	// Actions lists the actions to run; nil: all. It is called after the goal was planned.
	Actions func() []string
	// Dispatch sets what decides about calls, and what they need.
	Dispatch func(*run.DispatcherOptions)
}

// log returns the log for records of runs.
func (rs *Runs) log() (trace.Log, error) {
	if rs.o.Replay != nil {
		return rs.o.Replay.Log, nil
	}
	return rs.storage()
}
