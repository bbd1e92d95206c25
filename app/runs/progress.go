package runs

import (
	"errand/app/drafts"
	"errand/app/planning"
	"errand/host/run"
	"errand/host/trace"
)

// Progress is one thing that happened in a run. Seq grows by one, so that a
// listener sees a gap.
type Progress struct {
	RunID string
	Seq   int
	Event Event
}

// Event is what happened. Its types are [Planned], [Proposed], [StepEvent], [Noted] and
// [Finished].
type Event interface{ event() }

// Planned is the plan that was made of the words, or why there is no plan.
type Planned struct{ planning.Planned }

// Proposed is a draft that the user is asked about.
type Proposed struct{ Draft drafts.View }

// StepEvent is a step that starts, runs or has finished.
type StepEvent struct{ run.Event }

// Noted is something beside the steps, without secrets.
type Noted struct{ trace.Note }

// Finished is the end of the run.
type Finished struct{ Report Report }

func (Planned) event()   {}
func (Proposed) event()  {}
func (StepEvent) event() {}
func (Noted) event()     {}
func (Finished) event()  {}
