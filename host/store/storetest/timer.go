package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/store"
	"errand/host/trace/tracetest"
)

// Timers tests that timers are kept, that each moment is claimed once, also by several programs, and
// that what was not settled can be found.
func Timers(t *testing.T, place Place) {
	now := tracetest.Start
	open := place(t, func() time.Time { return now })
	one, other := open(), open()
	at := func(minutes int) time.Time { return tracetest.Start.Add(time.Duration(minutes) * time.Minute).UTC() }
	add := func(want bool, id string, minutes int) {
		t.Helper()
		timer := store.Timer{ID: id, Kind: "reminder", When: "in 20m", Text: "call " + id, Due: at(minutes), CreatedAt: at(0), RunID: "r1"}
		if added, err := one.AddTimer(t.Context(), timer); err != nil || added != want {
			t.Fatalf("add %s: %v, %v", id, added, err)
		}
	}
	add(true, "a", 20)
	add(true, "b", 10)
	add(false, "a", 30) // the first one stays
	pending := func(want ...string) {
		t.Helper()
		timers, err := other.Timers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{}
		for _, x := range timers {
			lines = append(lines, fmt.Sprintf("%s %s %d", x.ID, x.Text, int(x.Due.Sub(at(0)).Minutes())))
		}
		if diff := cmp.Diff(append([]string{}, want...), lines); diff != "" {
			t.Errorf("timers (-want +got):\n%s", diff)
		}
	}
	pending("b call b 10", "a call a 20")
	check := func(what string, want bool, do func(context.Context) (bool, error)) {
		t.Helper()
		if got, err := do(t.Context()); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", what, got, err, want)
		}
	}
	check("move from another time", false, func(ctx context.Context) (bool, error) { return one.MoveTimer(ctx, "b", at(11), at(12)) })
	check("move", true, func(ctx context.Context) (bool, error) { return one.MoveTimer(ctx, "b", at(10), at(15)) })
	check("claim another time", false, func(ctx context.Context) (bool, error) { return one.ClaimTimer(ctx, "b", at(10), at(70)) })
	check("state", true, func(ctx context.Context) (bool, error) { return one.SetTimerState(ctx, "b", "seen") })
	check("state of none", false, func(ctx context.Context) (bool, error) { return one.SetTimerState(ctx, "x", "seen") })
	if timers, err := other.Timers(t.Context()); err != nil || timers[0].State != "seen" || timers[0].Text != "call b" {
		t.Errorf("with a state: %+v, %v", timers, err)
	}
	now = at(15)
	check("claim", true, func(ctx context.Context) (bool, error) { return one.ClaimTimer(ctx, "b", at(15), at(75)) })
	check("claim again", false, func(ctx context.Context) (bool, error) { return other.ClaimTimer(ctx, "b", at(15), at(75)) })
	pending("a call a 20", "b call b 75")
	check("put the clock back", true, func(ctx context.Context) (bool, error) { return one.MoveTimer(ctx, "b", at(75), at(15)) })
	check("claim a moment twice", false, func(ctx context.Context) (bool, error) { return one.ClaimTimer(ctx, "b", at(15), at(75)) })
	pending("a call a 20", "b call b 75")
	now = at(21)
	check("claim the only moment", true, func(ctx context.Context) (bool, error) { return other.ClaimTimer(ctx, "a", at(20), time.Time{}) })
	if err := other.SettleClaim(t.Context(), "a", at(20)); err != nil {
		t.Fatal(err)
	}
	claims := func(since int, want ...string) {
		t.Helper()
		all, err := one.TimerClaims(t.Context(), at(since))
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{}
		for _, c := range all {
			lines = append(lines, fmt.Sprintf("%s %s %d %d %v", c.ID, c.Text, int(c.Due.Sub(at(0)).Minutes()), int(c.ClaimedAt.Sub(at(0)).Minutes()), c.Settled))
		}
		if diff := cmp.Diff(append([]string{}, want...), lines); diff != "" {
			t.Errorf("claims (-want +got):\n%s", diff)
		}
	}
	claims(0, "a call a 20 21 true", "b call b 15 15 false")
	claims(20, "a call a 20 21 true")
	check("remove", true, func(ctx context.Context) (bool, error) { return one.RemoveTimer(ctx, "b") })
	check("remove again", false, func(ctx context.Context) (bool, error) { return one.RemoveTimer(ctx, "b") })
	pending()
	if _, err := one.Prune(t.Context(), at(30)); err != nil {
		t.Fatal(err)
	}
	claims(0, "b call b 15 15 false") // what was not settled stays

	add(true, "c", 30)
	var won sync.Map
	var all sync.WaitGroup
	for i, s := range []store.Store{one, other, open()} {
		all.Go(func() {
			if ok, err := s.ClaimTimer(t.Context(), "c", at(30), time.Time{}); err != nil {
				t.Error(err)
			} else if ok {
				won.Store(i, true)
			}
		})
	}
	all.Wait()
	n := 0
	won.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d programs claimed one moment", n)
	}
}
