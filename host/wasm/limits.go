package wasm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"errand/host/tool"
	"errand/host/wasm/manifest"
)

// limits bound one call. What raises them differs: a manifest's keys, or the
// options of a single call.
type limits struct {
	memory  manifest.Size
	output  manifest.Size
	timeout time.Duration
	flags   bool // raised by command-line flags and not by a manifest
}

func (l limits) raise(key, flag string) string {
	if l.flags {
		return "allow more with --" + flag
	}
	return "raise limits." + key + " in the plugin's " + manifest.File
}

func (l limits) memoryExceeded(name, detail string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "memory_limit", "%s needs more than its memory limit of %s: %s", name, l.memory, detail).
		WithHint("%s", l.raise("memory", "memory"))
}

func (l limits) outputExceeded(name string) *tool.Error {
	e := tool.Errorf(tool.ExecutionError, "output_limit", "%s put out more than its output limit of %s", name, l.output)
	if l.flags {
		return e
	}
	return e.WithHint("%s", l.raise("output", ""))
}

func (l limits) timeExceeded(name string) *tool.Error {
	return tool.Errorf(tool.ToolTimeout, "deadline_exceeded", "%s ran longer than its time limit of %s", name, l.timeout).
		WithHint("%s", l.raise("timeout_ms", "timeout"))
}

// errTimeLimit is the cause of a context that ended because of the limit, and
// not because the caller's did.
var errTimeLimit = errors.New("time limit")

// within is ctx bounded by the time limit.
func (l limits) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, l.timeout, errTimeLimit)
}

// ended says why ctx has ended.
func (l limits) ended(ctx context.Context, name string) *tool.Error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errTimeLimit):
		return l.timeExceeded(name)
	case errors.Is(cause, errUnloaded):
		return errUnloaded
	case errors.Is(cause, errClosed):
		return errClosed
	case errors.Is(cause, context.DeadlineExceeded):
		return tool.Errorf(tool.ToolTimeout, "deadline_exceeded", "%s was stopped: the deadline of the call passed", name)
	default:
		return tool.Errorf(tool.ExecutionError, "interrupted", "%s was interrupted", name)
	}
}

// fault makes a typed error of what a guest's end by force answers.
func (i *instance) fault(ctx context.Context, err error) *tool.Error {
	var typed *tool.Error
	switch {
	case i.broken != nil:
		return i.broken
	case ctx.Err() != nil:
		return i.limits.ended(ctx, i.name)
	case errors.As(err, &typed):
		return typed
	}
	reason := trap(err)
	if e := i.exhausted(reason); e != nil {
		return e
	}
	e := tool.Errorf(tool.ExecutionError, "plugin_trap", "%s broke: %s", i.name, reason)
	if i.kernel != nil && i.kernel.Error() != "" {
		e.Message += "; it said: " + clip(i.kernel.Error(), 500)
	}
	if i.log.last != "" {
		e.Hint = "the last line of its log: " + i.log.last
	}
	return e
}

// exhausted answers the memory limit's error where the plugin was refused
// memory before it failed, which is then most likely why.
func (i *instance) exhausted(detail string) *tool.Error {
	if i.memory.refused || i.kernel != nil && i.kernel.Exhausted() {
		return i.limits.memoryExceeded(i.name, detail)
	}
	return nil
}

// trap is what happened, without the stack that wazero puts below it.
func trap(err error) string {
	message, stack, _ := strings.Cut(err.Error(), "\nwasm stack trace:")
	message = strings.TrimSuffix(strings.TrimPrefix(message, "wasm error: "), " (recovered by wazero)")
	if frame, _, _ := strings.Cut(strings.TrimSpace(stack), "\n"); frame != "" {
		message = fmt.Sprintf("%s in %s", message, clip(frame, 120))
	}
	return message
}
