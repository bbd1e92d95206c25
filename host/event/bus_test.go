package event_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/event"
	"errand/host/tool"
	"errand/planner/message"
)

func publish(t testing.TB, b *event.Bus, n int, names ...event.Name) {
	t.Helper()
	for range n {
		if _, err := b.Publish(t.Context(), put(names...)); err != nil {
			t.Fatal(err)
		}
	}
}

func subscribe(t *testing.T, b *event.Bus, f event.Filter, buffer int) *event.Subscription {
	t.Helper()
	s, err := b.Subscribe(t.Context(), f, buffer)
	must.Succeed(t, err)
	t.Cleanup(s.Close)
	return s
}

func subscribeFrom(t *testing.T, b *event.Bus, seq int64, f event.Filter, buffer int) *event.Subscription {
	t.Helper()
	s, err := b.SubscribeFrom(t.Context(), seq, f, buffer)
	must.Succeed(t, err)
	t.Cleanup(s.Close)
	return s
}

// take reads n events and holds them to be from first upwards.
func take(t *testing.T, s *event.Subscription, first, n int64) {
	t.Helper()
	for want := first; want < first+n; want++ {
		select {
		case e, open := <-s.C():
			if !open {
				t.Fatalf("ended before event %d: %v", want, s.Err())
			}
			if e.Seq != want {
				t.Fatalf("event %d, want %d", e.Seq, want)
			}
		case <-time.After(poll.Patience):
			t.Fatalf("no event %d", want)
		}
	}
}

func wantEnd(t *testing.T, s *event.Subscription, code string) {
	t.Helper()
	select {
	case e, open := <-s.C():
		if open {
			t.Fatalf("event %d, want the end", e.Seq)
		}
	case <-time.After(poll.Patience):
		t.Fatal("it goes on")
	}
	var typed *tool.Error
	if err := s.Err(); code == "" && err != nil || code != "" && (!errors.As(err, &typed) || typed.Code != code) {
		t.Errorf("ended with %v, want %q", err, code)
	}
}

func TestSeedSlowSubscriber(t *testing.T) {
	t.Run("S1-H16 a subscriber that stops reading holds up nobody", func(t *testing.T) {
		const events, buffer = 100_000, 16
		b := event.NewBus(&event.Memory{})
		slow := subscribe(t, b, event.Filter{}, buffer)
		publish(t, b, events, "cld:a.B.1")
		take(t, slow, 1, buffer)
		wantEnd(t, slow, event.CodeSlowSubscriber)
		missed, since := slow.Missed()
		if missed != events-buffer || since != buffer {
			t.Errorf("missed %d since %d, want %d since %d", missed, since, events-buffer, buffer)
		}
		again := subscribeFrom(t, b, since, event.Filter{}, buffer)
		take(t, again, since+1, int64(missed))
		publish(t, b, 3, "cld:a.B.1")
		take(t, again, events+1, 3)
	})
}

func TestFilters(t *testing.T) {
	b := event.NewBus(&event.Memory{})
	tests := []struct {
		f    event.Filter
		want []int64
	}{
		{event.Filter{}, []int64{1, 2, 3, 4}},
		{event.Filter{Prefix: "cld:run.r1"}, []int64{1, 2, 4}},
		{event.Filter{Prefix: "cld:run.r1/"}, []int64{2}},
		{event.Filter{Sources: []string{"b", "c"}}, []int64{2, 3}},
		{event.Filter{DetailTypes: []event.DetailType{event.Delete}}, []int64{3, 4}},
		{event.Filter{Prefix: "cld:run.r1", Sources: []string{"a"}, DetailTypes: []event.DetailType{event.Put}}, []int64{1}},
	}
	var subs []*event.Subscription
	for _, tt := range tests {
		subs = append(subs, subscribe(t, b, tt.f, 10))
	}
	for _, e := range []event.Event{
		event.New("a", noon, event.Put, "cld:run.r1"), event.New("b", noon, event.Put, "cld:run.r1/step.a1"),
		event.New("c", noon, event.Delete, "cld:run.r10"), event.New("a", noon, event.Delete, "cld:run.r2", "cld:run.r1"),
	} {
		if _, err := b.Publish(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range tests {
		for _, s := range []*event.Subscription{subs[i], subscribeFrom(t, b, 0, tt.f, 1)} {
			for _, seq := range tt.want {
				take(t, s, seq, 1)
			}
			s.Close()
			wantEnd(t, s, "")
		}
	}
	_, err := b.Subscribe(t.Context(), event.Filter{Prefix: "run"}, 1)
	wantRefused(t, "prefix", err, "")
	_, err = b.SubscribeFrom(t.Context(), 0, event.Filter{Prefix: "run"}, 1)
	wantRefused(t, "prefix", err, "")
}

func TestSubscribeIsFromNowOn(t *testing.T) {
	j := &event.Memory{}
	publish(t, event.NewBus(j), 3, "cld:a.B.1") // an earlier program
	b := event.NewBus(j)
	s := subscribe(t, b, event.Filter{}, 0)
	publish(t, b, 2, "cld:a.B.1")
	take(t, s, 4, 2)
}

// TestTellInAnyOrder: what a store has committed comes to Tell in another order
// than it was committed in, or not at all where another program committed it.
func TestTellInAnyOrder(t *testing.T) {
	j := &event.Memory{}
	b := event.NewBus(j)
	s := subscribe(t, b, event.Filter{}, 100)
	var stored []event.Event
	for range 9 {
		e, err := j.Publish(t.Context(), put("cld:a.B.1"))
		must.Succeed(t, err)
		stored = append(stored, e)
	}
	b.Tell(stored[1]) // 2 before 1
	take(t, s, 1, 9)  // as far as the journal has it
	b.Tell(stored...)
	b.Tell(stored[0], stored[8])
	publish(t, b, 1, "cld:a.B.1")
	take(t, s, 10, 1)
}

func TestTellWithoutSubscribers(t *testing.T) {
	j := &event.Memory{}
	b := event.NewBus(j)
	publish(t, b, 5, "cld:a.B.1")
	s := subscribeFrom(t, b, 2, event.Filter{}, 1)
	take(t, s, 3, 3)
}

// unreadable is a journal whose reading fails while broken is set.
type unreadable struct {
	event.Memory
	broken error
}

func (u *unreadable) EventsSince(ctx context.Context, seq int64, p event.Prefix, limit int) ([]event.Event, error) {
	if u.broken != nil {
		return nil, u.broken
	}
	return u.Memory.EventsSince(ctx, seq, p, limit)
}

func TestUnreadableJournal(t *testing.T) {
	j := &unreadable{broken: tool.NewError(tool.ToolUnavailable, "disk_gone", message.Verbatim("the disk is gone"))}
	b := event.NewBus(j)
	s := subscribe(t, b, event.Filter{}, 10)
	publish(t, b, 1, "cld:a.B.1")
	lost, err := j.Publish(t.Context(), put("cld:a.B.1"))
	must.Succeed(t, err)
	publish(t, b, 1, "cld:a.B.1") // 3, and 2 can't be read
	take(t, s, 1, 1)
	wantEnd(t, s, "disk_gone")
	if _, since := s.Missed(); since != 1 {
		t.Errorf("since %d, want 1", since)
	}
	from := subscribeFrom(t, b, 0, event.Filter{}, 10)
	wantEnd(t, from, "disk_gone")
	j.broken = nil
	again := subscribeFrom(t, b, 1, event.Filter{}, 10)
	b.Tell(lost)
	take(t, again, 2, 2)
}

// lying is a journal that does not have what it has said that it keeps.
type lying struct{ event.Memory }

func (l *lying) Publish(ctx context.Context, e event.Event) (event.Event, error) {
	e, err := l.Memory.Publish(ctx, e)
	e.Seq += 10
	return e, err
}

func TestMissingEvent(t *testing.T) {
	b := event.NewBus(&lying{})
	s := subscribe(t, b, event.Filter{}, 10)
	publish(t, b, 1, "cld:a.B.1")
	take(t, s, 1, 1)
	wantEnd(t, s, "event_missing")
}

func TestEndings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := event.NewBus(&event.Memory{})
		publish(t, b, 5, "cld:a.B.1")
		ctx, cancel := context.WithCancel(t.Context())
		follows, err := b.Subscribe(ctx, event.Filter{}, 1)
		must.Succeed(t, err)
		replays, err := b.SubscribeFrom(ctx, 0, event.Filter{}, 1) // 1 is waiting to be read, 2 to be sent
		must.Succeed(t, err)
		closedReplay := subscribeFrom(t, b, 0, event.Filter{}, 1)
		last := []*event.Subscription{subscribe(t, b, event.Filter{}, 1), subscribeFrom(t, b, 0, event.Filter{}, 1), subscribeFrom(t, b, 5, event.Filter{}, 1)}
		synctest.Wait()
		cancel()
		closedReplay.Close()
		closedReplay.Close()
		synctest.Wait()
		wantEnd(t, follows, "interrupted")
		take(t, replays, 1, 1)
		wantEnd(t, replays, "interrupted")
		take(t, closedReplay, 1, 1)
		wantEnd(t, closedReplay, "")
		b.Close()
		synctest.Wait()
		wantEnd(t, last[0], "")
		take(t, last[1], 1, 1)
		wantEnd(t, last[1], "")
		wantEnd(t, last[2], "")
		if _, err := b.Subscribe(t.Context(), event.Filter{}, 1); tool.AsError(err).Code != event.CodeBusClosed {
			t.Errorf("subscribing to a closed bus: %v", err)
		}
		if _, err := b.SubscribeFrom(t.Context(), 0, event.Filter{}, 1); tool.AsError(err).Code != event.CodeBusClosed {
			t.Errorf("subscribing to a closed bus: %v", err)
		}
		publish(t, b, 1, "cld:a.B.1")
	})
	b := event.NewBus(&event.Memory{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Publish(ctx, put("cld:a.B.1")); tool.AsError(err).Code != "interrupted" {
		t.Errorf("publishing without time: %v", err)
	}
}

// TestNoGapNoDouble has subscribers come, be too slow and come again while others
// publish: put together each has got every event once and in order.
func TestNoGapNoDouble(t *testing.T) {
	const publishers, each, subscribers = 4, 2000, 8
	const total = publishers * each
	b := event.NewBus(&event.Memory{})
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() {
			for range each {
				if _, err := b.Publish(t.Context(), put("cld:a.B.1")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range subscribers {
		wg.Go(func() {
			chance := rand.New(rand.NewPCG(1, uint64(i)))
			var at, drops int64
			for at < total {
				s, err := b.SubscribeFrom(t.Context(), at, event.Filter{}, 1+chance.IntN(8))
				if err != nil {
					t.Error(err)
					return
				}
				leave, left := at+1+chance.Int64N(total), false
				for e := range s.C() {
					if e.Seq != at+1 {
						t.Errorf("subscriber %d: event %d after %d", i, e.Seq, at)
						s.Close()
						return
					}
					if at = e.Seq; at >= min(leave, total) {
						left = true // with what it was given and did not take
						break
					}
				}
				if !left && s.Err() != nil {
					if _, since := s.Missed(); since != at {
						t.Errorf("subscriber %d: dropped with all up to %d, had %d", i, since, at)
						return
					}
					drops++
				}
				s.Close()
			}
		})
	}
	wg.Wait()
}

// TestTellRaces has events be told in whatever order goroutines come to it.
func TestTellRaces(t *testing.T) {
	const publishers, each = 8, 500
	j := &event.Memory{}
	b := event.NewBus(j)
	s := subscribe(t, b, event.Filter{}, publishers*each)
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() {
			var batch []event.Event
			for i := range each {
				e, err := j.Publish(t.Context(), put("cld:a.B.1"))
				if err != nil {
					t.Error(err)
				}
				if batch = append(batch, e); i%3 == 0 {
					b.Tell(batch...)
					batch = nil
				}
			}
			b.Tell(batch...)
		})
	}
	wg.Wait()
	take(t, s, 1, publishers*each)
}

func BenchmarkPublish(b *testing.B) {
	for _, n := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("subscribers=%d", n), func(b *testing.B) {
			bus := event.NewBus(&event.Memory{})
			var wg sync.WaitGroup
			for range n {
				s, err := bus.Subscribe(b.Context(), event.Filter{Prefix: "cld:run.r1"}, 1<<12)
				must.Succeed(b, err)
				wg.Go(func() {
					for range s.C() {
					}
				})
			}
			e := put("cld:run.r1/step.a1")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bus.Publish(b.Context(), e); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			bus.Close()
			wg.Wait()
		})
	}
}
