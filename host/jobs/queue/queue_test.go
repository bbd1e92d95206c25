package queue_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/build/must"
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
