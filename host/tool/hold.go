package tool

import (
	"context"
	"time"
)

// Clock is the time that a call has. Its owner puts it into the call's context.
type Clock interface {
	// Stop lets the clock stand until start is called. Starting it twice does
	// nothing more.
	Stop() (start func())
}

type clockKey struct{}

// WithClock is a context in which a call's time is c's.
func WithClock(ctx context.Context, c Clock) context.Context {
	return context.WithValue(ctx, clockKey{}, c)
}

// Hold lets the clock of a call stand while something goes on that takes as long
// as it takes, and is seen to get on: a person who solves what stands in a page's
// way, a large file that arrives. The context that it answers ends after most, or
// when ctx does, which then waits for nothing but the run. release starts the
// clock again; the caller owes it. A call without a clock is not held up.
func Hold(ctx context.Context, most time.Duration) (held context.Context, release func()) {
	start := func() {}
	if c, ok := ctx.Value(clockKey{}).(Clock); ok {
		start = c.Stop()
	}
	held, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	forget := context.AfterFunc(ctx, cancel)
	return held, func() {
		start()
		forget()
		cancel()
	}
}
