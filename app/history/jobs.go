package history

import (
	"context"
	"time"

	"errand/host/jobs"
)

// withJobs calls do with the queue of jobs, if there is one.
func (h *History) withJobs(ctx context.Context, do func(jobs.Queue) error) error {
	q, err := h.o.Jobs(ctx)
	if err != nil || q == nil {
		return err
	}
	defer func() { _ = q.Close() }()
	return do(q)
}

// forgetJob removes the job of a run: its words, its answer and what it was asked with.
func (h *History) forgetJob(ctx context.Context, runID string) error {
	return h.withJobs(ctx, func(q jobs.Queue) error {
		_, err := q.Forget(ctx, runID)
		return err
	})
}

// pruneJobs removes the jobs that ended before a time, and returns their number.
func (h *History) pruneJobs(ctx context.Context, before time.Time) (n int, err error) {
	err = h.withJobs(ctx, func(q jobs.Queue) (err error) {
		n, err = q.Prune(ctx, before)
		return err
	})
	return n, err
}
