// Package eventtest tests implementations of [event.Journal].
package eventtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"errand/host/event"
)

// Start is the time of the events in the tests.
var Start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Run tests a Journal. open must return an empty one for each test.
func Run(t *testing.T, open func(t *testing.T) event.Journal) {
	t.Run("order", func(t *testing.T) { order(t, open(t)) })
	t.Run("prefix and limit", func(t *testing.T) { prefixes(t, open(t)) })
	t.Run("refused", func(t *testing.T) { expectRejected(t, open(t)) })
	t.Run("several at once", func(t *testing.T) { several(t, open(t)) })
}

func publish(t *testing.T, j event.Journal, what event.DetailType, names ...event.Name) event.Event {
	t.Helper()
	e, err := j.Publish(t.Context(), event.New("eventtest", Start, what, names...))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func eventsSince(t *testing.T, j event.Journal, seq int64, prefix event.Prefix, limit int) []event.Event {
	t.Helper()
	events, err := j.EventsSince(t.Context(), seq, prefix, limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// order checks that events are read back unchanged and in order.
func order(t *testing.T, j event.Journal) {
	if last, err := j.LastSeq(t.Context()); err != nil || last != 0 {
		t.Errorf("the newest of no events is %d, %v", last, err)
	}
	var want []event.Event
	for i := range 5 {
		want = append(want, publish(t, j, event.DetailType(i%3), event.Name(fmt.Sprintf("cld:a.B.%d", i)), "cld:c.D.1"))
	}
	got := eventsSince(t, j, 0, "", 0)
	same := func(a, b event.Event) bool {
		return a.Seq == b.Seq && a.ID == b.ID && a.Source == b.Source && a.Time == b.Time && a.DetailType == b.DetailType && slices.Equal(a.Resources, b.Resources)
	}
	if !slices.EqualFunc(want, got, same) {
		t.Errorf("read %+v, published %+v", got, want)
	}
	for i, e := range got {
		if e.Seq <= 0 || i > 0 && e.Seq <= got[i-1].Seq {
			t.Errorf("event %d has number %d", i, e.Seq)
		}
	}
	if last, err := j.LastSeq(t.Context()); err != nil || last != want[4].Seq {
		t.Errorf("the newest is %d, %v; want %d", last, err, want[4].Seq)
	}
	if rest := eventsSince(t, j, want[2].Seq, "", 0); !slices.EqualFunc(want[3:], rest, same) {
		t.Errorf("since the third: %+v", rest)
	}
	if rest := eventsSince(t, j, want[4].Seq, "", 0); len(rest) != 0 {
		t.Errorf("since the last: %+v", rest)
	}
}

func prefixes(t *testing.T, j event.Journal) {
	var seqs []int64
	for _, n := range []event.Name{"cld:a.B.1", "cld:a.B.1/c.D.2", "cld:a.B.10", "cld:a.B.10/c.D.2", "cld:a.B.2", "cld:a.B.1:x", "cld:a.B.1-"} {
		seqs = append(seqs, publish(t, j, event.Put, n).Seq)
	}
	seqs = append(seqs, publish(t, j, event.Put, "cld:e.F.1", "cld:a.B.1/c.D.2", "cld:a.B.1/c.D.3").Seq)
	tests := []struct {
		prefix event.Prefix
		after  int // index of the event to start after, or -1
		limit  int
		want   []int // indexes
	}{
		{"cld:a.B.1", -1, 0, []int{0, 1, 7}},
		{"cld:a.B.1/", -1, 0, []int{1, 7}},
		{"cld:a.B.1/c.D.2", -1, 0, []int{1, 7}},
		{"cld:a.B.1", -1, 2, []int{0, 1}},
		{"cld:a.B.1", 0, 1, []int{1}},
		{"cld:a.B.1", 1, 0, []int{7}},
		{"", 5, 0, []int{6, 7}},
		{"cld:", -1, 3, []int{0, 1, 2}},
		{"cld:a.B.3", -1, 0, nil},
	}
	for _, tt := range tests {
		var from int64
		if tt.after >= 0 {
			from = seqs[tt.after]
		}
		var got []int
		for _, e := range eventsSince(t, j, from, tt.prefix, tt.limit) {
			got = append(got, slices.Index(seqs, e.Seq))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q after %d, at most %d: %v, want %v", tt.prefix, tt.after, tt.limit, got, tt.want)
		}
	}
}

// expectRejected checks that an invalid event is an error and is not stored.
func expectRejected(t *testing.T, j event.Journal) {
	bad := event.New("eventtest", Start, event.Put, "cld:a.B.1")
	bad.Time = "yesterday"
	if _, err := j.Publish(t.Context(), bad); err == nil {
		t.Error("an event without a time is kept")
	}
	if _, err := j.EventsSince(t.Context(), 0, "a.B", 0); err == nil {
		t.Error("an unknown prefix selects something")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := j.Publish(ctx, event.New("eventtest", Start, event.Put, "cld:a.B.1")); err == nil {
		t.Error("published after its context ended")
	}
	if got := eventsSince(t, j, 0, "", 0); len(got) != 0 {
		t.Errorf("kept: %+v", got)
	}
}

// several checks that concurrent events each get a number, and that a reader never
// sees a new event below one that it has read.
func several(t *testing.T, j event.Journal) {
	const publishers, each = 4, 25
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() {
			for range each {
				if _, err := j.Publish(t.Context(), event.New("eventtest", Start, event.Put, "cld:a.B.1")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	var read []int64
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true // read once more
		default:
		}
		var at int64
		if len(read) > 0 {
			at = read[len(read)-1]
		}
		for _, e := range eventsSince(t, j, at, "", 7) {
			read = append(read, e.Seq)
			ended = false
		}
	}
	var all []int64
	for _, e := range eventsSince(t, j, 0, "", 0) {
		all = append(all, e.Seq)
	}
	if len(all) != publishers*each || !slices.Equal(read, all) {
		t.Errorf("read %d events one after the other, %d are there", len(read), len(all))
	}
}
