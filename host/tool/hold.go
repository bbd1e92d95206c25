package tool

import (
	"context"
	"time"
)

// Clock measures the time of a call. Its owner adds it to the call's context.
type Clock interface {
	// Stop stops the clock until start is called. Further calls of start have no effect.
	Stop() (start func())
}

type clockKey struct{}

// WithClock returns a context whose call is timed by c.
func WithClock(ctx context.Context, c Clock) context.Context {
	return context.WithValue(ctx, clockKey{}, c)
}

// Hold stops the clock of a call during an operation of unpredictable length that makes
// visible progress, such as a user solving a CAPTCHA or the download of a large file. The
// returned context ends after most, or when ctx is done. The caller must call release,
// which starts the clock again. Without a clock in ctx, Hold only limits the time.
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
