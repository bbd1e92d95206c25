package event

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"errand/host/tool"
	"errand/planner/message"
)

// Filter selects events. An empty field selects all events; an event must match
// all three fields.
type Filter struct {
	Prefix      Prefix // must match one of the event's resources
	Sources     []string
	DetailTypes []DetailType
}

// Matches reports whether f selects e.
func (f Filter) Matches(e Event) bool {
	return (len(f.Sources) == 0 || slices.Contains(f.Sources, e.Source)) &&
		(len(f.DetailTypes) == 0 || slices.Contains(f.DetailTypes, e.DetailType)) &&
		(f.Prefix.selectsAll() || slices.ContainsFunc(e.Resources, f.Prefix.Matches))
}

// Bus delivers the events of a journal to subscribers. Each subscriber gets the
// events in the order of their numbers, without gaps or repetitions, until it is
// dropped. All methods are safe for concurrent use.
type Bus struct {
	journal Journal

	mu            sync.Mutex
	open          map[*Subscription]struct{} // subscriptions that have not ended
	subscriptions []*Subscription            // those that follow the bus or were dropped
	lastNumber    int64                      // highest number passed to Tell
	closed        bool
}

// NewBus returns a bus for a journal.
func NewBus(j Journal) *Bus {
	return &Bus{journal: j, open: map[*Subscription]struct{}{}}
}

// Publish validates an event, stores it in the journal and delivers it. It waits
// for the journal, never for a subscriber.
func (b *Bus) Publish(ctx context.Context, e Event) (Event, error) {
	if err := e.Validate(); err != nil {
		return Event{}, err
	}
	e, err := b.journal.Publish(ctx, e)
	if err != nil {
		return Event{}, err
	}
	b.Tell(e)
	return e, nil
}

// fillTimeout limits reading missing events from the journal.
const fillTimeout = 5 * time.Second

// Tell delivers events that the journal has stored, in any order. Other goroutines
// or programs may have stored events in between that were not delivered yet. Tell
// reads those from the journal and delivers them first. If that fails, it drops
// the live subscribers.
func (b *Bus) Tell(events ...Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range events {
		if len(b.subscriptions) == 0 {
			b.lastNumber = max(b.lastNumber, e.Seq)
			continue
		}
		if e.Seq > b.lastNumber+1 {
			b.fill(e.Seq)
		}
		if e.Seq == b.lastNumber+1 {
			b.fanOut(e)
		}
	}
}

// fill delivers the journal's events up to and including number to.
func (b *Bus) fill(to int64) {
	ctx, cancel := context.WithTimeout(context.Background(), fillTimeout)
	defer cancel()
	for b.lastNumber < to {
		events, err := b.journal.EventsSince(ctx, b.lastNumber, "", page)
		if err == nil && len(events) == 0 {
			err = tool.NewError(tool.ExecutionError, "event_missing", message.New("event.event_missing", "number", to))
		}
		if err != nil {
			for _, s := range b.subscriptions {
				s.drop(asError(err))
			}
			b.lastNumber = max(b.lastNumber, to)
			return
		}
		for _, e := range events {
			b.fanOut(e)
		}
	}
}

func (b *Bus) fanOut(e Event) {
	b.lastNumber = e.Seq
	for _, s := range b.subscriptions {
		s.offer(e)
	}
}

// Close ends all subscriptions and refuses new ones. Publish still works.
func (b *Bus) Close() {
	b.mu.Lock()
	b.closed = true
	open := slices.Collect(maps.Keys(b.open))
	b.mu.Unlock()
	for _, s := range open {
		s.Close()
	}
}

func asError(err error) *tool.Error { return tool.AsError(err) }
