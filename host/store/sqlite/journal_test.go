package sqlite_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/build/must"
	"errand/host/event"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy/approval"
)

func news(t *testing.T, s *sqlite.Store, seq int64, prefix event.Prefix, limit int) []string {
	t.Helper()
	events, err := s.EventsSince(t.Context(), seq, prefix, limit)
	must.Succeed(t, err)
	return lines(t, events)
}

func lines(t *testing.T, events []event.Event) (out []string) {
	t.Helper()
	for _, e := range events {
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
		out = append(out, fmt.Sprint(e.Seq, " ", e.DetailType, " ", e.Resources[0]))
	}
	return out
}

// TestJournal: every change is told of once, after it was made.
func TestJournal(t *testing.T) {
	ctx := t.Context()
	var mu sync.Mutex
	var told []event.Event
	var s *sqlite.Store
	s = open(t, t.TempDir(), sqlite.Options{
		Now: func() time.Time { return tracetest.Start.Add(time.Hour) },
		Publish: func(events []event.Event) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, events...)
			last, err := s.LastSeq(context.Background())
			if err != nil || last < events[len(events)-1].Seq {
				t.Errorf("told of event %d, and the journal ends with %d (%v)", events[0].Seq, last, err)
			}
		},
	})
	begin(t, s, "r1")
	claimed(t, s, "r1", "a1", "k1")
	claimed(t, s, "r1", "a.2/x", "k2")
	if _, err := s.Append(ctx, tracetest.SettleStep("r1", "a1", "k1", tool.Committed)); err != nil {
		t.Fatal(err)
	}
	run := tracetest.NewRun("r1", 0)
	run.Status = trace.Done
	for _, err := range []error{s.End(ctx, run), s.Settle(ctx, "k2", tool.Released), s.Resume(ctx, run), s.End(ctx, run)} {
		must.Succeed(t, err)
	}
	begin(t, s, "r10")
	if err := s.Begin(ctx, run); err == nil { // nothing is told of what did not happen
		t.Error("a second Begin succeeded")
	}
	d := store.Draft{Draft: approval.Draft{ID: "d1", State: approval.StateReady, CreatedAt: tracetest.Start, ExpiresAt: tracetest.Start}}
	later := d
	later.State = approval.StateCancelled
	for _, err := range []error{s.SaveDraft(ctx, d), s.SwapDraft(ctx, d, later)} {
		must.Succeed(t, err)
	}
	if _, err := s.Prune(ctx, tracetest.Start.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1 RESOURCE_PUT cld:errand.Run.r1",
		"2 RESOURCE_PUT cld:errand.Run.r1/errand.Step.a1",
		"3 RESOURCE_PUT cld:errand.Run.r1",
		"4 RESOURCE_PUT cld:errand.Run.r1/errand.Step.a~2e2~2fx",
		"5 RESOURCE_PUT cld:errand.Run.r1",
		"6 RESOURCE_PUT cld:errand.Run.r1",
		"7 RESOURCE_PUT cld:errand.Run.r10",
		"8 RESOURCE_PUT cld:errand.Draft.d1",
		"9 RESOURCE_PUT cld:errand.Draft.d1",
		"10 RESOURCE_DELETE cld:errand.Run.r1",
		"11 RESOURCE_DELETE cld:errand.Draft.d1",
	}
	if diff := cmp.Diff(want, news(t, s, 0, "", 0)); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, lines(t, told)); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		seq    int64
		prefix event.Prefix
		limit  int
		want   []int
	}{
		{0, "cld:errand.Run.r1", 0, []int{1, 2, 3, 4, 5, 6, 10}}, // and not r10
		{0, "cld:errand.Run.r1/", 0, []int{2, 4}},
		{2, "cld:errand.Run.r1", 2, []int{3, 4}},
		{0, "cld:", 3, []int{1, 2, 3}},
		{9, "", 0, []int{10, 11}},
		{11, "", 0, nil},
		{0, "cld:errand.Draft.d1", 0, []int{8, 9, 11}},
	} {
		var some []string
		for _, i := range tt.want {
			some = append(some, want[i-1])
		}
		if diff := cmp.Diff(some, news(t, s, tt.seq, tt.prefix, tt.limit)); diff != "" {
			t.Errorf("Since(%d, %q, %d) (-want +got):\n%s", tt.seq, tt.prefix, tt.limit, diff)
		}
	}
	if _, err := s.EventsSince(ctx, 0, "tmp", 0); codeOf(err) != event.CodeInvalid {
		t.Errorf("Since with a prefix that is none: %v", err)
	}
}

// TestPublish: events of others come back as they were written.
func TestPublish(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	var want []event.Event
	for _, at := range []string{"2026-03-01T12:00:00Z", "2026-03-01T12:00:00.250Z", "2026-03-01T13:00:00+01:00"} {
		e := event.New("host/run", tracetest.Start, event.Get, "cld:a.B.1", "cld:a.B.2/c.D.3")
		e.Time = at
		e, err := s.Publish(t.Context(), e)
		must.Succeed(t, err)
		want = append(want, e)
	}
	got, err := open(t, dir, sqlite.Options{ReadOnly: true}).EventsSince(t.Context(), 0, "cld:a.B.2", 0)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("events (-want +got):\n%s%v", diff, err)
	}
	if _, err := s.Publish(t.Context(), event.Event{}); codeOf(err) != event.CodeInvalid {
		t.Errorf("an event that is none: %v", err)
	}
	none := open(t, t.TempDir(), sqlite.Options{ReadOnly: true})
	if last, err := none.LastSeq(t.Context()); last != 0 || err != nil {
		t.Errorf("Last of nothing = %d, %v", last, err)
	}
}

// TestPruneJournal: its beginning goes with the runs, and no number comes twice.
func TestPruneJournal(t *testing.T) {
	clock := tracetest.Start
	s := open(t, t.TempDir(), sqlite.Options{Now: func() time.Time { return clock }})
	for i := range 3 {
		clock = tracetest.NewRun("", i).StartedAt
		record(t, s, fmt.Sprint("r", i), i, "x") // three events each
	}
	clock = clock.Add(time.Hour)
	for _, tt := range []struct {
		before time.Duration
		want   []int64
	}{
		{time.Second, []int64{4, 5, 6, 7, 8, 9, 10}}, // 10 tells that r0 is gone
		{time.Second, []int64{4, 5, 6, 7, 8, 9, 10}},
		{2 * time.Hour, []int64{12}}, // 11 and 12 tell that the others are
		{2 * time.Hour, []int64{12}},
	} {
		if _, err := s.Prune(t.Context(), tracetest.Start.Add(tt.before)); err != nil {
			t.Fatal(err)
		}
		events, err := s.EventsSince(t.Context(), 0, "", 0)
		must.Succeed(t, err)
		var got []int64
		for _, e := range events {
			got = append(got, e.Seq)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("before %v (-want +got):\n%s", tt.before, diff)
		}
	}
	if e, err := s.Publish(t.Context(), event.New("x", clock, event.Put, "cld:a.B.1")); e.Seq != 13 || err != nil {
		t.Errorf("the next event has number %d, %v", e.Seq, err)
	}
}

// TestBus: what several goroutines record reaches a subscriber in its order.
func TestBus(t *testing.T) {
	var bus *event.Bus
	s := open(t, t.TempDir(), sqlite.Options{Publish: func(e []event.Event) { bus.Tell(e...) }})
	bus = event.NewBus(s)
	defer bus.Close()
	sub, err := bus.Subscribe(t.Context(), event.Filter{Prefix: "cld:errand.Run.r1/"}, 0)
	must.Succeed(t, err)
	defer sub.Close()
	begin(t, s, "r1")
	begin(t, s, "r2")
	const n = 40
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for _, run := range []string{"r1", "r2"} {
				if _, err := s.Append(context.Background(), tracetest.NewStep(run, fmt.Sprint("a", i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	bus.Close() // what is in the subscription's buffer stays readable
	var last int64
	got := map[event.Name]bool{}
	for e := range sub.C() {
		if e.Seq <= last {
			t.Errorf("event %d after %d", e.Seq, last)
		}
		last, got[e.Resources[0]] = e.Seq, true
	}
	if len(got) != n {
		t.Errorf("%d steps were told of, want %d (%v)", len(got), n, sub.Err())
	}
}
