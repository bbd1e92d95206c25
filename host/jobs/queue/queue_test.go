package queue_test

import (
	"context"
	"database/sql"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/jobs"
	"errand/host/jobs/jobstest"
	"errand/host/jobs/queue"
)

func open(t *testing.T, dir, url, key string) jobs.Queue {
	t.Helper()
	q, err := queue.Open(t.Context(), queue.Options{
		Dir: dir, DatabaseURL: url, Key: []byte(key), Workers: 2, Queue: jobstest.MaxQueue, MaxTime: time.Minute,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	must.Succeed(t, err)
	t.Cleanup(func() {
		_ = q.Stop(context.Background())
		_ = q.Close()
	})
	return q
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	jobstest.Run(t, func(t *testing.T) func(string) jobs.Queue {
		dir := t.TempDir()
		return func(key string) jobs.Queue { return open(t, dir, "", key) }
	})
}

// TestFetchedEntry checks that a job is done whose entry a program had fetched when it was killed, before
// it began the job.
func TestFetchedEntry(t *testing.T) {
	dir := t.TempDir()
	q := open(t, dir, "", "a")
	_, _, err := q.Create(t.Context(), jobs.New{ID: "j", SessionID: "s", TokenID: "t", Type: jobs.GoalRun, Input: []byte(`{}`)})
	must.Succeed(t, err)
	must.Succeed(t, q.Close())
	db, err := sql.Open("sqlite", filepath.Join(dir, queue.File))
	must.Succeed(t, err)
	changed, err := db.Exec(`UPDATE river_job SET state = 'running', attempt = 1, attempted_at = CURRENT_TIMESTAMP`)
	must.Succeed(t, err)
	if n, _ := changed.RowsAffected(); n != 1 {
		t.Fatalf("%d entries, want 1", n)
	}
	must.Succeed(t, db.Close())
	q = open(t, dir, "", "a")
	done := make(chan struct{}, 2)
	must.Succeed(t, q.Start(t.Context(), jobs.Work{Run: func(context.Context, jobs.Job) (jobs.Outcome, error) {
		done <- struct{}{}
		return jobs.Outcome{Status: jobs.Done, Body: []byte(`{}`)}, nil
	}}))
	<-done
	poll.Await(t, "the job", func() bool {
		j, err := q.Job(t.Context(), "j")
		return err == nil && j.Status == jobs.Done
	})
}

// TestPrivateFiles checks that other users can't read the jobs.
func TestPrivateFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	open(t, dir, "", "a")
	entries, err := os.ReadDir(dir)
	must.Succeed(t, err)
	for _, e := range entries {
		info, err := e.Info()
		must.Succeed(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the permissions %v", e.Name(), info.Mode().Perm())
		}
	}
	if len(entries) == 0 {
		t.Error("there are no files")
	}
}
