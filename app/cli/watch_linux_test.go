package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/store"
	"errand/host/store/sqlite"
)

// TestWatchedPage: the resident process looks at a page with Chromium, and shows once what is new on it.
// Its clock doesn't count.
func TestWatchedPage(t *testing.T) {
	needBrowser(t)
	var visits atomic.Int64
	var price atomic.Value
	price.Store("19 €")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/offer" {
			visits.Add(1)
		}
		fmt.Fprintf(w, "<title>Shop</title><p>Tea, %s</p><p>Visit %d</p><p>About us</p>", price.Load(), visits.Load())
	}))
	t.Cleanup(site.Close)
	m := newTimerMachine(t)
	m.run("config", "add", "policy.allow_private", strings.TrimPrefix(site.URL, "http://"))
	if out := m.run("tell me when " + site.URL + "/offer changes"); !strings.Contains(out, "the first change") {
		t.Fatalf("the answer: %s", out)
	}
	st, err := sqlite.Open(t.Context(), m.home+"/data/errand", sqlite.Options{Now: time.Now})
	must.Succeed(t, err)
	t.Cleanup(func() { _ = st.Close() })
	watch := func() (w store.Timer) {
		all, err := st.Timers(t.Context())
		must.Succeed(t, err)
		if len(all) > 0 {
			w = all[0]
		}
		return w
	}
	look := func() { // now
		t.Helper()
		w, before := watch(), visits.Load()
		moved, err := st.MoveTimer(t.Context(), w.ID, w.Due, time.Now())
		must.Succeed(t, err)
		if !moved {
			t.Fatalf("the watch is not pending: %+v", w)
		}
		m.run("timers") // wakes the process
		poll.Await(t, "the page is read", func() bool { return visits.Load() > before })
		poll.Await(t, "the look ends", func() bool {
			claims, err := st.TimerClaims(t.Context(), time.Time{})
			must.Succeed(t, err)
			return !slices.ContainsFunc(claims, func(c store.TimerClaim) bool { return !c.Settled })
		})
	}
	poll.Await(t, "the page was read twice", func() bool {
		if got := m.texts(); len(got) > 0 {
			t.Fatalf("shown: %q", got)
		}
		return watch().State != ""
	})
	look()
	if got := m.texts(); len(got) != 0 {
		t.Fatalf("shown though nothing has changed: %q", got)
	}
	price.Store("17 €")
	look()
	poll.Await(t, "the change is shown", func() bool { return len(m.texts()) > 0 })
	if got := m.texts(); len(got) != 1 || !strings.Contains(got[0], "Tea, 17 €") || strings.Contains(got[0], "Visit") {
		t.Errorf("shown: %q", got)
	}
	poll.Await(t, "the watch is over", func() bool { return watch().ID == "" })
	for _, command := range [][]string{{"runs"}, {"show", lookOf(m.run("runs"))}} {
		if out := m.run(command...); !strings.Contains(out, "look for changes on "+site.URL+"/offer") {
			t.Errorf("errand %v does not say what the look was: %s", command, out)
		}
	}
}

// lookOf returns the id of the newest run that looked at a page.
func lookOf(runs string) string {
	for line := range strings.Lines(runs) {
		if id, rest, _ := strings.Cut(line, " "); strings.Contains(rest, "look for changes") {
			return id
		}
	}
	return ""
}
