package trace

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
	"errand/planner/message"
)

// Memory is a [Log] and [Reader] in memory, for tests and for runs that must leave
// no trace. The zero Memory is ready to use. Artifacts keep their data and have no
// path.
type Memory struct {
	mu     sync.Mutex
	runs   map[string]*memoryRun
	ledger map[string]*memoryClaim // by key; a Pending one is under way here
	claims int
}

type memoryRun struct {
	run    Run
	steps  []Step
	events []Event
	turns  []Turn
}

var (
	_ Log    = (*Memory)(nil)
	_ Reader = (*Memory)(nil)
)

// Begin implements [Log].
func (m *Memory) Begin(ctx context.Context, run Run) error {
	if err := ctx.Err(); err != nil {
		return tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, taken := m.runs[run.RunID]; taken {
		return RunBegunTwice(run.RunID)
	}
	if m.runs == nil {
		m.runs = map[string]*memoryRun{}
	}
	run.Status = Running
	m.runs[run.RunID] = &memoryRun{run: cloneRun(run)}
	return nil
}

// Note implements [Log].
func (m *Memory) Note(ctx context.Context, event Event) error {
	return m.withRun(ctx, event.RunID, func(r *memoryRun) error {
		event.Time = event.Time.Round(0).UTC()
		stored, err := throughJSON(event)
		if err == nil {
			r.events = append(r.events, stored)
		}
		return err
	})
}

// AddTurn implements [Log].
func (m *Memory) AddTurn(ctx context.Context, turn Turn) error {
	return m.withRun(ctx, turn.RunID, func(r *memoryRun) error {
		turn.At = turn.At.Round(0).UTC()
		stored, err := throughJSON(turn)
		if err == nil {
			r.turns = append(r.turns, stored)
		}
		return err
	})
}

// End implements [Log].
func (m *Memory) End(ctx context.Context, run Run) error {
	return m.withRun(ctx, run.RunID, func(r *memoryRun) error {
		if run.Setting == nil {
			run.Setting = r.run.Setting
		}
		r.run = cloneRun(run)
		m.lose(run.RunID)
		return nil
	})
}

// Runs implements [Reader].
func (m *Memory) Runs(ctx context.Context, limit int) ([]Run, error) {
	if err := ctx.Err(); err != nil {
		return nil, tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	runs := make([]Run, 0, len(m.runs))
	for _, r := range m.runs {
		run := cloneRun(r.run)
		run.Interpretation, run.Result, run.Setting = nil, nil, nil
		runs = append(runs, run)
	}
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), strings.Compare(b.RunID, a.RunID))
	})
	if limit > 0 && len(runs) > limit {
		runs = runs[:limit]
	}
	return runs, nil
}

// Excerpt implements [Reader].
func (m *Memory) Excerpt(ctx context.Context, id string, n int) (Record, error) {
	rec, err := m.Record(ctx, id)
	if err != nil {
		return rec, err
	}
	m.mu.Lock()
	appended := len(m.runs[rec.RunID].steps) // excludes claims without a step
	m.mu.Unlock()
	rec.Steps, rec.OmittedSteps = trimMiddle(rec.Steps, min(appended, len(rec.Steps)), n)
	rec.Events, rec.OmittedEvents = trimMiddle(rec.Events, len(rec.Events), n)
	rec.Turns, rec.OmittedTurns = trimMiddle(rec.Turns, len(rec.Turns), n)
	return rec, nil
}

// trimMiddle removes the middle of the first size elements of a list.
func trimMiddle[T any](list []T, size, n int) ([]T, int) {
	n = max(n, 0)
	if size <= 2*n {
		return list, 0
	}
	return append(append([]T{}, list[:n]...), list[size-n:]...), size - 2*n // and everything after size
}

// Record implements [Reader].
func (m *Memory) Record(ctx context.Context, id string) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []string
	for runID := range m.runs {
		if HasPrefix(runID, id) {
			found = append(found, runID)
		}
	}
	runID, err := OnlyMatch(id, found)
	if err != nil {
		return Record{}, err
	}
	r := m.runs[runID]
	rec := Record{Run: cloneRun(r.run), Steps: []Step{}, Events: []Event{}}
	for _, s := range r.steps {
		stored, err := cloneStep(s)
		if err != nil {
			return Record{}, err
		}
		rec.Steps = append(rec.Steps, stored)
	}
	for _, c := range m.claimsOf(runID) {
		if !c.settled {
			stored, err := cloneStep(c.claimed)
			if err != nil {
				return Record{}, err
			}
			rec.Steps = append(rec.Steps, UnsettledStep(Claim{Key: c.Key, Effect: c.Effect, Step: stored}))
		}
	}
	for _, e := range r.events {
		stored, err := throughJSON(e)
		if err != nil {
			return Record{}, err
		}
		rec.Events = append(rec.Events, stored)
	}
	for _, turn := range r.turns {
		stored, err := throughJSON(turn)
		if err != nil {
			return Record{}, err
		}
		rec.Turns = append(rec.Turns, stored)
	}
	return rec, nil
}

// withRun calls change with the run while it holds the lock.
func (m *Memory) withRun(ctx context.Context, runID string, change func(*memoryRun) error) error {
	if err := ctx.Err(); err != nil {
		return tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.runs[runID]
	if !ok {
		return RunNotBegun(runID)
	}
	return change(r)
}

func cloneRun(r Run) Run {
	r.Interpretation, r.Result, r.Setting = slices.Clone(r.Interpretation), slices.Clone(r.Result), slices.Clone(r.Setting)
	r.StartedAt = r.StartedAt.Round(0).UTC()
	if r.Error != nil {
		e := *r.Error
		r.Error = &e
	}
	return r
}

// cloneStep copies a step through JSON, as a log on disk does, so that both logs
// return the same types.
func cloneStep(s Step) (Step, error) {
	stored, err := throughJSON(s.WithDefaults())
	if err != nil {
		return Step{}, err
	}
	for i, a := range s.Artifacts {
		stored.Artifacts[i].Data = slices.Clone(a.Data)
	}
	return stored, nil
}

func throughJSON[T any](v T) (T, error) {
	var out T
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return out, tool.NewError(tool.ExecutionError, "unrecordable", message.New("record.unrecordable", "cause", err))
	}
	return out, nil
}
