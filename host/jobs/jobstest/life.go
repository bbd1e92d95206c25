package jobstest

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/jobs"
)

func testWaiting(t *testing.T, place Place) {
	q := place(t)("a")
	var approved atomic.Bool
	w := &work{run: func(_ context.Context, j jobs.Job) (jobs.Outcome, error) {
		switch {
		case approved.Load():
			return done(t.Context(), j)
		case j.ID == "later":
			return jobs.Outcome{Status: jobs.Waiting, Body: json.RawMessage(`{}`), Until: time.Now().Add(time.Hour)}, nil
		}
		return jobs.Outcome{Status: jobs.Waiting, Body: json.RawMessage(`{"draft_id":"d"}`), Until: time.Now().Add(500 * time.Millisecond)}, nil
	}}
	start(t, q, w)
	create(t, q, newJob("later"))
	if j := wait(t, q, "later", jobs.Waiting); j.EndedAt != (time.Time{}) || string(j.Input) == "{}" {
		t.Errorf("waits as %+v", j)
	}
	create(t, q, newJob("due"))
	wait(t, q, "due", jobs.Waiting)
	approved.Store(true)
	wait(t, q, "due", jobs.Done) // its time is over
	if j, err := q.Job(t.Context(), "later"); err != nil || j.Status != jobs.Waiting {
		t.Errorf("nothing has happened, and the job is %s, %v", j.Status, err)
	}
	if found, err := q.Continue(t.Context(), "later"); err != nil || !found {
		t.Errorf("continue: %v, %v", found, err)
	}
	wait(t, q, "later", jobs.Done)
	if found, err := q.Continue(t.Context(), "later"); err != nil || found {
		t.Errorf("an ended job continues: %v, %v", found, err)
	}
	if w.count("later") != 2 {
		t.Errorf("%d attempts, want 2", w.count("later"))
	}
}

func testCancelling(t *testing.T, place Place) {
	q := place(t)("a")
	create(t, q, newJob("queued"))
	if j, err := q.Cancel(t.Context(), "queued"); err != nil || j.Status != jobs.Cancelled {
		t.Errorf("a queued job: %+v, %v", j, err)
	}
	if _, err := q.Cancel(t.Context(), "queued"); code(err) != jobs.CodeEnded {
		t.Errorf("a cancelled job: %v", err)
	}
	if _, err := q.Cancel(t.Context(), "none"); code(err) != jobs.CodeNotFound {
		t.Errorf("an unknown job: %v", err)
	}
	started := make(chan string, 8)
	w := &work{run: func(ctx context.Context, j jobs.Job) (jobs.Outcome, error) {
		started <- j.ID
		switch {
		case j.CancelRequested:
			return jobs.Outcome{Status: jobs.Cancelled, Body: json.RawMessage(`{"by":"the next attempt"}`)}, nil
		case j.ID == "waiting":
			return jobs.Outcome{Status: jobs.Waiting, Body: json.RawMessage(`{}`), Until: time.Now().Add(time.Hour)}, nil
		case j.ID == "elsewhere":
			return jobs.Outcome{Status: jobs.Running, Body: json.RawMessage(`{}`), Until: time.Now().Add(300 * time.Millisecond)}, nil
		}
		select {
		case <-ctx.Done():
			return jobs.Outcome{Status: jobs.Cancelled, Body: json.RawMessage(`{"by":"the context"}`)}, nil
		case <-time.After(20 * time.Second):
			return done(t.Context(), j)
		}
	}}
	start(t, q, w)
	for id, by := range map[string]string{"running": "the context", "waiting": "the next attempt", "elsewhere": "the next attempt"} {
		create(t, q, newJob(id))
		poll.Await(t, "the job "+id, func() bool { return <-started == id })
		if id == "waiting" {
			wait(t, q, id, jobs.Waiting)
		}
		_, err := q.Cancel(t.Context(), id)
		must.Succeed(t, err)
		if j := wait(t, q, id, jobs.Cancelled); string(j.Outcome) != `{"by":"`+by+`"}` {
			t.Errorf("%s ended as %s", id, j.Outcome)
		}
		for len(started) > 0 {
			<-started
		}
	}
	if w.count("queued") != 0 {
		t.Error("a job was begun that was cancelled before")
	}
}

func testErrors(t *testing.T, place Place) {
	q := place(t)("a")
	var times atomic.Int32
	w := &work{run: func(_ context.Context, j jobs.Job) (jobs.Outcome, error) {
		if times.Add(1) == 1 {
			return jobs.Outcome{}, errors.New("the disk is full")
		}
		return done(t.Context(), j)
	}}
	start(t, q, w)
	create(t, q, newJob("j1"))
	if wait(t, q, "j1", jobs.Done); times.Load() != 2 {
		t.Errorf("%d attempts, want 2", times.Load())
	}
}

func testCallbacks(t *testing.T, place Place) {
	q := place(t)("a")
	var times atomic.Int32
	w := &work{run: done, deliver: func(_ context.Context, j jobs.Job) error {
		if j.CallbackURL != "https://example.com/x" || j.Status != jobs.Done {
			t.Errorf("delivers %+v", j)
		}
		if times.Add(1) == 1 {
			return errors.New("503")
		}
		return nil
	}}
	start(t, q, w)
	n := newJob("j1")
	n.CallbackURL = "https://example.com/x"
	create(t, q, n)
	create(t, q, newJob("silent"))
	if j := wait(t, q, "silent", jobs.Done); j.Delivery != (jobs.Delivery{}) {
		t.Errorf("a job without a callback has %+v", j.Delivery)
	}
	var j jobs.Job
	poll.Await(t, "the delivery", func() bool {
		var err error
		j, err = q.Job(t.Context(), "j1")
		must.Succeed(t, err)
		return j.Delivery.Status == jobs.DeliveryDelivered
	})
	if j.Delivery != (jobs.Delivery{Status: jobs.DeliveryDelivered, Attempts: 2}) || j.CallbackURL != "" || times.Load() != 2 {
		t.Errorf("delivered as %+v after %d attempts", j, times.Load())
	}
}

// testRestarts checks what a program that stopped or was killed has left: an unfinished job goes on
// after the next start, and one that waited is looked at.
func testRestarts(t *testing.T, place Place) {
	open := place(t)
	q := open("a")
	begun := make(chan string, 4)
	w := &work{run: func(ctx context.Context, j jobs.Job) (jobs.Outcome, error) {
		begun <- j.ID
		if j.ID == "waiting" {
			return jobs.Outcome{Status: jobs.Waiting, Body: json.RawMessage(`{}`), Until: time.Now().Add(time.Hour)}, nil
		}
		<-ctx.Done()
		return jobs.Outcome{}, ctx.Err()
	}}
	must.Succeed(t, q.Start(t.Context(), w.jobs()))
	create(t, q, newJob("waiting"))
	create(t, q, newJob("running"))
	<-begun
	<-begun
	wait(t, q, "waiting", jobs.Waiting)
	if err := open("a").Start(t.Context(), w.jobs()); code(err) != jobs.CodeInUse {
		t.Errorf("a second program of one folder starts: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel() // it waits for nothing
	must.Succeed(t, q.Stop(ended))
	must.Succeed(t, q.Close())

	again := open("a")
	if j, err := again.Job(t.Context(), "running"); err != nil || j.Status != jobs.Running {
		t.Errorf("the interrupted job is %s, %v", j.Status, err)
	}
	w = &work{run: done}
	start(t, again, w)
	wait(t, again, "running", jobs.Done)
	wait(t, again, "waiting", jobs.Done)
	if w.count("running") != 1 || w.count("waiting") != 1 {
		t.Errorf("attempts: %v", w.calls)
	}
}

// testPrograms checks that a program leaves the jobs alone whose runs another one has.
func testPrograms(t *testing.T, place Place) {
	open := place(t)
	one := open("a")
	w := &work{run: func(context.Context, jobs.Job) (jobs.Outcome, error) {
		return jobs.Outcome{Status: jobs.Waiting, Body: json.RawMessage(`{}`), Until: time.Now().Add(time.Hour)}, nil
	}}
	must.Succeed(t, one.Start(t.Context(), w.jobs()))
	create(t, one, newJob("theirs"))
	wait(t, one, "theirs", jobs.Waiting)
	must.Succeed(t, one.Stop(t.Context()))
	must.Succeed(t, one.Close())

	other := open("b")
	w = &work{run: done}
	start(t, other, w)
	_, err := other.Continue(t.Context(), "theirs")
	must.Succeed(t, err)
	create(t, other, newJob("own"))
	wait(t, other, "own", jobs.Done)
	if j, err := other.Job(t.Context(), "theirs"); err != nil || j.Status != jobs.Waiting || w.count("theirs") != 0 {
		t.Errorf("another program's job is %s, %v, after %d attempts", j.Status, err, w.count("theirs"))
	}
}

func testTokens(t *testing.T, place Place) {
	open := place(t)
	q := open("a")
	secret := jobs.NewSecret()
	added := jobs.Token{ID: "t1", Name: "ci", Scopes: []jobs.Scope{jobs.ScopeRun, jobs.ScopeRead}, CreatedAt: time.Now(), Signing: jobs.NewSigning()}
	must.Succeed(t, q.AddToken(t.Context(), added, jobs.HashSecret(secret)))
	twin := added
	twin.ID = "t2"
	if err := q.AddToken(t.Context(), twin, jobs.HashSecret("x")); code(err) != jobs.CodeTokenTaken {
		t.Errorf("a second token of one name: %v", err)
	}
	found, ok, err := open("a").FindToken(t.Context(), jobs.HashSecret(secret))
	if err != nil || !ok || found.ID != "t1" || found.Name != "ci" || !found.Allows(jobs.ScopeRun) || !found.Allows(jobs.ScopeRead) || found.Signing != added.Signing {
		t.Errorf("found %+v, %v, %v", found, ok, err)
	}
	for _, wrong := range []string{"", secret, jobs.HashSecret(secret + "x"), "%"} {
		if _, ok, err := q.FindToken(t.Context(), wrong); ok || err != nil {
			t.Errorf("the hash %q is found, %v", wrong, err)
		}
	}
	if _, err := q.RevokeToken(t.Context(), "cd", time.Now()); code(err) != jobs.CodeTokenNotFound {
		t.Errorf("an unknown token is revoked: %v", err)
	}
	revoked, err := q.RevokeToken(t.Context(), "ci", time.Now())
	if err != nil || revoked.ID != "t1" || revoked.Allows(jobs.ScopeRun) {
		t.Errorf("revoked %+v, %v", revoked, err)
	}
	if _, ok, err := q.FindToken(t.Context(), jobs.HashSecret(secret)); ok || err != nil {
		t.Errorf("a revoked token is found, %v", err)
	}
	must.Succeed(t, q.AddToken(t.Context(), twin, jobs.HashSecret("x"))) // the name is free again
	list, err := q.Tokens(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != "t2" || list[1].RevokedAt.IsZero() {
		t.Errorf("tokens %+v, %v", list, err)
	}
}
