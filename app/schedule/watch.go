package schedule

import (
	"context"
	"time"

	"errand/app/schedule/change"
	"errand/host/store"
	"errand/host/timers"
	"errand/planner/message"
)

const (
	// lookTime is the longest time that one look at a page takes, with both readings of the first look. It
	// is shorter than the time between two looks.
	lookTime = 4 * time.Minute
	// pause is the time between the two readings of the first look. What differs between them changes by
	// itself.
	pause = 5 * time.Second
)

// watch looks at a page that is watched, and tells what has changed.
func (s *Scheduler) watch(ctx context.Context, st store.Store, n Notice) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	seen := change.Parse(n.State)
	lines, err := s.o.Read(ctx, n.Text)
	if err == nil && seen.IsEmpty() {
		again := lines
		if sleep(ctx, pause) {
			again, err = s.o.Read(ctx, n.Text)
		}
		seen = change.New(lines, again)
	} else if err == nil {
		n.Change = seen.Compare(lines)
	}
	switch {
	case ctx.Err() != nil && context.Cause(ctx) != context.DeadlineExceeded: // the process ends; the next one looks again
		return
	case err != nil && (seen.IsEmpty() || seen.Failed()): // the first look, or one too many
		n.Outcome, n.IsOver = message.FromError(err), true
	case err == nil && !n.Change.IsZero():
		n.IsOver = n.Changes != timers.EveryChange
	}
	s.keepState(context.WithoutCancel(ctx), st, n, seen)
}

// keepState shows what there is to tell, and then keeps what was seen: a process that is killed between
// tells it again. What could not be shown is told after the next look.
func (s *Scheduler) keepState(ctx context.Context, st store.Store, n Notice, seen change.Seen) {
	tells := n.IsOver || !n.Change.IsZero()
	if tells && !s.show(ctx, st, n) {
		return
	}
	if !tells {
		if err := st.SettleClaim(ctx, n.ID, n.Due); err != nil {
			s.o.Log.Warn("watch", "timer", n.ID, "error", err)
		}
	}
	var err error
	if n.IsOver {
		_, err = st.RemoveTimer(ctx, n.ID)
		s.Wake()
	} else {
		_, err = st.SetTimerState(ctx, n.ID, seen.String())
	}
	if err != nil {
		s.o.Log.Warn("watch", "timer", n.ID, "error", err)
	}
}

// sleep waits, and reports whether ctx was not done before.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
