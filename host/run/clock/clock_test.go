package clock_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"errand/host/run/clock"
	"errand/host/tool"
)

// TestClockEnds: a clock is a context like any other.
func TestClockEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run, cancel := context.WithCancelCause(context.Background())
		c := clock.New(run, time.Minute)
		if end, ok := c.Deadline(); !ok || time.Until(end) != time.Minute {
			t.Errorf("deadline %v, %t", end, ok)
		}
		child, forget := context.WithTimeout(c, time.Hour)
		defer forget()
		cancel(errors.New("why"))
		<-child.Done()
		if !errors.Is(child.Err(), context.Canceled) || context.Cause(c).Error() != "why" {
			t.Errorf("err %v, cause %v", child.Err(), context.Cause(c))
		}
		c.End()

		c = clock.New(context.Background(), time.Minute)
		child, forget2 := context.WithCancel(c)
		defer forget2()
		<-child.Done()
		if !errors.Is(child.Err(), context.DeadlineExceeded) || !errors.Is(context.Cause(child), context.DeadlineExceeded) {
			t.Errorf("err %v, cause %v", child.Err(), context.Cause(child))
		}
		start := c.Stop() // too late
		start()
		start()
		c.End()

		c = clock.New(context.Background(), time.Minute)
		_, release := tool.Hold(tool.WithClock(c, c), time.Hour)
		_, inner := tool.Hold(tool.WithClock(c, c), time.Hour)
		inner()
		time.Sleep(30 * time.Minute)
		if _, ok := c.Deadline(); ok || c.Err() != nil {
			t.Error("a clock that stands has a deadline")
		}
		release()
		c.End()
	})
}
