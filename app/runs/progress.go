package runs

import (
	"errand/app/drafts"
	"errand/app/planning"
	"errand/host/run"
	"errand/host/trace"
)

// Progress is one event of a run. Seq grows by one, so that a listener notices a gap.
type Progress struct {
	RunID string
	Seq   int
	Event Event
}

// Event is what happened. Its types are [PlanEvent], [TaskEvent], [PartialEvent], [TurnEvent],
// [DecisionEvent], [DraftEvent], [StepEvent], [NoteEvent] and [EndEvent].
type Event interface{ event() }

// PlanEvent is the plan that was made of the words, or why there is no plan.
type PlanEvent struct{ planning.Planned }

// TaskEvent says that the record of a task is open and its planner is asked.
type TaskEvent struct{ Limits run.Limits }

// TurnEvent is an entry of the conversation with the planner of a task, as it was recorded.
type TurnEvent struct{ trace.Turn }

// PartialEvent is how far the text of a turn is that a planner still makes, without secrets. It is not
// recorded.
type PartialEvent struct {
	Number int
	Text   string
}

// DecisionEvent has the decisions on the actions of a plan that runs without a draft.
type DecisionEvent struct{ Verdicts []Verdict }

// DraftEvent is a draft that the user is asked about.
type DraftEvent struct{ Draft drafts.View }

// StepEvent is a step that starts, runs or has finished.
type StepEvent struct{ run.Event }

// NoteEvent is something beside the steps, without secrets.
type NoteEvent struct{ trace.Note }

// EndEvent is the end of the run.
type EndEvent struct{ Report Report }

func (PlanEvent) event()     {}
func (TaskEvent) event()     {}
func (TurnEvent) event()     {}
func (PartialEvent) event()  {}
func (DecisionEvent) event() {}
func (DraftEvent) event()    {}
func (StepEvent) event()     {}
func (NoteEvent) event()     {}
func (EndEvent) event()      {}
