package event

import (
	"context"
	"slices"
	"sort"
	"sync"
)

// Journal keeps events in their order. Its methods may be called by several
// goroutines at once. Errors are *tool.Error.
//
// Sequence numbers ascend in the order in which events can be read: once one can
// be, none with a lower number is added. Numbers may be left out.
type Journal interface {
	// Publish adds an event that is valid and gives it its Seq. What it has
	// returned without an error survives a crash of the program.
	Publish(ctx context.Context, e Event) (Event, error)
	// Since lists the events after seq that prefix selects, the oldest first, at
	// most limit (0: all). An event is selected when one of its resources is.
	Since(ctx context.Context, seq int64, prefix Prefix, limit int) ([]Event, error)
	// Last is the sequence number of the newest event, 0 where there is none.
	Last(ctx context.Context) (int64, error)
}

// Memory is a Journal that forgets everything with the program. Its zero value
// is ready.
type Memory struct {
	mu     sync.Mutex
	events []Event
}

var _ Journal = (*Memory)(nil)

// Publish adds an event.
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

// Since lists events.
func (m *Memory) Since(ctx context.Context, seq int64, prefix Prefix, limit int) ([]Event, error) {
	if err := prefix.Validate(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	events := m.events[:len(m.events):len(m.events)] // what is in it never changes
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

// Last is the newest event's number.
func (m *Memory) Last(ctx context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(len(m.events)), nil
}
