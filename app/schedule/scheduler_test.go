package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/schedule"
	"errand/host/store"
	"errand/host/store/sqlite"
	"errand/planner/message"
	"errand/planner/moment"
	"errand/planner/plan"
)

// world is a machine with a clock that can be set, a store, and a process that may be killed.
type world struct {
	t      *testing.T
	dir    string
	zone   *time.Location
	offset time.Duration // of the clock

	mu     sync.Mutex
	seen   []string
	broken bool                                         // notices fail, as if the process died before it showed one
	show   func(context.Context, Notice) error          // nil: every notice is shown at once
	run    func(ctx context.Context, words string) bool // nil: every goal is done at once
	kill   context.CancelFunc
	ended  chan struct{}
	store  *sqlite.Store
	s      *Scheduler
	page   page
}

// newWorld sets the clock to a time of a zone.
func newWorld(t *testing.T, zone, at string) *world {
	t.Helper()
	l, err := time.LoadLocation(zone)
	must.Succeed(t, err)
	start, err := time.ParseInLocation("2006-01-02 15:04:05", at, l)
	must.Succeed(t, err)
	return &world{t: t, dir: t.TempDir(), zone: l, offset: time.Until(start)}
}

func (w *world) now() time.Time { return time.Now().Add(w.offset).In(w.zone).Round(0) }

// start starts the process.
func (w *world) start() {
	w.t.Helper()
	ctx, kill := context.WithCancel(w.t.Context())
	st, err := sqlite.Open(ctx, w.dir, sqlite.Options{Now: w.now})
	must.Succeed(w.t, err)
	w.store, w.kill, w.ended = st, kill, make(chan struct{})
	w.s = New(Options{
		Store: func() (store.Store, error) { return st, nil },
		Now:   w.now,
		Show: func(ctx context.Context, n Notice) error {
			if w.show != nil {
				if err := w.show(ctx, n); err != nil {
					return err
				}
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.broken {
				return errors.New("killed")
			}
			if n.Kind == plan.WatchTimer {
				said := fmt.Sprintf("page new=%d gone=%d “%s” over=%v", n.Change.Added, n.Change.Removed, n.Change.Line, n.IsOver)
				if !n.Outcome.IsZero() {
					said += ": " + n.Outcome.String()
				}
				w.seen = append(w.seen, said)
				return nil
			}
			w.seen = append(w.seen, fmt.Sprintf("%s %s late=%v cut=%v at %s%s", n.Kind, n.Text, n.IsLate, n.IsCut, w.now().Format("Mon 15:04:05"), map[bool]string{true: " busy"}[n.IsBusy]))
			return nil
		},
		Read: func(context.Context, string) ([]string, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.page.reads++
			lines := strings.Split(w.page.text, "\n")
			if w.page.clock {
				lines = append(lines, fmt.Sprintf("Visit %d", w.page.reads))
			}
			return lines, w.page.err
		},
		Start: func(ctx context.Context, words string) message.Message {
			if w.run != nil && !w.run(ctx, words) {
				return message.Verbatim("ended")
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			w.seen = append(w.seen, "run "+words+" at "+w.now().Format("Mon 15:04:05 -0700"))
			return message.Verbatim("done")
		},
	})
	go func() { defer close(w.ended); w.s.Run(ctx) }()
	synctest.Wait()
}

// stop ends the process. What it has claimed and not settled stays.
func (w *world) stop() {
	w.kill()
	<-w.ended
	must.Succeed(w.t, w.store.Close())
}

// add makes a timer as the tools do.
func (w *world) add(id, kind, when, text string) {
	w.t.Helper()
	m, err := moment.Parse(when)
	must.Succeed(w.t, err)
	due, err := schedule.First(m, w.now())
	must.Succeed(w.t, err)
	_, err = w.store.AddTimer(w.t.Context(), store.Timer{ID: id, Kind: kind, When: when, Text: text, Due: due.UTC(), CreatedAt: w.now().UTC()})
	must.Succeed(w.t, err)
	w.s.Wake()
	synctest.Wait()
}

func (w *world) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// saw checks what was shown and run since the last check.
func (w *world) saw(want ...string) {
	w.t.Helper()
	if got := w.taken(); got != strings.Join(want, "\n") {
		w.t.Errorf("seen:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// taken returns what was seen since the last call, a line each.
func (w *world) taken() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := strings.Join(w.seen, "\n")
	w.seen = nil
	return seen
}

func TestDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.start()
		if w.s.Pending() {
			t.Error("something is pending in an empty store")
		}
		w.add("a", "reminder", "in 20m", "call mom")
		w.add("b", "timer", "in 10s", "tea")
		w.add("c", "goal", "every 30m", "open github")
		if !w.s.Pending() {
			t.Error("nothing is pending")
		}
		w.sleep(10 * time.Second)
		w.saw("timer tea late=false cut=false at Mon 16:00:10")
		w.sleep(time.Hour)
		w.saw("reminder call mom late=false cut=false at Mon 16:20:00",
			"run open github at Mon 16:30:00 +0100", "goal open github late=false cut=false at Mon 16:30:00",
			"run open github at Mon 17:00:00 +0100", "goal open github late=false cut=false at Mon 17:00:00")
		_, err := w.store.RemoveTimer(t.Context(), "c")
		must.Succeed(t, err)
		w.sleep(time.Hour)
		w.saw()
		if w.s.Pending() {
			t.Error("something is still pending")
		}
		w.stop()
	})
}

// TestKilled kills the process between a claim and its end: a notice is shown by the next process, and
// a goal does not run again.
func TestKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.start()
		w.add("a", "reminder", "in 1m", "call mom")
		w.add("b", "goal", "every day 16:01", "open github")
		w.broken = true
		w.sleep(90 * time.Second)
		w.stop()
		w.broken = false
		w.saw("run open github at Mon 16:01:00 +0100")
		w.start()
		w.sleep(time.Minute)
		seen := w.taken()
		if !strings.Contains(seen, "reminder call mom late=true cut=false") || !strings.Contains(seen, "goal open github late=true cut=true") || strings.Count(seen, "\n") != 1 {
			t.Errorf("after the start: %s", seen)
		}
		w.stop()
		w.start()
		w.sleep(time.Minute)
		w.saw() // once
		w.sleep(24 * time.Hour)
		w.saw("run open github at Tue 16:01:00 +0100", "goal open github late=false cut=false at Tue 16:01:00")
		w.stop()
	})
}

// TestMachineOff: what was due meanwhile is shown once, and goals don't run late.
func TestMachineOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.start()
		w.add("a", "reminder", "in 20m", "call mom")
		w.add("b", "goal", "every day 09:00", "open github")
		w.add("c", "reminder", "every 1h", "stretch")
		w.stop()
		w.sleep(3*24*time.Hour + 30*time.Minute)
		w.start()
		w.sleep(time.Minute)
		w.saw("reminder call mom late=true cut=false at Thu 16:30:00", "reminder stretch late=true cut=false at Thu 16:30:00", "goal open github late=true cut=false at Thu 16:30:00")
		w.sleep(time.Hour)
		w.saw("reminder stretch late=false cut=false at Thu 17:00:00")
		w.stop()
		w.sleep(16*time.Hour - 29*time.Minute) // until 09:02
		w.start()
		w.sleep(time.Second)
		seen := strings.Join(w.seen, "\n")
		if !strings.Contains(seen, "run open github at Fri 09:02") {
			t.Errorf("two minutes late: %s", seen)
		}
		w.stop()
	})
}

// TestClockChanges puts the clock back and forward: no moment is handled twice, and none is lost for good.
func TestClockChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 08:50:00")
		w.start()
		w.add("a", "goal", "every day 09:00", "open github")
		w.sleep(11 * time.Minute)
		w.saw("run open github at Mon 09:00:00 +0100", "goal open github late=false cut=false at Mon 09:00:00")
		w.offset -= 2 * time.Hour
		w.sleep(3 * time.Hour)
		w.saw() // 09:00 comes again
		w.offset += 4 * 365 * 24 * time.Hour
		w.sleep(time.Minute)
		if seen := w.seen; len(seen) != 1 || !strings.Contains(seen[0], "goal open github late=true") {
			t.Errorf("four years forward: %q", seen)
		}
		w.seen = nil
		w.offset -= 4 * 365 * 24 * time.Hour
		w.sleep(48 * time.Hour) // Tuesday's was shown as late
		w.saw("run open github at Wed 09:00:00 +0100", "goal open github late=false cut=false at Wed 09:00:00")
		w.stop()
	})
}

// TestDaylightSaving: a repeat runs once a day on the days on which clocks change.
func TestDaylightSaving(t *testing.T) {
	for _, tt := range []struct{ name, zone, start, when, want string }{
		{"Berlin, forward", "Europe/Berlin", "2026-03-28 12:00:00", "every day 02:30", "Sun 03:30:00 +0200, Mon 02:30:00 +0200"},
		{"Berlin, back", "Europe/Berlin", "2026-10-24 12:00:00", "every day 02:30", "Sun 02:30:00 +0200, Mon 02:30:00 +0100"},
		{"New York, forward", "America/New_York", "2026-03-07 12:00:00", "every day 02:30", "Sun 03:30:00 -0400, Mon 02:30:00 -0400"},
		{"New York, back", "America/New_York", "2026-10-31 12:00:00", "every day 01:30", "Sun 01:30:00 -0400, Mon 01:30:00 -0500"},
		{"Tokyo", "Asia/Tokyo", "2026-03-28 12:00:00", "every day 02:30", "Sun 02:30:00 +0900, Mon 02:30:00 +0900"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, tt.zone, tt.start)
				w.start()
				w.add("a", "goal", tt.when, "x")
				w.sleep(40 * time.Hour)
				var runs []string
				for _, line := range w.seen {
					if at, ok := strings.CutPrefix(line, "run x at "); ok {
						runs = append(runs, at)
					}
				}
				if got := strings.Join(runs, ", "); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
				w.stop()
			})
		})
	}
}

// TestTwoProcesses: of two processes with one store, one handles each moment.
func TestTwoProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "UTC", "2026-11-30 16:00:00")
		w.start()
		other := &world{t: t, dir: w.dir, zone: w.zone, offset: w.offset}
		other.start()
		w.add("a", "goal", "every 10m", "x")
		w.sleep(time.Hour + time.Second)
		if n := len(w.seen) + len(other.seen); n != 12 { // a run and a notice each
			t.Errorf("%d runs and notices: %q and %q", n, w.seen, other.seen)
		}
		other.stop()
		w.stop()
	})
}
