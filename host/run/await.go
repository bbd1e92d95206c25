package run

import (
	"context"
	"fmt"
	"time"
)

// answer is what came of asking something that others wrote.
type answer[T any] struct {
	value     T
	err       error
	panicked  bool
	abandoned bool // it had not ended when the wait for it did
}

// lastGrace is the grace of what is under way when the time of the whole run is
// up: the run ends within a second of it, whoever does not listen.
const lastGrace = 500 * time.Millisecond

// await calls f in a goroutine of its own and waits until it has ended, or ctx
// has and the grace is over: who ignores a deadline holds up nobody. What is
// left behind is somebody's all the same: Close waits for it, by its name. run
// is the context that ctx was made of, and ends with the whole run.
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

// asked calls f and sends what came of it, even where f panics or ends its
// goroutine. It has left by then: whoever has the answer may call again.
func asked[T any](done chan<- answer[T], leave func(), f func() (T, error)) {
	a := answer[T]{err: fmt.Errorf("it ended without an answer"), panicked: true}
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
