// Package queue keeps jobs and does them with River (riverqueue.com), in a SQLite file beside the
// record or in a PostgreSQL database. It implements [jobs.Queue].
//
// A job is a row of the table errand_jobs. Each attempt of it is an entry in River's queue, inserted
// in the transaction that changes the row. The row has the number of the newest entry: an entry with
// another number does nothing. An entry that goes on with a run is in a queue that only the program
// with the run's record works.
package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"errand/host/jobs"
	"errand/host/tool"
	"errand/planner/message"
)

// Options configure [Open].
type Options struct {
	Dir string // the folder of the record
	// DatabaseURL names a PostgreSQL database. Empty: a SQLite file in Dir.
	DatabaseURL string
	// Key identifies the program with the record in Dir. It has to be the same after a restart.
	Key     []byte
	Workers int           // jobs at the same time
	Queue   int           // jobs that wait for their turn
	MaxTime time.Duration // of one attempt
	Log     *slog.Logger
	Now     func() time.Time // nil: time.Now
}

// File is the name of the SQLite file.
const File = "jobs.db"

// Queue is an open queue.
type Queue struct {
	database
	o     Options
	owner string
	work  atomic.Pointer[jobs.Work] // nil before Start
	lock  *flock.Flock              // held from Start to Close; nil before

	active sync.Map // ids of jobs with an attempt under way in this program
}

var _ jobs.Queue = (*Queue)(nil)

// Open opens the queue and makes its tables if they are not there. The caller closes it. It does
// no jobs before Start.
func Open(ctx context.Context, o Options) (*Queue, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	sum := sha256.Sum256(append([]byte("errand jobs\x00"), o.Key...))
	q := &Queue{o: o, owner: hex.EncodeToString(sum[:8])}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, unavailable(err)
	}
	opening := flock.New(filepath.Join(o.Dir, "jobs.open.lock"), flock.SetPermissions(0o600))
	waits, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if ok, err := opening.TryLockContext(waits, 20*time.Millisecond); err != nil || !ok {
		return nil, unavailable(err)
	}
	defer func() { _ = opening.Close() }()
	var err error
	if o.DatabaseURL == "" {
		q.database, err = q.openSQLite(waits)
	} else {
		q.database, err = q.openPostgreSQL(waits)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return q, nil
}

// openTimeout bounds the opening of the database.
const openTimeout = 15 * time.Second

// Start implements [jobs.Queue].
func (q *Queue) Start(ctx context.Context, w jobs.Work) error {
	lock := flock.New(filepath.Join(q.o.Dir, "jobs.lock"), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil {
		return unavailable(err)
	}
	if !ok {
		_ = lock.Close()
		return tool.UnavailableError(jobs.CodeInUse, message.New("jobs.in_use")).WithHint(message.New("jobs.in_use_hint"))
	}
	q.lock = lock
	if q.o.DatabaseURL == "" { // this program alone does the jobs of the file; a killed one may still lead them
		if _, err := q.exec(ctx, `DELETE FROM river_leader`); err != nil {
			return unavailable(err)
		}
	}
	if err := q.recover(ctx); err != nil {
		return err
	}
	q.work.Store(&w)
	if err := q.start(context.WithoutCancel(ctx)); err != nil {
		q.work.Store(nil)
		return unavailable(err)
	}
	return nil
}

// Stop implements [jobs.Queue].
func (q *Queue) Stop(ctx context.Context) error {
	if q.work.Load() == nil {
		return nil
	}
	if q.stop(ctx) == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	return q.stopNow(ctx)
}

// cancelTimeout bounds the end of jobs that were cancelled.
const cancelTimeout = 10 * time.Second

// Close implements [jobs.Queue].
func (q *Queue) Close() error {
	err := q.close()
	if q.lock != nil {
		_ = q.lock.Close()
	}
	return err
}

// recover queues the jobs that this program has begun and not ended: an earlier process was killed,
// or the user approved a draft while none was there. It queues those again that no program has begun,
// because a killed one may have fetched their entries.
func (q *Queue) recover(ctx context.Context) error {
	var ids []string
	err := q.query(ctx, `SELECT job_id FROM errand_jobs WHERE owner = $1 AND status IN ('running', 'waiting') OR owner = '' AND status = 'queued' ORDER BY job_id`, []any{q.owner}, func(scan scan) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return unavailable(err)
	}
	for _, id := range ids {
		if _, err := q.Continue(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// unavailable makes the error of a database that can't be used.
func unavailable(err error) error {
	if err == nil {
		err = context.DeadlineExceeded
	}
	if e := tool.AsError(err); e.Code != "failed" && e.Code != "deadline_exceeded" && e.Code != "interrupted" {
		return e
	}
	return tool.NewError(tool.ToolUnavailable, jobs.CodeUnavailable, message.New("jobs.unavailable", "cause", message.FromError(err)))
}
