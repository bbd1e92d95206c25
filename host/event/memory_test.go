package event

import (
	"context"
	"slices"
	"sort"
	"sync"
)

// Memory is a Journal in memory. Its zero value is ready to use.
type Memory struct {
	mu     sync.Mutex
	events []Event
}

var _ Journal = (*Memory)(nil)

// Publish implements [Journal].
func (m *Memory) Publish(ctx context.Context, e Event) (Event, error) {
	if err := ctx.Err(); err != nil {
		return Event{}, asError(err)
	}
	if err := e.Validate(); err != nil {
		return Event{}, err
	}
	e.Resources = slices.Clone(e.Resources)
	m.mu.Lock()
	defer m.mu.Unlock()
	e.Seq = int64(len(m.events)) + 1
	m.events = append(m.events, e)
	return e, nil
}

// EventsSince implements [Journal].
func (m *Memory) EventsSince(ctx context.Context, seq int64, prefix Prefix, limit int) ([]Event, error) {
	if err := prefix.Validate(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	events := m.events[:len(m.events):len(m.events)] // stored events never change
	m.mu.Unlock()
	first := sort.Search(len(events), func(i int) bool { return events[i].Seq > seq })
	var out []Event
	for i, e := range events[first:] {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, asError(ctx.Err())
		}
		if slices.ContainsFunc(e.Resources, prefix.Matches) {
			if out = append(out, e); len(out) == limit {
				break
			}
		}
	}
	return out, nil
}

// LastSeq implements [Journal].
func (m *Memory) LastSeq(ctx context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.events)), nil
}
