// Package jobs does what other programs ask for through the local API: it creates jobs, makes the
// attempts of their runs and delivers their results. A job starts its run like every other face, so
// policy decides about it, and what it changes waits for the user's approval.
package jobs

import (
	"context"
	"net/http"
	"sync"
	"time"

	"errand/app/agent"
	"errand/app/drafts"
	"errand/app/runs"
	"errand/host/jobs"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Program is the opened program, as far as jobs need it.
type Program interface {
	Start(ctx context.Context, r runs.Request) (runs.Report, error)
	Resume(ctx context.Context, r runs.ResumeRequest) (runs.Report, error)
	// Ask has a language model do a task.
	Ask(ctx context.Context, r runs.Request, o agent.TaskOptions) (runs.Report, error)
	// CheckTask returns why a task can't be done.
	CheckTask(ctx context.Context, o agent.TaskOptions) error

	Record(ctx context.Context, id string) (trace.Record, error)
	ShowDraft(ctx context.Context, id string) (drafts.View, error)
	Reject(ctx context.Context, id string, actions ...string) (drafts.View, error)
	WatchDrafts(ctx context.Context, changed func()) error

	// CheckCallback returns why policy doesn't let an address be contacted.
	CheckCallback(address string) error
	// CallbackClient contacts addresses that policy allows.
	CallbackClient() (*http.Client, error)
	// CleanError removes secrets.
	CleanError(err error) *tool.Error
	Close() error
}

// Options configure a [Service].
type Options struct {
	Queue jobs.Queue
	// Open opens the program for one attempt, with the configuration of now.
	Open func() (Program, error)
	// Reader is an opened program that makes no runs. The caller closes it after the service.
	Reader  Program
	MaxTime time.Duration // the most that an attempt of a job may take
	NewID   func() string
	// Text writes messages for clients.
	Text func(message.Message) string
	Now  func() time.Time
}

// Service creates and does jobs. Its methods may be called by several goroutines at once.
type Service struct {
	o       Options
	states  stateTracker
	stopped chan struct{} // closed by Stop
	watches sync.WaitGroup
}

// New returns a service. It does no jobs before Start.
func New(o Options) *Service { return &Service{o: o, stopped: make(chan struct{})} }

// Start does jobs until Stop.
func (s *Service) Start(ctx context.Context) error {
	err := s.o.Queue.Start(ctx, jobs.Work{Run: s.run, Failure: s.failure, Deliver: s.deliver})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.watches.Go(func() { // ends with Stop
		_ = s.o.Reader.WatchDrafts(ctx, func() { s.continueWaiting(ctx) })
	})
	s.watches.Go(func() {
		<-s.stopped
		cancel()
	})
	return nil
}

// Stop takes no more jobs. It waits for those under way until ctx ends, then interrupts them. They
// go on after the next Start.
func (s *Service) Stop(ctx context.Context) error {
	close(s.stopped)
	s.watches.Wait()
	return s.o.Queue.Stop(ctx)
}

// continueWaiting has the jobs looked at whose drafts may have changed: the user has approved or
// rejected one.
func (s *Service) continueWaiting(ctx context.Context) {
	list, err := s.o.Queue.Jobs(ctx, jobs.Query{Status: jobs.Waiting, Limit: maxWaiting})
	if err != nil {
		return // each waiting job is looked at when its draft expires
	}
	for _, j := range list {
		out := readOutcome(j)
		if out.DraftID == "" {
			continue
		}
		if d, err := s.o.Reader.ShowDraft(ctx, out.DraftID); err == nil && isUndecided(d) {
			continue
		}
		_, _ = s.o.Queue.Continue(ctx, j.ID)
	}
}

// maxWaiting is the number of waiting jobs that are looked at after a change.
const maxWaiting = 1000

// Job returns a job with how far it is.
func (s *Service) Job(ctx context.Context, id string) (View, error) {
	j, err := s.o.Queue.Job(ctx, id)
	if err != nil {
		return View{}, err
	}
	return s.view(j), nil
}

// Jobs lists jobs, the newest first.
func (s *Service) Jobs(ctx context.Context, q jobs.Query) ([]View, error) {
	list, err := s.o.Queue.Jobs(ctx, q)
	if err != nil {
		return nil, err
	}
	views := make([]View, len(list))
	for i, j := range list {
		views[i] = s.view(j)
	}
	return views, nil
}

// Cancel ends a job.
func (s *Service) Cancel(ctx context.Context, id string) (View, error) {
	j, err := s.o.Queue.Cancel(ctx, id)
	if err != nil {
		return View{}, err
	}
	return s.view(j), nil
}

// Steps returns the recorded steps of a job's run, after the first skip. Secrets were removed when
// they were recorded. There are none if the run has not begun, or was recorded elsewhere.
func (s *Service) Steps(ctx context.Context, id string, skip int) ([]trace.Step, error) {
	rec, err := s.o.Reader.Record(ctx, id)
	if isNoRun(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return rec.Steps[min(skip, len(rec.Steps)):], nil
}

// FindToken returns the token of a secret, unless it was revoked.
func (s *Service) FindToken(ctx context.Context, secret string) (jobs.Token, bool, error) {
	return s.o.Queue.FindToken(ctx, jobs.HashSecret(secret))
}
