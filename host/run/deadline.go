package run

import (
	"context"
	"fmt"
	"time"

	"errand/planner/message"
)

// funcResult is the result of a function of a tool or planner.
type funcResult[T any] struct {
	value     T
	err       error
	panicked  bool
	abandoned bool // it was still running when callWithDeadline returned
}

// finalGrace is the grace of running calls when the run's time is up. The run ends
// within a second of its limit, even if a tool ignores its context.
const finalGrace = 500 * time.Millisecond

// callWithDeadline calls f in a new goroutine and waits until f returns, or until ctx has
// ended and the grace is over. A function that ignores its deadline can't block
// the run. Close still waits for it and names it. run is the parent of ctx and
// ends with the whole run.
func callWithDeadline[T any](run, ctx context.Context, d *Dispatcher, of runningCall, f func() (T, error)) funcResult[T] {
	leave, open := d.calls.enter(of)
	if !open {
		return funcResult[T]{err: closedError(of.name)}
	}
	done := make(chan funcResult[T], 1)
	go runFunction(done, leave, f)
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
			return funcResult[T]{err: context.Cause(ctx), abandoned: true}
		case <-over:
			over = nil
			if run.Err() == context.DeadlineExceeded {
				grace.Reset(min(d.o.Grace, finalGrace))
			}
		}
	}
}

// runFunction calls f and sends its result, even if f panics or exits its goroutine. It
// calls leave before it sends, so the receiver may call again.
func runFunction[T any](done chan<- funcResult[T], leave func(), f func() (T, error)) {
	a := funcResult[T]{err: message.Error("run.no_answer"), panicked: true}
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("%v", p)
		}
		leave()
		done <- a
	}()
	v, err := f()
	a = funcResult[T]{value: v, err: err}
}
