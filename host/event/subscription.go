package event

import (
	"context"
	"slices"

	"errand/host/tool"
	"errand/planner/message"
)

// DefaultBuffer is the default number of unread events of a subscription.
const DefaultBuffer = 256

// page is how many events are read from the journal at a time.
const page = 500

// Error codes of a subscription. The journal's codes are possible too.
const (
	CodeSlowSubscriber = "slow_subscriber" // it did not read and its buffer was full
	CodeBusClosed      = "bus_closed"
)

// Subscription is a stream of events. Call Close or cancel its context to release
// it.
type Subscription struct {
	bus    *Bus
	filter Filter
	c      chan Event
	done   chan struct{} // closed when the subscription has ended

	// Guarded by bus.mu.
	state  state
	at     int64 // c has received all selected events up to this number
	missed int
	err    *tool.Error
	stop   func() bool
}

type state int

const (
	replaying    state = iota // replay's goroutine sends on c and closes it
	stateLive                 // the bus sends on c and closes it
	stateDropped              // c is closed; further events are counted
	stateEnded                // c is closed or about to be
)

// Subscribe returns a stream of the new events that f selects. State that is read
// after Subscribe returns is never older than the first event. The subscription is
// dropped if more than buffer events are unread; below 1, buffer is DefaultBuffer.
// It ends with ctx.
func (b *Bus) Subscribe(ctx context.Context, f Filter, buffer int) (*Subscription, error) {
	s, err := b.newSubscription(f, buffer)
	if err != nil {
		return nil, err
	}
	if s.at, err = b.journal.LastSeq(ctx); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, closedError()
	}
	s.at = max(s.at, b.lastNumber)
	s.follow()
	s.endWith(ctx)
	return s, nil
}

// SubscribeFrom first delivers the journal's events after seq and then follows the
// bus like Subscribe, without gaps or repetitions. While it delivers old events,
// it waits for the reader. An error of the journal ends the subscription.
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
	return tool.NewError(tool.ToolUnavailable, CodeBusClosed, message.New("event.bus_closed"))
}

// C returns the channel of events. Readers must not change an event's Resources.
// The channel is closed after its last event, when the subscription has ended or
// was dropped.
func (s *Subscription) C() <-chan Event { return s.c }

// Close ends the subscription. It is safe to call more than once.
func (s *Subscription) Close() { s.end(nil) }

// Missed returns how many events a dropped subscription has missed so far. Pass
// since to [Bus.SubscribeFrom] to continue with the first of them.
func (s *Subscription) Missed() (count int, since int64) {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	return s.missed, s.at
}

// Err returns why C was closed: a *tool.Error with code slow_subscriber, the error
// of ctx or the error of the journal. It returns nil after Close.
func (s *Subscription) Err() error {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	if s.err == nil {
		return nil
	}
	return s.err
}

// endWith ends the subscription when ctx ends. bus.mu must be held.
func (s *Subscription) endWith(ctx context.Context) {
	s.bus.open[s] = struct{}{}
	s.stop = context.AfterFunc(ctx, func() { s.end(asError(context.Cause(ctx))) })
}

func (s *Subscription) end(err *tool.Error) {
	b := s.bus
	b.mu.Lock()
	defer b.mu.Unlock()
	switch s.state {
	case stateEnded:
		return
	case stateLive:
		close(s.c)
		s.err = err
	case replaying:
		s.err = err
	}
	s.state = stateEnded
	s.stop()
	close(s.done)
	delete(b.open, s)
	b.subscriptions = slices.DeleteFunc(b.subscriptions, func(o *Subscription) bool { return o == s })
}

// follow makes the subscription live. bus.mu must be held.
func (s *Subscription) follow() {
	s.state = stateLive
	if len(s.bus.subscriptions) == 0 {
		s.bus.lastNumber = max(s.bus.lastNumber, s.at)
	}
	s.bus.subscriptions = append(s.bus.subscriptions, s)
}

// offer delivers the next event. bus.mu must be held.
func (s *Subscription) offer(e Event) {
	if e.Seq <= s.at {
		return
	}
	mine := s.filter.Matches(e)
	if mine && s.state == stateLive {
		select {
		case s.c <- e:
		default:
			s.drop(tool.NewError(tool.ExecutionError, CodeSlowSubscriber, message.New("event.slow_subscriber", "count", cap(s.c))))
		}
	}
	switch {
	case s.state == stateLive:
		s.at = e.Seq
	case mine:
		s.missed++
	}
}

// drop ends delivery with an error. bus.mu must be held.
func (s *Subscription) drop(err *tool.Error) {
	if s.state == stateLive {
		s.state, s.err = stateDropped, err
		close(s.c)
	}
}

// replay delivers the journal's events and then hands over to the bus. It checks
// under the bus's lock that the bus has delivered nothing newer, so there is no
// gap.
func (s *Subscription) replay(ctx context.Context) {
	for at := s.at; ; {
		head, err := s.bus.journal.LastSeq(ctx)
		var events []Event
		if err == nil {
			events, err = s.bus.journal.EventsSince(ctx, at, s.filter.Prefix, page)
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
			at = max(at, head) // the events up to head were not selected
		}
		if s.takeOver(at, len(events) < page) {
			return
		}
	}
}

func (s *Subscription) takeOver(at int64, readAll bool) bool {
	s.bus.mu.Lock()
	defer s.bus.mu.Unlock()
	if s.state == stateEnded {
		close(s.c)
		return true
	}
	s.at = at
	if !readAll || s.bus.lastNumber > at {
		return false
	}
	s.follow()
	return true
}
