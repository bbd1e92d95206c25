package event

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"errand/host/tool"
)

// Filter selects events. What is empty selects all; an event must be selected by
// each of the three.
type Filter struct {
	Prefix      Prefix // of one of its resources
	Sources     []string
	DetailTypes []DetailType
}

// Matches reports whether f selects e.
func (f Filter) Matches(e Event) bool {
	return (len(f.Sources) == 0 || slices.Contains(f.Sources, e.Source)) &&
		(len(f.DetailTypes) == 0 || slices.Contains(f.DetailTypes, e.DetailType)) &&
		(f.Prefix.all() || slices.ContainsFunc(e.Resources, f.Prefix.Matches))
}

// Bus tells subscribers what a journal keeps. Each gets the events in the order
// of their numbers, none twice and none left out until it is dropped. All methods
// may be called by several goroutines at once.
type Bus struct {
	journal Journal

	mu     sync.Mutex
	open   map[*Subscription]struct{} // all that have not ended
	live   []*Subscription            // those of them that follow, and those that were dropped
	last   int64                      // the highest number that Tell has seen
	closed bool
}

// NewBus makes a bus over a journal.
func NewBus(j Journal) *Bus {
	return &Bus{journal: j, open: map[*Subscription]struct{}{}}
}

// Publish checks an event, has the journal keep it and fans it out. It waits for
// the journal, never for a subscriber.
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

// fillTimeout bounds the reading of what subscribers were not told of.
const fillTimeout = 5 * time.Second

// Tell fans out events that the journal already keeps, in any order. Those in
// between that nobody has told of yet, because another goroutine is about to or
// another program added them, are read from the journal and fanned out first.
// If that can't be done the live subscribers are dropped.
func (b *Bus) Tell(events ...Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range events {
		if len(b.live) == 0 {
			b.last = max(b.last, e.Seq)
			continue
		}
		if e.Seq > b.last+1 {
			b.fill(e.Seq)
		}
		if e.Seq == b.last+1 {
			b.fanOut(e)
		}
	}
}

// fill fans out what the journal has up to to, which is there.
func (b *Bus) fill(to int64) {
	ctx, cancel := context.WithTimeout(context.Background(), fillTimeout)
	defer cancel()
	for b.last < to {
		events, err := b.journal.Since(ctx, b.last, "", page)
		if err == nil && len(events) == 0 {
			err = tool.Errorf(tool.ExecutionError, "event_missing", "the journal does not have event %d", to)
		}
		if err != nil {
			for _, s := range b.live {
				s.drop(asError(err))
			}
			b.last = max(b.last, to)
			return
		}
		for _, e := range events {
			b.fanOut(e)
		}
	}
}

func (b *Bus) fanOut(e Event) {
	b.last = e.Seq
	for _, s := range b.live {
		s.offer(e)
	}
}

// Close ends all subscriptions and lets nobody subscribe any more. Publishing
// goes on.
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
