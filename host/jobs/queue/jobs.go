package queue

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

//go:embed tables.sql
var tables string

func createTables(ctx context.Context, db querier) error {
	for statement := range strings.SplitSeq(withoutComments(tables), ";") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := db.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// withoutComments removes comments, which may have semicolons.
func withoutComments(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), "--")
		out.WriteString(line + "\n")
	}
	return out.String()
}

const columns = "job_id,session_id,type,status,token_id,owner,cancel_requested,created_at,started_at,ended_at," +
	"delivery,delivery_attempts,delivery_error,callback_url,input,outcome"

func readJob(scan scan) (jobs.Job, error) {
	var j jobs.Job
	var cancel, created, started, ended int64
	var input, outcome string
	err := scan(&j.ID, &j.SessionID, &j.Type, &j.Status, &j.TokenID, &j.Owner, &cancel, &created, &started, &ended,
		&j.Delivery.Status, &j.Delivery.Attempts, &j.Delivery.Error, &j.CallbackURL, &input, &outcome)
	j.CancelRequested, j.Input, j.Outcome = cancel != 0, json.RawMessage(input), json.RawMessage(outcome)
	j.CreatedAt, j.StartedAt, j.EndedAt = timeOf(created), timeOf(started), timeOf(ended)
	return j, err
}

func timeOf(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}

// find returns the job that a condition selects; ok is false if there is none.
func find(ctx context.Context, db querier, condition string, args ...any) (j jobs.Job, ok bool, err error) {
	err = db.query(ctx, "SELECT "+columns+" FROM errand_jobs WHERE "+condition, args, func(scan scan) error {
		ok = true
		j, err = readJob(scan)
		return err
	})
	return j, ok, err
}

// Create implements [jobs.Queue].
func (q *Queue) Create(ctx context.Context, n jobs.New) (jobs.Job, bool, error) {
	j, isNew, err := q.create(ctx, n)
	if err != nil && n.Key != "" && slices.Contains([]string{jobs.CodeUnavailable, jobs.CodeQueueFull}, tool.AsError(err).Code) {
		j, isNew, err = q.create(ctx, n) // another request may have made the job of the key meanwhile, and have filled the queue with it
	}
	return j, isNew, err
}

func (q *Queue) create(ctx context.Context, n jobs.New) (j jobs.Job, isNew bool, err error) {
	err = q.inTx(ctx, func(tx transaction) error {
		if n.Key != "" {
			var digest string
			err := tx.query(ctx, `SELECT digest FROM errand_jobs WHERE token_id = $1 AND key = $2`, []any{n.TokenID, n.Key}, func(scan scan) error { return scan(&digest) })
			switch {
			case err != nil:
				return err
			case digest == n.Digest:
				j, _, err = find(ctx, tx, "token_id = $1 AND key = $2", n.TokenID, n.Key)
				return err
			case digest != "":
				return tool.NewError(tool.ValidationError, jobs.CodeKeyReused, message.New("jobs.key_reused"))
			}
		}
		var queued int
		if err := tx.query(ctx, `SELECT count(*) FROM errand_jobs WHERE status = 'queued'`, nil, func(scan scan) error { return scan(&queued) }); err != nil {
			return err
		}
		if queued >= q.o.Queue {
			e := tool.NewError(tool.ToolUnavailable, jobs.CodeQueueFull, message.New("jobs.queue_full", "limit", q.o.Queue))
			e.RetryAfterMS = fullRetry.Milliseconds()
			return e
		}
		_, err := tx.exec(ctx, `INSERT INTO errand_jobs (job_id, session_id, type, status, token_id, key, digest, ticket, created_at, callback_url, input)
			VALUES ($1, $2, $3, 'queued', $4, $5, $6, 0, $7, $8, $9)`,
			n.ID, n.SessionID, string(n.Type), n.TokenID, n.Key, n.Digest, q.o.Now().UnixNano(), n.CallbackURL, string(n.Input))
		if err != nil {
			return err
		}
		isNew = true
		if err := q.enter(ctx, tx, n.ID, "", time.Time{}); err != nil {
			return err
		}
		j, _, err = find(ctx, tx, "job_id = $1", n.ID)
		return err
	})
	if err != nil {
		return jobs.Job{}, false, unavailable(err)
	}
	return j, isNew, nil
}

// fullRetry is when a client may ask again whose job did not fit.
const fullRetry = 5 * time.Second

// enter inserts a new entry of a job, which makes earlier ones void. owner is the program that has
// its run; at is when the entry is due, now if it is zero.
func (q *Queue) enter(ctx context.Context, tx transaction, id, owner string, at time.Time) error {
	var ticket int64
	err := tx.query(ctx, `UPDATE errand_jobs SET ticket = ticket + 1 WHERE job_id = $1 RETURNING ticket`, []any{id}, func(scan scan) error { return scan(&ticket) })
	if err != nil {
		return err
	}
	entry, err := tx.insert(ctx, attempt{id, ticket}, &river.InsertOpts{Queue: queueOf(owner), MaxAttempts: maxAttempts, ScheduledAt: at})
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE errand_jobs SET entry = $1 WHERE job_id = $2`, entry, id)
	return err
}

// Job implements [jobs.Queue].
func (q *Queue) Job(ctx context.Context, id string) (jobs.Job, error) {
	j, ok, err := find(ctx, q, "job_id = $1", id)
	if err != nil {
		return j, unavailable(err)
	}
	if !ok {
		return j, jobs.NotFound(id)
	}
	return j, nil
}

// Jobs implements [jobs.Queue].
func (q *Queue) Jobs(ctx context.Context, want jobs.Query) ([]jobs.Job, error) {
	list := []jobs.Job{}
	err := q.query(ctx, "SELECT "+columns+` FROM errand_jobs
		WHERE ($1 = '' OR session_id = $1) AND ($2 = '' OR token_id = $2) AND ($3 = '' OR status = $3) AND ($4 = '' OR job_id < $4)
		ORDER BY job_id DESC LIMIT $5`, []any{want.SessionID, want.TokenID, string(want.Status), want.After, want.Limit}, func(scan scan) error {
		j, err := readJob(scan)
		list = append(list, j)
		return err
	})
	if err != nil {
		return nil, unavailable(err)
	}
	return list, nil
}

// Continue implements [jobs.Queue].
func (q *Queue) Continue(ctx context.Context, id string) (bool, error) {
	found := false
	err := q.inTx(ctx, func(tx transaction) error {
		j, ok, err := find(ctx, tx, "job_id = $1", id)
		if err != nil || !ok || j.Status.IsFinal() {
			return err
		}
		found = true
		return q.enter(ctx, tx, id, j.Owner, time.Time{})
	})
	if err != nil {
		return false, unavailable(err)
	}
	return found, nil
}

// Cancel implements [jobs.Queue].
func (q *Queue) Cancel(ctx context.Context, id string) (jobs.Job, error) {
	var entry int64
	ended := false
	err := q.inTx(ctx, func(tx transaction) error {
		j, ok, err := find(ctx, tx, "job_id = $1", id)
		switch {
		case err != nil:
			return err
		case !ok:
			return jobs.NotFound(id)
		case j.Status.IsFinal():
			return tool.NewError(tool.ValidationError, jobs.CodeEnded, message.New("jobs.ended", "job", id, "status", string(j.Status)))
		case j.Status == jobs.Queued && j.Owner == "": // nothing of it was begun
			ended = true
			return q.end(ctx, tx, j, jobs.Outcome{Status: jobs.Cancelled, Body: json.RawMessage("{}")})
		}
		return tx.query(ctx, `UPDATE errand_jobs SET cancel_requested = 1 WHERE job_id = $1 RETURNING entry`, []any{id}, func(scan scan) error { return scan(&entry) })
	})
	if err != nil {
		return jobs.Job{}, unavailable(err)
	}
	if !ended {
		if err := q.cancelEntry(ctx, entry); err != nil {
			return jobs.Job{}, unavailable(err)
		}
		// If an attempt was under way, it may end without noticing.
		if _, err := q.Continue(ctx, id); err != nil {
			return jobs.Job{}, err
		}
	}
	return q.Job(ctx, id)
}

// end records the outcome of a job and removes its input. It queues its callback.
func (q *Queue) end(ctx context.Context, tx transaction, j jobs.Job, o jobs.Outcome) error {
	delivery := ""
	if j.CallbackURL != "" {
		delivery = jobs.DeliveryPending
	}
	n, err := tx.exec(ctx, `UPDATE errand_jobs SET status = $1, outcome = $2, ended_at = $3, input = '{}', ticket = ticket + 1, delivery = $4
		WHERE job_id = $5 AND status NOT IN ('done', 'failed', 'cancelled')`, string(o.Status), string(o.Body), q.o.Now().UnixNano(), delivery, j.ID)
	if err != nil || n == 0 || delivery == "" {
		return err
	}
	_, err = tx.insert(ctx, callback{j.ID, q.o.Now().Add(deliveryTime)}, &river.InsertOpts{Queue: queueOf(q.owner), MaxAttempts: deliveryAttempts})
	return err
}

// Forget implements [jobs.Queue]. An entry of the job in River's queue has its id alone, and is void.
func (q *Queue) Forget(ctx context.Context, id string) (bool, error) {
	n, err := q.exec(ctx, `DELETE FROM errand_jobs WHERE job_id = $1`, id)
	if err != nil {
		return false, unavailable(err)
	}
	return n > 0, nil
}

// Prune implements [jobs.Queue].
func (q *Queue) Prune(ctx context.Context, before time.Time) (int, error) {
	n, err := q.exec(ctx, `DELETE FROM errand_jobs WHERE ended_at > 0 AND ended_at < $1 AND delivery <> 'pending'`, before.UnixNano())
	if err != nil {
		return 0, unavailable(err)
	}
	return int(n), nil
}
