// Package jobstest is the contract of [jobs.Queue] as tests. Every implementation runs it.
package jobstest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/jobs"
	"errand/host/tool"
)

// MaxQueue is the number of queued jobs that the queues of a place take.
const MaxQueue = 3

// Place makes an empty place for a queue and returns a function that opens a queue there. Each
// call stands for another program with the key, and the test closes what it opened.
type Place func(t *testing.T) (open func(key string) jobs.Queue)

// Run tests the queues of places, several at a time: most tests wait for the clock of a queue.
func Run(t *testing.T, place Place) {
	for name, test := range map[string]func(*testing.T, Place){
		"jobs": testJobs, "keys": testKeys, "limits": testLimits, "waiting": testWaiting, "cancelling": testCancelling,
		"errors": testErrors, "callbacks": testCallbacks, "restarts": testRestarts, "programs": testPrograms, "tokens": testTokens,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, place)
		})
	}
}

// work is a [jobs.Work] whose functions tests can set.
type work struct {
	mu      sync.Mutex
	run     func(ctx context.Context, j jobs.Job) (jobs.Outcome, error)
	deliver func(ctx context.Context, j jobs.Job) error
	calls   []string // ids of the jobs that were run
}

func (w *work) jobs() jobs.Work {
	return jobs.Work{
		Run: func(ctx context.Context, j jobs.Job) (jobs.Outcome, error) {
			w.mu.Lock()
			w.calls = append(w.calls, j.ID)
			run := w.run
			w.mu.Unlock()
			return run(ctx, j)
		},
		Failure: func(j jobs.Job, err error) json.RawMessage {
			return json.RawMessage(fmt.Sprintf(`{"error":%q}`, err.Error()))
		},
		Deliver: func(ctx context.Context, j jobs.Job) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.deliver(ctx, j)
		},
	}
}

func (w *work) count(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, c := range w.calls {
		if c == id {
			n++
		}
	}
	return n
}

func done(context.Context, jobs.Job) (jobs.Outcome, error) {
	return jobs.Outcome{Status: jobs.Done, Body: json.RawMessage(`{"answer":"yes"}`)}, nil
}

// newJob is a job with an id.
func newJob(id string) jobs.New {
	return jobs.New{ID: id, SessionID: "s1", TokenID: "t1", Type: jobs.GoalRun, Input: json.RawMessage(`{"goal":"x"}`)}
}

func create(t *testing.T, q jobs.Queue, n jobs.New) jobs.Job {
	t.Helper()
	j, isNew, err := q.Create(t.Context(), n)
	must.Succeed(t, err)
	if !isNew || j.ID != n.ID || j.Status != jobs.Queued || j.CreatedAt.IsZero() {
		t.Fatalf("created %+v, %v", j, isNew)
	}
	return j
}

// wait waits until a job has one of some statuses.
func wait(t *testing.T, q jobs.Queue, id string, statuses ...jobs.Status) jobs.Job {
	t.Helper()
	var j jobs.Job
	poll.Await(t, "the job "+id, func() bool {
		var err error
		j, err = q.Job(t.Context(), id)
		must.Succeed(t, err)
		return slices.Contains(statuses, j.Status)
	})
	return j
}

func code(err error) string {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

func start(t *testing.T, q jobs.Queue, w *work) {
	t.Helper()
	must.Succeed(t, q.Start(t.Context(), w.jobs()))
	t.Cleanup(func() { _ = q.Stop(context.Background()) })
}

func testJobs(t *testing.T, place Place) {
	q := place(t)("a")
	if _, err := q.Job(t.Context(), "none"); code(err) != jobs.CodeNotFound {
		t.Errorf("a job that is not there: %v", err)
	}
	for _, id := range []string{"j1", "j2"} {
		create(t, q, newJob(id))
	}
	other := newJob("j3")
	other.SessionID, other.TokenID = "s2", "t2"
	create(t, q, other)
	ids := func(want jobs.Query) (out []string) {
		want.Limit = max(want.Limit, 1)
		list, err := q.Jobs(t.Context(), want)
		must.Succeed(t, err)
		for _, j := range list {
			out = append(out, j.ID)
		}
		return out
	}
	for _, tt := range []struct {
		name string
		want jobs.Query
		ids  []string
	}{
		{"all", jobs.Query{Limit: 10}, []string{"j3", "j2", "j1"}},
		{"a page", jobs.Query{Limit: 2}, []string{"j3", "j2"}},
		{"the next page", jobs.Query{Limit: 2, After: "j2"}, []string{"j1"}},
		{"a session", jobs.Query{Limit: 10, SessionID: "s1"}, []string{"j2", "j1"}},
		{"a token", jobs.Query{Limit: 10, TokenID: "t2"}, []string{"j3"}},
		{"a status", jobs.Query{Limit: 10, Status: jobs.Running}, nil},
	} {
		if got := ids(tt.want); !slices.Equal(got, tt.ids) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.ids)
		}
	}
	w := &work{run: func(_ context.Context, j jobs.Job) (jobs.Outcome, error) {
		if j.Status != jobs.Running || string(j.Input) != `{"goal":"x"}` || j.StartedAt.IsZero() {
			t.Errorf("an attempt got %+v", j)
		}
		return done(t.Context(), j)
	}}
	start(t, q, w)
	for _, id := range []string{"j1", "j2", "j3"} {
		j := wait(t, q, id, jobs.Done)
		if string(j.Outcome) != `{"answer":"yes"}` || string(j.Input) != "{}" || j.EndedAt.IsZero() || j.Owner == "" || w.count(id) != 1 {
			t.Errorf("%s ended as %+v after %d attempts", id, j, w.count(id))
		}
	}
	if n, err := q.Prune(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("pruned %d, %v", n, err)
	}
	create(t, q, newJob("forgotten"))
	for _, want := range []bool{true, false} {
		if found, err := q.Forget(t.Context(), "forgotten"); err != nil || found != want {
			t.Errorf("forget: %v, %v", found, err)
		}
	}
	if _, err := q.Job(t.Context(), "forgotten"); code(err) != jobs.CodeNotFound {
		t.Errorf("a forgotten job: %v", err)
	}
	if n, err := q.Prune(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 3 {
		t.Errorf("pruned %d, %v, want 3", n, err)
	}
}

func testKeys(t *testing.T, place Place) {
	q := place(t)("a")
	n := newJob("j1")
	n.Key, n.Digest = "k", "d1"
	create(t, q, n)
	n.ID = "j2"
	if j, isNew, err := q.Create(t.Context(), n); err != nil || isNew || j.ID != "j1" {
		t.Errorf("the same key: %+v, %v, %v", j, isNew, err)
	}
	n.Digest = "d2"
	if _, _, err := q.Create(t.Context(), n); code(err) != jobs.CodeKeyReused {
		t.Errorf("the key of another request: %v", err)
	}
	n.TokenID = "t2" // whose keys are its own
	create(t, q, n)
	var wg sync.WaitGroup
	made := make(chan bool, 8)
	for i := range cap(made) {
		wg.Go(func() {
			n := newJob(fmt.Sprint("at-once-", i))
			n.Key, n.Digest = "once", "d"
			_, isNew, err := q.Create(context.Background(), n)
			if err != nil {
				t.Errorf("at once: %v", err)
			}
			made <- isNew
		})
	}
	wg.Wait()
	close(made)
	count := 0
	for isNew := range made {
		if isNew {
			count++
		}
	}
	if count != 1 {
		t.Errorf("%d jobs were made with one key", count)
	}
}

func testLimits(t *testing.T, place Place) {
	q := place(t)("a")
	for i := range MaxQueue {
		create(t, q, newJob(fmt.Sprint("j", i)))
	}
	_, _, err := q.Create(t.Context(), newJob("more"))
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != jobs.CodeQueueFull || e.RetryAfterMS == 0 {
		t.Fatalf("a job too many: %v", err)
	}
	start(t, q, &work{run: done})
	wait(t, q, "j0", jobs.Done)
	poll.Await(t, "a place in the queue", func() bool {
		_, isNew, err := q.Create(t.Context(), newJob("more"))
		return err == nil && isNew
	})
	wait(t, q, "more", jobs.Done)
}
