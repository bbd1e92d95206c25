package run

import (
	"sync"
	"time"

	"errand/host/trace"
)

// EventKind is the kind of an [Event].
type EventKind string

// Kinds of events.
const (
	StateEntered EventKind = "state"
	StepStarted  EventKind = "step_started"
	StepRunning  EventKind = "step_running" // a heartbeat: the call is still under way
	StepFinished EventKind = "step_finished"
)

// Event is progress of a run.
type Event struct {
	Kind      EventKind      `json:"kind"`
	RunID     string         `json:"run_id"`
	State     trace.RunState `json:"state,omitempty"` // that was entered
	ActionID  string         `json:"action_id,omitempty"`
	Tool      string         `json:"tool,omitempty"`
	Total     int            `json:"total"`                // calls in the plan, or in the planner's answer
	ElapsedMS int64          `json:"elapsed_ms,omitempty"` // of a call under way
	Step      *trace.Step    `json:"step,omitempty"`       // of a finished call
}

// listenerWait is how long a run waits at its end for a slow listener. lastFarewell
// applies when the run's time is up.
const (
	listenerWait      = time.Second
	finalListenerWait = 250 * time.Millisecond
)

// maxQueuedEvents is how many events may be queued for a listener before heartbeats are
// dropped. Other events are always kept.
const maxQueuedEvents = 256

// progress passes events to a listener and never blocks the run.
type progress struct {
	mu     sync.Mutex
	events []Event
	closed bool
	more   chan struct{} // has one element if events are queued
	done   chan struct{}
}

// newProgress starts the listener's goroutine. It ends after the run has closed it
// and the listener has returned.
func newProgress(listen func(Event)) *progress {
	if listen == nil {
		return nil
	}
	p := &progress{more: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		broken := false // a listener that panicked gets no more events
		for range p.more {
			events, closed := p.take()
			for _, e := range events {
				if broken {
					break
				}
				_, err := catchPanic(func() struct{} { listen(e); return struct{}{} })
				broken = err != nil
			}
			if closed {
				return
			}
		}
	}()
	return p
}

func (p *progress) take() (events []Event, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	events, p.events = p.events, nil
	return events, p.closed
}

func (p *progress) send(e Event) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || e.Kind == StepRunning && len(p.events) > maxQueuedEvents {
		return
	}
	p.events = append(p.events, e)
	p.signal()
}

func (p *progress) signal() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

func (p *progress) close(stop trace.StopReason) {
	if p == nil {
		return
	}
	wait := listenerWait
	if stop == trace.StopMaxWallTime {
		wait = finalListenerWait
	}
	p.mu.Lock()
	p.closed = true
	p.signal()
	p.mu.Unlock()
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-p.done:
	case <-t.C:
	}
}
