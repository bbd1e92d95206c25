package run

import (
	"time"

	"errand/host/trace"
)

// EventKind says what an [Event] tells.
type EventKind string

// Kinds of events.
const (
	StepStarted  EventKind = "step_started"
	StepFinished EventKind = "step_finished"
)

// Event is progress of a run.
type Event struct {
	Kind     EventKind   `json:"kind"`
	RunID    string      `json:"run_id"`
	ActionID string      `json:"action_id"`
	Tool     string      `json:"tool"`
	Total    int         `json:"total"`          // actions in the plan
	Step     *trace.Step `json:"step,omitempty"` // of a finished step
}

// farewell is how long a run waits at its end for a listener that lags.
const farewell = time.Second

// progress hands events to a listener without ever waiting for it: its channel
// has room for all the events of the run.
type progress struct {
	events chan Event
	done   chan struct{}
}

// newProgress starts the listener's goroutine; events is the most that will be
// told.
func newProgress(listen func(Event), events int) *progress {
	if listen == nil {
		return nil
	}
	p := &progress{make(chan Event, events), make(chan struct{})}
	go func() { // ends when the run has closed the channel and the listener has returned
		defer close(p.done)
		for e := range p.events {
			if _, err := protect(func() struct{} { listen(e); return struct{}{} }); err != nil {
				for range p.events { // a listener that broke hears no more
				}
			}
		}
	}()
	return p
}

func (p *progress) tell(e Event) {
	if p == nil {
		return
	}
	p.events <- e // has room, see newProgress
}

func (p *progress) close() {
	if p == nil {
		return
	}
	close(p.events)
	t := time.NewTimer(farewell)
	defer t.Stop()
	select {
	case <-p.done:
	case <-t.C:
	}
}
