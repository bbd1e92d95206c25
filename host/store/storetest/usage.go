package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"errand/host/store"
	"errand/host/trace/tracetest"
)

// Usage tests that programs add to the same counts, by day and model, and that old counts are
// removed.
func Usage(t *testing.T, place Place) {
	now := tracetest.Start
	open := place(t, func() time.Time { return now })
	one, other := open(), open()
	today := now.Format(time.DateOnly)
	add := func(s store.Store, u store.ModelUsage) {
		u.Requests = 1
		if err := s.AddUsage(t.Context(), u); err != nil {
			t.Error(err)
		}
	}
	var all sync.WaitGroup
	for _, s := range []store.Store{one, other, one, other} {
		all.Go(func() {
			add(s, store.ModelUsage{Day: today, Provider: "openai", Model: "small", TokensIn: 100, TokensOut: 10, CostMicros: 56})
		})
	}
	all.Wait()
	add(one, store.ModelUsage{Day: today, Provider: "ollama", Model: "small", TokensIn: 1, TokensOut: 2, Unpriced: 1})
	yesterday := now.AddDate(0, 0, -1).Format(time.DateOnly)
	add(one, store.ModelUsage{Day: yesterday, Provider: "openai", Model: "small", TokensIn: 7})
	check := func(day string, want ...string) {
		t.Helper()
		usage, err := other.UsageOf(t.Context(), day)
		lines := []string{}
		for _, u := range usage {
			lines = append(lines, fmt.Sprintf("%s %s %d/%d: %d in, %d out, %d", u.Provider, u.Model, u.Requests, u.Unpriced, u.TokensIn, u.TokensOut, u.CostMicros))
		}
		if diff := cmp.Diff(append([]string{}, want...), lines); diff != "" || err != nil {
			t.Errorf("usage of %s (-want +got):\n%s%v", day, diff, err)
		}
	}
	check(today, "ollama small 1/1: 1 in, 2 out, 0", "openai small 4/0: 400 in, 40 out, 224")
	check(yesterday, "openai small 1/0: 7 in, 0 out, 0")
	if _, err := one.Prune(t.Context(), now); err != nil {
		t.Error(err)
	}
	check(yesterday)
	check(today, "ollama small 1/1: 1 in, 2 out, 0", "openai small 4/0: 400 in, 40 out, 224")
}
