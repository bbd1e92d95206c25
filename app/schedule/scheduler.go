// Package schedule shows and runs what is due: timers, alarms, reminders and goals for later. One process
// of the user does so. It claims each moment in the store before it does anything, so that a goal runs at
// most once for each moment, wherever the process is killed. A notification that a killed process may not
// have shown is shown again.
package schedule

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"errand/host/schedule"
	"errand/host/store"
	"errand/planner/message"
	"errand/planner/moment"
	"errand/planner/plan"
)

const (
	// grace is how late something may be and still counts as on time. A goal that is later does not run.
	grace = 5 * time.Minute
	// look is the longest time between two looks at the store and the clock, which may change.
	look = 30 * time.Second
	// noticeTimeout is how long a notice may take to be shown, so that a notification service that does
	// not answer holds up nothing else.
	noticeTimeout = 10 * time.Second
	// maxGoals is how many goals run at once. Others wait until one of them has ended.
	maxGoals = 4
	// kept is how far back claims are looked for.
	kept = 400 * 24 * time.Hour
)

// Options configure a [Scheduler].
type Options struct {
	Store func() (store.Store, error)
	// HasStore reports whether there is a store. Nil: there is. A store is not made only to look at it.
	HasStore func() bool
	Now      func() time.Time // in the zone of the user
	// Show shows a notice. An error is logged; the notice is then shown after the next [Scheduler.Wake], or when
	// the process starts again.
	Show func(ctx context.Context, n Notice) error
	// Start runs a goal in words and says how it ended. What needs approval has to become a draft.
	Start func(ctx context.Context, words string) message.Message
	// Ended returns how a goal ended that was started for a claim, by the record of its run. It is false if the
	// record does not say. Nil: it never does.
	Ended func(ctx context.Context, c store.TimerClaim) (message.Message, bool)
	// Read returns the lines of text of a page. What needs approval is an error.
	Read func(ctx context.Context, address string) ([]string, error)
	// Changed hears whether something is due later, at first and when it changes. Nil: nothing does.
	Changed func(pending bool)
	Log     *slog.Logger // nil: nothing is logged
}

// Scheduler waits for what is due. The zero value is not usable; see [New].
type Scheduler struct {
	o    Options
	wake chan struct{}

	mu      sync.Mutex
	pending bool
	known   bool            // pending was read from the store
	busy    map[string]bool // the timers whose goals run or wait to run
	notices []Notice        // to show, in their order
	failed  []Notice        // that could not be shown, the last one of each timer
	showing bool            // they are being shown
	running sync.WaitGroup  // goals
	slots   chan struct{}   // one for each goal that runs
}

// New returns a scheduler. It does nothing before [Scheduler.Run].
func New(o Options) *Scheduler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Scheduler{o: o, wake: make(chan struct{}, 1), pending: true, busy: map[string]bool{}, slots: make(chan struct{}, maxGoals)}
}

// Wake makes Run look at the store soon. It does not block.
func (s *Scheduler) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Pending reports whether something is due later, or may be: the store was not read yet.
func (s *Scheduler) Pending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending
}

// Run shows and runs what is due until ctx is done. It then waits for goals that are running.
func (s *Scheduler) Run(ctx context.Context) {
	defer s.running.Wait()
	if err := s.showUnsettled(ctx); err != nil {
		s.o.Log.Warn("timers", "error", err)
	}
	for ctx.Err() == nil {
		wait := look
		next, err := s.tick(ctx)
		if err != nil {
			s.o.Log.Warn("timers", "error", err)
		} else if !next.IsZero() {
			wait = min(wait, max(next.Sub(s.o.Now()), 0))
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-s.wake:
			s.repeatNotices(ctx)
		case <-timer.C:
		}
		timer.Stop()
	}
}

// showUnsettled shows what a process claimed and did not settle before it died, of a repeat the last
// moment. Goals don't run again.
func (s *Scheduler) showUnsettled(ctx context.Context) error {
	if s.o.HasStore != nil && !s.o.HasStore() {
		return nil
	}
	st, err := s.o.Store()
	if err != nil {
		return err
	}
	claims, err := st.TimerClaims(ctx, s.o.Now().Add(-kept))
	if err != nil {
		return err
	}
	shown := map[string]bool{} // the newest claims come first
	for _, c := range claims {
		switch {
		case c.Settled:
		case shown[c.ID] || c.Kind == plan.WatchTimer: // a page is looked at again anyway
			if err := st.SettleClaim(ctx, c.ID, c.Due); err != nil {
				return err
			}
		default:
			shown[c.ID] = true
			s.queue(ctx, st, s.missedNotice(ctx, c))
		}
	}
	return nil
}

// missedNotice is the notice of a claim that was not settled.
func (s *Scheduler) missedNotice(ctx context.Context, c store.TimerClaim) Notice {
	n := Notice{Timer: c.Timer, IsLate: true, IsCut: c.Kind == plan.GoalTimer}
	if n.IsCut && s.o.Ended != nil {
		if outcome, ok := s.o.Ended(ctx, c); ok {
			n.Outcome, n.HasRun, n.IsCut = outcome, true, false
		}
	}
	return n
}

// tick handles what is due now, and returns when something is due next; zero: nothing is.
func (s *Scheduler) tick(ctx context.Context) (next time.Time, err error) {
	if s.o.HasStore != nil && !s.o.HasStore() {
		s.setPending(false)
		return time.Time{}, nil
	}
	st, err := s.o.Store()
	if err != nil {
		return time.Time{}, err
	}
	timers, err := st.Timers(ctx)
	if err != nil {
		return time.Time{}, err
	}
	now := s.o.Now()
	for _, t := range timers {
		due := t.Due
		if due.After(now) {
			if due, err = s.putBack(ctx, st, t, now); err != nil {
				return time.Time{}, err
			}
		} else if due, err = s.handle(ctx, st, t, now); err != nil {
			return time.Time{}, err
		}
		if !due.IsZero() && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	s.setPending(!next.IsZero())
	return next, nil
}

func (s *Scheduler) setPending(pending bool) {
	s.mu.Lock()
	changed := !s.known || s.pending != pending
	s.pending, s.known = pending, true
	s.mu.Unlock()
	if changed && s.o.Changed != nil {
		s.o.Changed(pending)
	}
}

// putBack makes a repeat due earlier if the clock was put back so far that a moment comes again before
// it, unless that moment was handled.
func (s *Scheduler) putBack(ctx context.Context, st store.Store, t store.Timer, now time.Time) (time.Time, error) {
	when, err := moment.Parse(t.When)
	if err != nil || !when.Repeated || !schedule.Next(when, now, t.CreatedAt).Before(t.Due) {
		return t.Due, nil
	}
	next, err := s.nextFree(ctx, st, when, t, now)
	if err != nil || !next.Before(t.Due) {
		return t.Due, err
	}
	if moved, err := st.MoveTimer(ctx, t.ID, t.Due, next.UTC()); err != nil || !moved {
		return t.Due, err
	}
	return next, nil
}

// nextFree is the next moment of a repeat after a time that was not handled yet.
func (s *Scheduler) nextFree(ctx context.Context, st store.Store, when moment.When, t store.Timer, after time.Time) (time.Time, error) {
	claims, err := st.TimerClaims(ctx, time.Time{})
	if err != nil {
		return time.Time{}, err
	}
	handled := map[int64]bool{t.Due.Unix(): !t.Due.After(s.o.Now())}
	for _, c := range claims {
		if c.ID == t.ID {
			handled[c.Due.Unix()] = true
		}
	}
	next := schedule.Next(when, after, t.CreatedAt)
	for !next.IsZero() && handled[next.Unix()] {
		next = schedule.Next(when, next, t.CreatedAt)
	}
	return next, nil
}

// handle claims what is due, and shows or runs it. It returns when it is due again.
func (s *Scheduler) handle(ctx context.Context, st store.Store, t store.Timer, now time.Time) (time.Time, error) {
	var next time.Time
	if when, err := moment.Parse(t.When); err == nil && when.Repeated {
		if next, err = s.nextFree(ctx, st, when, t, now); err != nil {
			return time.Time{}, err
		}
	}
	var to time.Time
	if !next.IsZero() {
		to = next.UTC()
	}
	claimed, err := st.ClaimTimer(ctx, t.ID, t.Due, to)
	if err != nil || !claimed {
		return next, err
	}
	n := Notice{Timer: t, IsLate: now.Sub(t.Due) > grace}
	if t.Kind == plan.WatchTimer {
		if s.setBusy(t.ID) {
			s.running.Go(func() { s.inTurn(ctx, t.ID, func() { s.watch(ctx, st, n) }) })
		}
		return next, nil
	}
	if t.Kind == plan.GoalTimer && !n.IsLate {
		n.IsBusy = !s.setBusy(t.ID)
	}
	if t.Kind != plan.GoalTimer || n.IsLate || n.IsBusy {
		s.queue(ctx, st, n)
		return next, nil
	}
	s.running.Go(func() {
		s.inTurn(ctx, t.ID, func() { n.Outcome = s.o.Start(ctx, t.Text) })
		if !n.Outcome.IsZero() {
			s.show(context.WithoutCancel(ctx), st, n)
		}
	})
	return next, nil
}

// setBusy notes that the goal of a timer runs. It returns false if it runs already.
func (s *Scheduler) setBusy(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[id] {
		return false
	}
	s.busy[id] = true
	return true
}

// inTurn does what a timer wants when there is room for it. If ctx is done before its turn, it is not
// done, and the claim stays unsettled.
func (s *Scheduler) inTurn(ctx context.Context, id string, do func()) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.busy, id)
	}()
	select {
	case <-ctx.Done():
		return
	case s.slots <- struct{}{}:
	}
	defer func() { <-s.slots }()
	do()
}
