package run

import (
	"context"
	"time"

	"errand/host/tool"
)

const (
	// maxAttempts is how often a tool is called at most, the first time included.
	maxAttempts = 3
	// retryWait is the least wait before the second attempt; each further one
	// waits twice as long. A tool may ask for more.
	retryWait = 250 * time.Millisecond
	// longestMS is the longest wait that is reckoned with, in ms: longer than any
	// deadline, and a [time.Duration] still.
	longestMS = int64(365 * 24 * time.Hour / time.Millisecond)
)

// retriable says whether a failed call may be made again. A read may where its
// failure can pass. Any call may where its tool answered that it did nothing
// and when to come back; no other write ever is, because the first attempt may
// have had its effect.
func retriable(spec tool.Spec, a attempt, e *tool.Error) bool {
	switch spec.RetryProfile {
	case tool.RetryTransient:
		return spec.SideEffectClass == tool.Read && e.Retriable
	case tool.RetryRateLimited:
		return a.err == nil && !a.value.Partial && e.Class == tool.ToolUnavailable && e.RetryAfterMS > 0
	}
	return false
}

// wait sleeps after an attempt. It answers false without sleeping where the
// deadline would pass meanwhile.
func (d *Dispatcher) wait(ctx context.Context, attempts int, e *tool.Error) bool {
	after := time.Duration(min(max(e.RetryAfterMS, 0), longestMS)) * time.Millisecond
	pause := max(retryWait<<(attempts-1), after) + max(0, d.o.Jitter())
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= pause {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
