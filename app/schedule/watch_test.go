package schedule

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"errand/app/schedule/change"
	"errand/build/must"
	"errand/host/store"
	"errand/planner/plan"
)

// page is a page of a world. Its text is read line by line.
type page struct {
	text  string
	err   error
	reads int
	clock bool // it has a line that changes by itself
}

func (w *world) watch(changes string) {
	w.t.Helper()
	_, err := w.store.AddTimer(w.t.Context(), store.Timer{ID: "w", Kind: plan.WatchTimer, When: "every 15m", Text: "https://example.com/", Changes: changes, Due: w.now().UTC(), CreatedAt: w.now().UTC()})
	must.Succeed(w.t, err)
	w.s.Wake()
	w.sleep(10 * time.Second)
}

func (w *world) change(text string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.page.text, w.page.err = text, err
}

// TestWatch: a page is looked at again and again. What changes by itself is not told, nor what was there
// before; the first change ends the watch, unless every one is to be told.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.page.text, w.page.clock = "Price: 19 €\nIn stock\nAbout us", true
		w.start()
		w.watch("every")
		w.sleep(time.Hour)
		w.saw()
		w.change("Price: 17 €\nIn stock\nAbout us", nil)
		w.sleep(15 * time.Minute)
		w.saw("page new=1 gone=1 “Price: 17 €” over=false")
		w.change("Price: 17 €\nAbout us", nil)
		w.stop() // and the next process goes on
		w.start()
		w.sleep(15 * time.Minute)
		w.saw("page new=0 gone=1 “” over=false")
		w.sleep(time.Hour)
		w.saw()
		_, err := w.store.RemoveTimer(t.Context(), "w")
		must.Succeed(t, err)

		w.watch("first")
		w.change("About them", nil)
		w.sleep(15 * time.Minute)
		w.saw("page new=1 gone=2 “About them” over=true")
		w.change("Something else", nil)
		w.sleep(time.Hour)
		w.saw()
		if w.s.Pending() {
			t.Error("the page is still watched")
		}
		w.stop()
	})
}

// TestWatchFails: a page that can't be read at first ends the watch at once. Later, a few failures are
// passed over.
func TestWatchFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.page.err = errors.New("no such host")
		w.start()
		w.watch("first")
		w.saw("page new=0 gone=0 “” over=true: no such host")
		w.change("Hello", nil)
		w.watch("first")
		w.change("", errors.New("timeout"))
		w.sleep(30 * time.Minute)
		w.saw()
		w.change("Hello", nil)
		w.sleep(15 * time.Minute)
		w.saw()
		w.change("", errors.New("timeout"))
		w.sleep(5 * 15 * time.Minute)
		w.saw("page new=0 gone=0 “” over=true: timeout")
		w.stop()
	})
}

// TestWatchNotShown: a change that could not be shown is told after the next look.
func TestWatchNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.page.text = "one"
		w.start()
		w.watch("first")
		w.change("two", nil)
		w.mu.Lock()
		w.broken = true
		w.mu.Unlock()
		w.sleep(15 * time.Minute)
		w.saw()
		w.mu.Lock()
		w.broken = false
		w.mu.Unlock()
		w.sleep(15 * time.Minute)
		w.saw("page new=1 gone=1 “two” over=true")
		w.stop()
	})
}

// FuzzDifference: nothing has changed on a page that is the same, whatever its text, and what is kept can
// be read back. A line that is added is found.
func FuzzDifference(f *testing.F) {
	f.Add("a\nb", "c")
	f.Add("", "x")
	f.Fuzz(func(t *testing.T, text, line string) {
		lines := strings.Split(text, "\n")
		seen := change.New(lines, lines)
		seen = change.Parse(seen.String())
		if d := seen.Compare(lines); !d.IsZero() || seen.IsEmpty() {
			t.Errorf("%+v, empty %v", d, seen.IsEmpty())
		}
		words := strings.Join(strings.Fields(line), " ")
		known := false
		for _, l := range lines {
			known = known || strings.Join(strings.Fields(l), " ") == words
		}
		if d := seen.Compare(append([]string{line}, lines...)); len(lines) < change.MaxLines && d.Added != map[bool]int{false: 1, true: 0}[known || words == ""] {
			t.Errorf("%q is new in %q: %+v", line, text, d)
		}
	})
}
