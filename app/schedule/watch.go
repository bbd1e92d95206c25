package schedule

import (
	"context"
	"time"

	"errand/app/schedule/change"
	"errand/host/store"
	"errand/planner/message"
	"errand/planner/plan"
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
	page := change.Parse(n.State)
	lines, err := s.o.Read(ctx, n.Text)
	if err == nil && page.IsEmpty() {
		again := lines
		if sleep(ctx, pause) {
			again, err = s.o.Read(ctx, n.Text)
		}
		if err == nil {
			page = change.New(lines, again)
		}
	} else if err == nil {
		n.Change = page.Compare(lines)
	}
	switch {
	case ctx.Err() != nil && context.Cause(ctx) != context.DeadlineExceeded: // the process ends; the next one looks again
		return
	case err != nil && (page.IsEmpty() || page.Failed()): // the first look, or one too many
		n.Outcome, n.IsOver = message.FromError(err), true
	case err == nil && !n.Change.IsZero():
		n.IsOver = n.Changes != plan.EveryChange
	}
	s.keepState(context.WithoutCancel(ctx), st, n, page)
}

// keepState shows what there is to tell, and then keeps what was read: a process that is killed between
// tells it again. After a failed notification the next look tells the same.
func (s *Scheduler) keepState(ctx context.Context, st store.Store, n Notice, page change.Page) {
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
		_, err = st.SetTimerState(ctx, n.ID, page.String())
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
