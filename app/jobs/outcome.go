package jobs

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"errand/host/jobs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Outcome is how far a job came, without secrets. A job keeps it.
type Outcome struct {
	Begun       bool             `json:"begun,omitempty"` // its run was recorded
	State       trace.RunState   `json:"state,omitempty"`
	StopReason  trace.StopReason `json:"stop_reason,omitempty"`
	DraftID     string           `json:"draft_id,omitempty"`
	Answer      message.Message  `json:"answer,omitzero"`
	Steps       int              `json:"steps,omitempty"`
	Failures    int              `json:"failures,omitempty"`
	WallTimeMS  int64            `json:"wall_time_ms,omitempty"`
	Error       *tool.Error      `json:"error,omitempty"`
	Transitions []Transition     `json:"transitions,omitempty"`
}

// Transition is a state that the run of a job entered.
type Transition struct {
	State trace.RunState `json:"state"`
	At    time.Time      `json:"at"`
}

// View is a job as faces show it.
type View struct {
	jobs.Job
	Outcome Outcome
}

// readOutcome returns the outcome that a job has kept.
func readOutcome(j jobs.Job) Outcome {
	var o Outcome
	_ = json.Unmarshal(j.Outcome, &o) // it was written by this package
	return o
}

func (s *Service) view(j jobs.Job) View {
	v := View{j, readOutcome(j)}
	if list := s.states.list(j.ID); len(list) > 0 && !j.Status.IsFinal() {
		v.Outcome.Transitions, v.Outcome.State = list, list[len(list)-1].State
	}
	return v
}

// outcomeOf returns the outcome of a recorded run.
func outcomeOf(rec trace.Record) Outcome {
	o := Outcome{
		Begun: true, State: rec.State, StopReason: rec.StopReason, DraftID: rec.DraftID, Answer: rec.Answer,
		Steps: len(rec.Steps), WallTimeMS: rec.DurationMS, Error: rec.Error,
	}
	for _, step := range rec.Steps {
		if step.Status == trace.Failed || step.Status == trace.Denied {
			o.Failures++
		}
	}
	return o
}

// keep returns the outcome as a queue keeps it. It adds the states of the run.
func (s *Service) keep(j jobs.Job, status jobs.Status, o Outcome, until time.Time) jobs.Outcome {
	o.Transitions = s.states.list(j.ID)
	if last := len(o.Transitions) - 1; o.Begun && o.State != "" && (last < 0 || o.Transitions[last].State != o.State) {
		o.Transitions = append(o.Transitions, Transition{o.State, s.o.Now().UTC()})
	}
	body, err := json.Marshal(o)
	if err != nil { // an outcome is plain data
		panic(err)
	}
	return jobs.Outcome{Status: status, Body: body, Until: until}
}

// failure is the outcome of a job whose attempts have all failed.
func (s *Service) failure(j jobs.Job, err error) json.RawMessage {
	o := readOutcome(j)
	o.Error = s.o.Reader.CleanError(err)
	return s.keep(j, jobs.Failed, o, time.Time{}).Body
}

// statusOf returns the status of a job whose run has ended.
func statusOf(s trace.Status) jobs.Status {
	switch s {
	case trace.Done:
		return jobs.Done
	case trace.Cancelled:
		return jobs.Cancelled
	}
	return jobs.Failed
}

func isNoRun(err error) bool {
	var e *tool.Error
	return errors.As(err, &e) && e.Code == trace.CodeRunNotFound
}

// stateTracker keeps the states of the runs under way in this program.
type stateTracker struct {
	mu   sync.Mutex
	runs map[string][]Transition
}

// begin forgets what is known of a run but the states of earlier attempts.
func (t *stateTracker) begin(id string, earlier []Transition) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.runs == nil {
		t.runs = map[string][]Transition{}
	}
	t.runs[id] = slices.Clone(earlier)
}

// maxTransitions bounds the states of one job that are kept.
const maxTransitions = 1000

func (t *stateTracker) add(id string, state trace.RunState, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list := t.runs[id]; len(list) < maxTransitions {
		t.runs[id] = append(list, Transition{state, at.UTC()})
	}
}

func (t *stateTracker) list(id string) []Transition {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.runs[id])
}

func (t *stateTracker) end(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.runs, id)
}
