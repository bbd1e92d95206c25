package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"errand/host/tool"
	"errand/host/trace"
)

type flag = pflag.Flag

// Exit is a process exit code that scripts can rely on.
type Exit int

// Exit codes.
const (
	Done          Exit = 0
	Failed        Exit = 1
	Usage         Exit = 2
	Denied        Exit = 3
	NeedsApproval Exit = 4 // or an answer
	Interrupted   Exit = 130
)

// exitOf is the one table from how a run ended to an exit code.
func exitOf(status trace.Status) Exit {
	switch status {
	case trace.Done:
		return Done
	case trace.Denied:
		return Denied
	case trace.NeedsApproval:
		return NeedsApproval
	case trace.Interrupted:
		return Interrupted
	}
	return Failed
}

// exitOfClass is the one table from a failure before a run to an exit code.
func exitOfClass(class tool.Class) Exit {
	switch class {
	case tool.ValidationError:
		return Usage
	case tool.PolicyDenied:
		return Denied
	}
	return Failed
}

// usageError is a command that was called in a wrong way.
type usageError struct {
	message, help string
}

func usagef(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func (e *usageError) hint(format string, args ...any) *usageError {
	return &usageError{e.message, fmt.Sprintf(format, args...)}
}

func (e *usageError) Error() string { return e.message }

// exit reports err, if there is one, and chooses the exit code. Where standard
// output can't be written, the error goes to standard error in any case.
func (s *shell) exit(ctx context.Context, err error, answerLost bool) int {
	if err == nil {
		return int(s.code)
	}
	typed, code := typedError(err)
	if ctx.Err() != nil {
		code = Interrupted
		if typed.Code == string(trace.StopInterrupted) { // whoever pressed Ctrl+C cancelled no context
			e := *typed
			e.Message, typed = "interrupted", &e
		}
	}
	if s.json && !s.answered && !answerLost {
		s.document(map[string]any{"error": typed})
	} else {
		s.complain(typed)
	}
	return int(code)
}

// typedError puts any error into the form that crosses the edge.
func typedError(err error) (*tool.Error, Exit) {
	var usage *usageError
	if errors.As(err, &usage) {
		e := tool.Errorf(tool.ValidationError, "usage", "%s", usage.message)
		if usage.help != "" {
			e = e.WithHint("%s", usage.help)
		}
		return e, Usage
	}
	if faults, ok := isFault(err); ok {
		return tool.Errorf(tool.ValidationError, "config_invalid", "%v", faults).
			WithHint("mend the configuration; `errand config check` tries it"), Usage
	}
	e := tool.AsError(err)
	if waits(e) {
		return e, NeedsApproval
	}
	return e, exitOfClass(e.Class)
}
