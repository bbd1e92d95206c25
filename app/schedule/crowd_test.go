package schedule

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"errand/build/must"
	"errand/host/store"
	"errand/planner/message"
)

// TestSilentNotifications: a notification service that never answers holds up nothing else, and its notice
// is shown by the next process.
func TestSilentNotifications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.show = func(ctx context.Context, n Notice) error {
			if n.Text == "silent" {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		w.start()
		w.add("a", "reminder", "in 1m", "silent")
		w.add("b", "reminder", "in 2m", "drink")
		w.add("c", "goal", "in 2m", "what is 2+3")
		w.sleep(3 * time.Minute)
		seen := w.taken()
		if !strings.Contains(seen, "reminder drink late=false") || !strings.Contains(seen, "goal what is 2+3 late=false") {
			t.Errorf("seen: %q", seen)
		}
		w.stop()
		w.show = nil
		w.start()
		w.saw("reminder silent late=true cut=false at Mon 16:03:00")
		w.stop()
	})
}

// TestManyGoalsDue: goals that are due at one moment run a few at a time, and all of them run.
func TestManyGoalsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		var running, most, all atomic.Int32
		w.run = func(ctx context.Context, _ string) bool {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(10 * time.Second)
			running.Add(-1)
			all.Add(1)
			return false
		}
		w.start()
		for i := range 60 {
			w.add(fmt.Sprint("g", i), "goal", "at 16:10", "open github")
		}
		w.sleep(30 * time.Minute)
		if most.Load() > maxGoals || all.Load() != 60 {
			t.Errorf("%d goals ran, %d at once", all.Load(), most.Load())
		}
		w.stop()
	})
}

// TestLongGoal: a goal that takes longer than its pause does not run twice at once. What is left out is
// shown.
func TestLongGoal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		var running, most, all atomic.Int32
		w.run = func(ctx context.Context, _ string) bool {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			all.Add(1)
			select {
			case <-ctx.Done():
			case <-time.After(150 * time.Second):
			}
			return false
		}
		w.start()
		w.add("a", "goal", "every 1m", "open github")
		w.sleep(7*time.Minute + time.Second)
		if most.Load() != 1 || all.Load() != 3 { // at 1, 4 and 7 minutes
			t.Errorf("the goal ran %d times, %d at once", all.Load(), most.Load())
		}
		seen := w.taken()
		if got := strings.Count(seen, "busy"); got != 4 { // at 2, 3, 5 and 6 minutes
			t.Errorf("%d notices about a run that goes on:\n%s", got, seen)
		}
		w.stop()
	})
}

// TestNoticesMissed: of a repeat whose notices could not be shown, the next process shows the last one.
func TestNoticesMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.start()
		w.add("a", "reminder", "every 1m", "stretch")
		w.add("b", "reminder", "in 5m", "tea")
		w.broken = true
		w.sleep(30 * time.Minute)
		w.stop()
		w.broken = false
		w.start()
		if seen := w.taken(); strings.Count(seen, "\n") != 1 || !strings.Contains(seen, "reminder tea") {
			t.Errorf("seen: %q", seen)
		}
		w.stop()
		w.start()
		w.saw()
		w.stop()
	})
}

// TestNoticeOfRun: a notice that was missed says how the goal ended, if the record of its run says so. What could
// not be shown is shown after the next wake.
func TestNoticeOfRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, "Europe/Berlin", "2026-11-30 16:00:00")
		w.start()
		w.broken = true
		w.add("a", "goal", "in 1m", "what is 2+3")
		w.add("b", "reminder", "in 1m", "tea")
		w.sleep(2 * time.Minute)
		w.mu.Lock()
		w.broken, w.seen = false, nil
		w.mu.Unlock()
		w.s.Wake()
		w.sleep(time.Second)
		seen := w.taken()
		if !strings.Contains(seen, "goal what is 2+3 late=false cut=false") || !strings.Contains(seen, "reminder tea") {
			t.Errorf("after the wake: %q", seen)
		}
		w.add("c", "goal", "in 1m", "what is 4+5")
		w.mu.Lock()
		w.broken = true
		w.mu.Unlock()
		w.sleep(2 * time.Minute)
		w.stop()
		w.broken, w.seen = false, nil
		w.start()
		claims, err := w.store.TimerClaims(t.Context(), time.Time{})
		must.Succeed(t, err)
		w.s.o.Ended = func(context.Context, store.TimerClaim) (message.Message, bool) {
			return message.New("timer.goal_done"), true
		}
		n := w.s.missedNotice(t.Context(), claims[0])
		if n.ID != "c" || !n.HasRun || n.IsCut || n.Outcome.Code != "timer.goal_done" {
			t.Errorf("the missed notice: %+v", n)
		}
		w.s.o.Ended = func(context.Context, store.TimerClaim) (message.Message, bool) { return message.Message{}, false }
		if n := w.s.missedNotice(t.Context(), claims[0]); n.HasRun || !n.IsCut {
			t.Errorf("without a record: %+v", n)
		}
		w.stop()
	})
}
