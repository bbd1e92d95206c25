package trace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"errand/host/tool"
)

// Memory is a [Log] and [Reader] that keeps everything in memory: for tests
// and for runs that shall leave nothing behind. The zero Memory is ready.
// Artifacts keep their data and get no path.
type Memory struct {
	mu   sync.Mutex
	runs map[string]*memoryRun
	// ledger has the effects by key; one that is Pending is under way here.
	ledger map[string]Claim
}

type memoryRun struct {
	run    Run
	steps  []Step
	events []Event
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

// Resume implements [Log].
func (m *Memory) Resume(ctx context.Context, runID string) error {
	return m.in(ctx, runID, func(r *memoryRun) error {
		if r.run.Status == Running {
			return RunUnderWay(runID)
		}
		r.run.Status, r.run.StopReason, r.run.Error = Running, "", nil
		return nil
	})
}

// Claim implements [Log].
func (m *Memory) Claim(ctx context.Context, step Step) (Claim, error) {
	var claim Claim
	err := m.in(ctx, step.RunID, func(*memoryRun) error {
		kept, err := cloneStep(step)
		if err != nil {
			return err
		}
		earlier, made := m.ledger[step.EffectKey]
		switch {
		case made && earlier.Effect == tool.Pending:
			return EffectUnderWay(step)
		case made && earlier.Effect != tool.Released:
			claim = earlier
			return nil
		}
		if m.ledger == nil {
			m.ledger = map[string]Claim{}
		}
		claim = Claim{step.EffectKey, tool.Pending, kept}
		m.ledger[step.EffectKey] = claim
		return nil
	})
	return claim, err
}

// Settle implements [Log].
func (m *Memory) Settle(ctx context.Context, key string, to tool.EffectState) error {
	if err := ctx.Err(); err != nil {
		return tool.AsError(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.ledger[key]
	if c.Effect != tool.Unknown || to != tool.Committed && to != tool.Released {
		return EffectSettled(key, c.Effect)
	}
	c.Effect = to
	m.ledger[key] = c
	return nil
}

// Append implements [Log].
func (m *Memory) Append(ctx context.Context, step Step) (Step, error) {
	step = step.WithDefaults()
	step.Artifacts = slices.Clone(step.Artifacts)
	for i, a := range step.Artifacts {
		if a.Data == nil {
			continue
		}
		sum := sha256.Sum256(a.Data)
		a.SHA256, a.Size, a.Data = hex.EncodeToString(sum[:]), int64(len(a.Data)), slices.Clone(a.Data)
		step.Artifacts[i] = a
	}
	err := m.in(ctx, step.RunID, func(r *memoryRun) error {
		kept, err := cloneStep(step)
		if err != nil {
			return err
		}
		r.steps = append(r.steps, kept)
		if _, claimed := m.ledger[step.EffectKey]; claimed && step.EffectKey != "" {
			m.ledger[step.EffectKey] = Claim{step.EffectKey, step.Effect, kept}
		}
		return nil
	})
	return step, err
}

// Note implements [Log].
func (m *Memory) Note(ctx context.Context, event Event) error {
	return m.in(ctx, event.RunID, func(r *memoryRun) error {
		event.Time = event.Time.Round(0).UTC()
		kept, err := throughJSON(event)
		if err == nil {
			r.events = append(r.events, kept)
		}
		return err
	})
}

// End implements [Log].
func (m *Memory) End(ctx context.Context, run Run) error {
	return m.in(ctx, run.RunID, func(r *memoryRun) error {
		r.run = cloneRun(run)
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
		run.Interpretation, run.Result = nil, nil
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
	runID, err := Only(id, found)
	if err != nil {
		return Record{}, err
	}
	r := m.runs[runID]
	rec := Record{Run: cloneRun(r.run), Steps: []Step{}, Events: []Event{}}
	for _, s := range r.steps {
		kept, err := cloneStep(s)
		if err != nil {
			return Record{}, err
		}
		rec.Steps = append(rec.Steps, kept)
	}
	for _, key := range slices.Sorted(maps.Keys(m.ledger)) {
		if c := m.ledger[key]; c.Step.RunID == runID && c.Effect == tool.Pending {
			rec.Steps = append(rec.Steps, Unsettled(c.Step, rec.Status == Running))
		}
	}
	for _, e := range r.events {
		kept, err := throughJSON(e)
		if err != nil {
			return Record{}, err
		}
		rec.Events = append(rec.Events, kept)
	}
	return rec, nil
}

// in calls change with the run, under the lock.
func (m *Memory) in(ctx context.Context, runID string, change func(*memoryRun) error) error {
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
	r.Interpretation, r.Result = slices.Clone(r.Interpretation), slices.Clone(r.Result)
	r.StartedAt = r.StartedAt.Round(0).UTC()
	if r.Error != nil {
		e := *r.Error
		r.Error = &e
	}
	return r
}

// cloneStep copies a step through JSON, as a log on disk does, so that tests
// against memory see the types that the record will have.
func cloneStep(s Step) (Step, error) {
	kept, err := throughJSON(s.WithDefaults())
	if err != nil {
		return Step{}, err
	}
	for i, a := range s.Artifacts {
		kept.Artifacts[i].Data = slices.Clone(a.Data)
	}
	return kept, nil
}

func throughJSON[T any](v T) (T, error) {
	var out T
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return out, tool.Errorf(tool.ExecutionError, "unrecordable", "write the record as JSON: %v", err)
	}
	return out, nil
}
