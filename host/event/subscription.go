package event

import (
	"context"
	"slices"

	"errand/host/tool"
)

// DefaultBuffer is how many events wait for a subscriber who names no number.
const DefaultBuffer = 256

// page is how many events are read from the journal at once.
const page = 500

// Codes of what ends a subscription, beside those of the journal.
const (
	CodeSlowSubscriber = "slow_subscriber" // it did not read and its buffer was full
	CodeBusClosed      = "bus_closed"
)

// Subscription is a stream of events. It must be closed, or its context ended.
type Subscription struct {
	bus    *Bus
	filter Filter
	c      chan Event
	done   chan struct{} // closed when it has ended

	// Guarded by bus.mu.
	state  state
	at     int64 // all that was to come up to here is in c
	missed int
	err    *tool.Error
	stop   func() bool
}

type state int

const (
	replaying state = iota // a goroutine of its own sends on c and closes it
	live                   // the bus does
	dropped                // c is closed; what comes is counted
	ended                  // c is closed or about to be
)

// Subscribe gives the events from now on that f selects. What is read of the
// world after Subscribe has returned is never older than the first of them. Where
// buffer events wait unread (below 1: DefaultBuffer) and one more comes, the
// subscription is dropped. It ends with ctx.
func (b *Bus) Subscribe(ctx context.Context, f Filter, buffer int) (*Subscription, error) {
	s, err := b.newSubscription(f, buffer)
	if err != nil {
		return nil, err
	}
	if s.at, err = b.journal.Last(ctx); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, closedError()
	}
	s.at = max(s.at, b.last)
	s.follow()
	s.endWith(ctx)
	return s, nil
}

// SubscribeFrom is Subscribe that first gives, from the journal, the events after
// seq; then it follows, with no event left out or given twice in between. While
// it gives old ones it waits for the reader. What can't be read of the journal
// ends it.
func (b *Bus) SubscribeFrom(ctx context.Context, seq int64, f Filter, buffer int) (*Subscription, error) {
	s, err := b.newSubscription(f, buffer)
	if err != nil {
		return nil, err
	}
	s.at = seq
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, closedError()
	}
	s.endWith(ctx)
	go s.replay(ctx)
	return s, nil
}

func (b *Bus) newSubscription(f Filter, buffer int) (*Subscription, error) {
	if err := f.Prefix.Validate(); err != nil {
		return nil, err
	}
	if buffer < 1 {
		buffer = DefaultBuffer
	}
	f.Sources, f.DetailTypes = slices.Clone(f.Sources), slices.Clone(f.DetailTypes)
	return &Subscription{bus: b, filter: f, c: make(chan Event, buffer), done: make(chan struct{})}, nil
}

func closedError() error {
	return tool.Errorf(tool.ToolUnavailable, CodeBusClosed, "events are no longer told")
}

// C gives the events; whoever reads them must not change their Resources. It is
// closed when the subscription has ended or was dropped, after what is in it.
func (s *Subscription) C() <-chan Event { return s.c }

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() { s.end(nil) }

// Missed is how many events a dropped subscription was not given so far, as far
// as the bus has seen them, and the number from which [Bus.SubscribeFrom] goes on
// with the first of them.
func (s *Subscription) Missed() (count int, since int64) {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	return s.missed, s.at
}

// Err says, once C is closed, why: a *tool.Error with code slow_subscriber, that
// of ctx or of the journal. Nil: Close was called.
func (s *Subscription) Err() error {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return s.err
}

// endWith is called with bus.mu held.
func (s *Subscription) endWith(ctx context.Context) {
	s.bus.open[s] = struct{}{}
	s.stop = context.AfterFunc(ctx, func() { s.end(asError(context.Cause(ctx))) })
}

func (s *Subscription) end(err *tool.Error) {
	b := s.bus
	b.mu.Lock()
	defer b.mu.Unlock()
	switch s.state {
	case ended:
		return
	case live:
		close(s.c)
		s.err = err
	case replaying:
		s.err = err
	}
	s.state = ended
	s.stop()
	close(s.done)
	delete(b.open, s)
	b.live = slices.DeleteFunc(b.live, func(o *Subscription) bool { return o == s })
}

// follow is called with bus.mu held.
func (s *Subscription) follow() {
	s.state = live
	if len(s.bus.live) == 0 {
		s.bus.last = max(s.bus.last, s.at)
	}
	s.bus.live = append(s.bus.live, s)
}

// offer is called with bus.mu held, for each event in its order.
func (s *Subscription) offer(e Event) {
	if e.Seq <= s.at {
		return
	}
	mine := s.filter.Matches(e)
	if mine && s.state == live {
		select {
		case s.c <- e:
		default:
			s.drop(tool.Errorf(tool.ExecutionError, CodeSlowSubscriber, "%d events were waiting unread", cap(s.c)))
		}
	}
	switch {
	case s.state == live:
		s.at = e.Seq
	case mine:
		s.missed++
	}
}

// drop is called with bus.mu held.
func (s *Subscription) drop(err *tool.Error) {
	if s.state == live {
		s.state, s.err = dropped, err
		close(s.c)
	}
}

// replay gives what the journal has and then has the bus go on. There is no
// moment in between: the bus takes over only where it has told of nothing that is
// newer than what was read here, under the lock under which it tells.
func (s *Subscription) replay(ctx context.Context) {
	for at := s.at; ; {
		head, err := s.bus.journal.Last(ctx)
		var events []Event
		if err == nil {
			events, err = s.bus.journal.Since(ctx, at, s.filter.Prefix, page)
		}
		if err != nil {
			s.end(asError(err))
			close(s.c)
			return
		}
		for _, e := range events {
			if at = e.Seq; !s.filter.Matches(e) {
				continue
			}
			select {
			case s.c <- e:
			case <-s.done:
				close(s.c)
				return
			}
		}
		if len(events) < page {
			at = max(at, head) // the rest up to there was not selected
		}
		if s.takeOver(at, len(events) < page) {
			return
		}
	}
}

func (s *Subscription) takeOver(at int64, readAll bool) bool {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	if s.state == ended {
		close(s.c)
		return true
	}
	s.at = at
	if !readAll || s.bus.last > at {
		return false
	}
	s.follow()
	return true
}
