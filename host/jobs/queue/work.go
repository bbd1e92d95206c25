package queue

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"errand/host/jobs"
)

// Limits of entries in River's queue.
const (
	maxAttempts      = 4 // of an entry that can't be carried out, such as with a full disk
	deliveryAttempts = 3
	deliveryTime     = 5 * time.Minute // after the end of the job
	deliverTimeout   = 20 * time.Second
	writeTimeout     = 10 * time.Second
	pollInterval     = 500 * time.Millisecond // how soon an entry is seen
)

// queueOf returns River's queue for the entries of a program; empty: for all programs.
func queueOf(owner string) string {
	if owner == "" {
		return river.QueueDefault
	}
	return "errand_" + owner
}

// attempt is an entry that makes an attempt of a job.
type attempt struct {
	JobID  string `json:"job_id"`
	Ticket int64  `json:"ticket"`
}

// Kind implements [river.JobArgs].
func (attempt) Kind() string { return "errand_attempt" }

// callback is an entry that delivers the end of a job.
type callback struct {
	JobID string    `json:"job_id"`
	Until time.Time `json:"until"`
}

// Kind implements [river.JobArgs].
func (callback) Kind() string { return "errand_callback" }

func (q *Queue) riverConfig() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &attemptWorker{q: q})
	river.AddWorker(workers, &callbackWorker{q: q})
	return &river.Config{
		ID:     "errand_" + q.owner,
		Logger: q.o.Log,
		Queues: map[string]river.QueueConfig{
			river.QueueDefault: {MaxWorkers: q.o.Workers}, queueOf(q.owner): {MaxWorkers: q.o.Workers},
		},
		Workers:              workers,
		FetchPollInterval:    pollInterval,
		JobTimeout:           q.o.MaxTime,
		RescueStuckJobsAfter: q.o.MaxTime + time.Minute,
	}
}

type attemptWorker struct {
	river.WorkerDefaults[attempt]
	q *Queue
}

// NextRetry implements [river.Worker].
func (*attemptWorker) NextRetry(e *river.Job[attempt]) time.Time { return nextRetry(e.Attempt) }

// nextRetry returns when an entry is tried again after the attempt with a number.
func nextRetry(attempt int) time.Time {
	wait := 2 * time.Second
	for range attempt - 1 {
		wait *= 5
	}
	return time.Now().Add(min(wait, time.Minute))
}

// Work implements [river.Worker].
func (w *attemptWorker) Work(ctx context.Context, e *river.Job[attempt]) error {
	q, work := w.q, w.q.work.Load()
	if _, isActive := q.active.LoadOrStore(e.Args.JobID, true); isActive { // an attempt that is being cancelled
		return river.JobSnooze(pollInterval)
	}
	defer q.active.Delete(e.Args.JobID)
	j, ok, err := q.claim(ctx, e.Args)
	if err != nil || !ok {
		return err
	}
	o, err := work.Run(ctx, j)
	if err != nil {
		if ctx.Err() != nil || e.Attempt < maxAttempts {
			return err
		}
		o = jobs.Outcome{Status: jobs.Failed, Body: work.Failure(j, err)}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	return q.settle(ctx, e.Args, j, o)
}

// claim takes a job for this program. It returns false for a void entry, and for a job whose run
// another program has.
func (q *Queue) claim(ctx context.Context, a attempt) (jobs.Job, bool, error) {
	n, err := q.exec(ctx, `UPDATE errand_jobs SET status = 'running', owner = $1, started_at = CASE WHEN started_at = 0 THEN $2 ELSE started_at END
		WHERE job_id = $3 AND ticket = $4 AND owner IN ('', $1) AND status NOT IN ('done', 'failed', 'cancelled')`,
		q.owner, q.o.Now().UnixNano(), a.JobID, a.Ticket)
	if err != nil || n == 0 {
		return jobs.Job{}, false, err
	}
	return find(ctx, q, "job_id = $1", a.JobID)
}

// settle records how far an attempt came.
func (q *Queue) settle(ctx context.Context, a attempt, j jobs.Job, o jobs.Outcome) error {
	return q.inTx(ctx, func(tx transaction) error {
		if o.Status.IsFinal() {
			return q.end(ctx, tx, j, o)
		}
		n, err := tx.exec(ctx, `UPDATE errand_jobs SET status = $1, outcome = $2 WHERE job_id = $3 AND ticket = $4`, string(o.Status), string(o.Body), a.JobID, a.Ticket)
		if err != nil || n == 0 { // it was continued or cancelled meanwhile, which made an entry
			return err
		}
		return q.enter(ctx, tx, a.JobID, q.owner, o.Until)
	})
}

type callbackWorker struct {
	river.WorkerDefaults[callback]
	q *Queue
}

// Timeout implements [river.Worker].
func (*callbackWorker) Timeout(*river.Job[callback]) time.Duration { return deliverTimeout }

// NextRetry implements [river.Worker].
func (*callbackWorker) NextRetry(e *river.Job[callback]) time.Time { return nextRetry(e.Attempt + 1) }

// Work implements [river.Worker].
func (w *callbackWorker) Work(ctx context.Context, e *river.Job[callback]) error {
	q := w.q
	j, ok, err := find(ctx, q, "job_id = $1", e.Args.JobID)
	if err != nil || !ok || j.Delivery.Status != jobs.DeliveryPending {
		return err
	}
	late := q.o.Now().After(e.Args.Until)
	failure := context.DeadlineExceeded
	if !late {
		failure = q.work.Load().Deliver(ctx, j)
	}
	status, text := jobs.DeliveryDelivered, ""
	if failure != nil {
		status, text = jobs.DeliveryPending, failure.Error()
	}
	isLast := failure != nil && (late || e.Attempt >= deliveryAttempts)
	if isLast {
		status = jobs.DeliveryFailed
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	_, err = q.exec(ctx, `UPDATE errand_jobs SET delivery = $1, delivery_attempts = delivery_attempts + 1, delivery_error = $2,
		callback_url = CASE WHEN $1 = 'pending' THEN callback_url ELSE '' END WHERE job_id = $3`, status, text, j.ID)
	if err != nil || isLast {
		return err
	}
	return failure
}
