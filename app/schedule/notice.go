package schedule

import (
	"context"
	"slices"
	"time"

	"errand/app/schedule/change"
	"errand/host/store"
	"errand/planner/message"
	"errand/planner/plan"
)

// Notice is something to show.
type Notice struct {
	store.Timer                 // Due is the moment
	IsLate      bool            // the machine or the process was off; a goal was not run
	IsCut       bool            // the process was killed at the moment: the goal may have run in part
	HasRun      bool            // of a late one: the goal ran at its moment, as Outcome says; only the notice is late
	IsBusy      bool            // the goal was not run, because its run of an earlier moment goes on
	Outcome     message.Message // of a goal that was run, or why a page can't be read

	Change change.Difference // of a watched page
	IsOver bool              // the page is not watched any more
}

// queue shows a notice after the earlier ones, without waiting for that.
func (s *Scheduler) queue(ctx context.Context, st store.Store, n Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = append(s.notices, n)
	if s.showing {
		return
	}
	s.showing = true
	s.running.Go(func() {
		for n, ok := s.nextNotice(); ok; n, ok = s.nextNotice() {
			s.show(ctx, st, n)
		}
	})
}

func (s *Scheduler) nextNotice() (n Notice, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.notices) == 0 {
		s.showing = false
		return n, false
	}
	n, s.notices = s.notices[0], s.notices[1:]
	return n, true
}

// show shows a notice and settles its claim. It reports whether the notice was shown.
func (s *Scheduler) show(ctx context.Context, st store.Store, n Notice) bool {
	limited, cancel := context.WithTimeout(ctx, noticeTimeout)
	err := s.o.Show(limited, n)
	cancel()
	if err != nil {
		s.o.Log.Warn("notice", "timer", n.ID, "error", err)
		if n.Kind != plan.WatchTimer && ctx.Err() == nil { // a page is looked at again anyway
			s.mu.Lock()
			s.failed = append(slices.DeleteFunc(s.failed, func(f Notice) bool { return f.ID == n.ID }), n)
			s.mu.Unlock()
		}
		return false
	}
	if err := st.SettleClaim(ctx, n.ID, n.Due); err != nil {
		s.o.Log.Warn("notice", "timer", n.ID, "error", err)
	}
	return true
}

// repeatNotices shows again what could not be shown.
func (s *Scheduler) repeatNotices(ctx context.Context) {
	s.mu.Lock()
	failed := s.failed
	s.failed = nil
	s.mu.Unlock()
	for _, n := range failed {
		st, err := s.o.Store()
		if err != nil {
			return
		}
		if isSettled(ctx, st, s.o.Now(), n) { // a terminal told it
			continue
		}
		n.IsLate = n.IsLate || s.o.Now().Sub(n.Due) > grace
		n.HasRun = n.HasRun || n.IsLate && !n.Outcome.IsZero()
		s.queue(ctx, st, n)
	}
}

// Message says a notice.
func (n Notice) Message(zone *time.Location) message.Message {
	if n.Kind == plan.WatchTimer {
		return message.New("timer.page", "address", n.Text, "new", n.Change.Added, "gone", n.Change.Removed, "line", n.Change.Line, "over", n.IsOver, "outcome", n.Outcome)
	}
	due := n.Due.In(zone)
	return message.New("timer.due", "kind", n.Kind, "text", n.Text, "late", n.IsLate, "cut", n.IsCut, "busy", n.IsBusy, "ran", n.HasRun,
		"at", due.Format(time.RFC3339), "zone", due.Format("MST"), "outcome", n.Outcome)
}
