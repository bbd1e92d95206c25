package run

import (
	"context"
	"time"

	"errand/host/tool"
)

const (
	// maxAttempts is the maximum number of attempts of a call, including the
	// first.
	maxAttempts = 3
	// retryWait is the minimum wait before the second attempt. It doubles for each
	// further attempt. A tool may ask for more.
	retryWait = 250 * time.Millisecond
	// longestMS is the longest wait in ms: longer than any deadline, and still a
	// valid [time.Duration].
	longestMS = int64(365 * 24 * time.Hour / time.Millisecond)
)

// retriable reports whether a failed call may be made again. A read may be retried
// after a temporary failure. Any call may be retried if its tool reports that it
// did nothing and when to retry. Other writes are never retried, because the first
// attempt may have had its effect.
func retriable(spec tool.Spec, a attempt, e *tool.Error) bool {
	switch spec.RetryProfile {
	case tool.RetryTransient:
		return spec.SideEffectClass == tool.Read && e.Retriable
	case tool.RetryRateLimited:
		return a.err == nil && !a.value.Partial && e.Class == tool.ToolUnavailable && e.RetryAfterMS > 0
	}
	return false
}

// wait sleeps before the next attempt. It returns false at once if the deadline
// would pass during the wait.
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
