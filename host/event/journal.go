package event

import (
	"context"
	"slices"
	"sort"
	"sync"
)

// Journal stores events in order. Its methods are safe for concurrent use. Errors
// are *tool.Error.
//
// Sequence numbers ascend in reading order: after an event can be read, none with
// a lower number is added. There may be gaps.
type Journal interface {
	// Publish stores a valid event and sets its Seq. Once it has returned without
	// an error, the event survives a crash.
	Publish(ctx context.Context, e Event) (Event, error)
	// Since returns the events after seq that prefix selects, the oldest first.
	// limit is the maximum number of events; 0 means all. An event is selected if
	// one of its resources is.
	Since(ctx context.Context, seq int64, prefix Prefix, limit int) ([]Event, error)
	// Last returns the sequence number of the newest event, or 0 if there is none.
	Last(ctx context.Context) (int64, error)
}

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

// Since implements [Journal].
func (m *Memory) Since(ctx context.Context, seq int64, prefix Prefix, limit int) ([]Event, error) {
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

// Last implements [Journal].
func (m *Memory) Last(ctx context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.events)), nil
}
