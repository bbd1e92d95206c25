package run

import (
	"context"
	"fmt"
	"time"

	"errand/planner/message"
)

// answer is the result of a function of a tool or planner.
type answer[T any] struct {
	value     T
	err       error
	panicked  bool
	abandoned bool // it was still running when await returned
}

// lastGrace is the grace of running calls when the run's time is up. The run ends
// within a second of its limit, even if a tool ignores its context.
const lastGrace = 500 * time.Millisecond

// await calls f in a new goroutine and waits until f returns, or until ctx has
// ended and the grace is over. A function that ignores its deadline can't block
// the run. Close still waits for it and names it. run is the parent of ctx and
// ends with the whole run.
func await[T any](run, ctx context.Context, d *Dispatcher, of called, f func() (T, error)) answer[T] {
	leave, open := d.calls.enter(of)
	if !open {
		return answer[T]{err: closed(of.name)}
	}
	done := make(chan answer[T], 1)
	go asked(done, leave, f)
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
	}
	grace := time.NewTimer(d.o.Grace)
	defer grace.Stop()
	for over := run.Done(); ; {
		select {
		case a := <-done:
			return a
		case <-grace.C:
			return answer[T]{err: context.Cause(ctx), abandoned: true}
		case <-over:
			over = nil
			if run.Err() == context.DeadlineExceeded {
				grace.Reset(min(d.o.Grace, lastGrace))
			}
		}
	}
}

// asked calls f and sends its result, even if f panics or exits its goroutine. It
// calls leave before it sends, so the receiver may call again.
func asked[T any](done chan<- answer[T], leave func(), f func() (T, error)) {
	a := answer[T]{err: message.Error("run.no_answer"), panicked: true}
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("%v", p)
		}
		leave()
		done <- a
	}()
	v, err := f()
	a = answer[T]{value: v, err: err}
}
