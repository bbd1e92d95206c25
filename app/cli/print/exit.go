package print

import (
	"context"
	"errors"
	"slices"

	"errand/app/config"
	"errand/app/drafts"
	"errand/app/plugins"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// Exit is a process exit code that scripts can rely on.
type Exit int

// Exit codes.
const (
	Done          Exit = 0
	Failed        Exit = 1
	Usage         Exit = 2
	Denied        Exit = 3
	NeedsApproval Exit = 4 // or an answer
	Cancelled     Exit = 5 // the user said no
	Interrupted   Exit = 130
)

// exitOf is the table of exit codes by the status of a run.
func exitOf(status trace.Status) Exit {
	switch status {
	case trace.Done:
		return Done
	case trace.Denied:
		return Denied
	case trace.NeedsApproval:
		return NeedsApproval
	case trace.Cancelled:
		return Cancelled
	case trace.Interrupted:
		return Interrupted
	}
	return Failed
}

// exitOfClass is the table of exit codes by the class of an error before a run.
func exitOfClass(class tool.Class) Exit {
	switch class {
	case tool.ValidationError:
		return Usage
	case tool.PolicyDenied:
		return Denied
	}
	return Failed
}

// Fail reports err and returns the exit code. An interrupted context always gives
// Interrupted. toStderr keeps the error away from a standard output that can't be
// written.
func (s *Console) Fail(ctx context.Context, err error, toStderr bool) Exit {
	typed, code := TypedError(err)
	if ctx.Err() != nil {
		code = Interrupted
		if typed.Code == string(trace.StopInterrupted) { // a signal cancelled the context
			e := *typed
			e.Message, typed = message.New("cli.interrupted"), &e
		}
	}
	if s.JSON && !s.Answered && !toStderr {
		s.Document(map[string]any{"error": typed})
	} else {
		s.PrintError(typed)
	}
	return code
}

// TypedError converts any error to a [tool.Error].
func TypedError(err error) (*tool.Error, Exit) {
	if usage, ok := errors.AsType[*UsageError](err); ok {
		e := tool.NewError(tool.ValidationError, "usage", usage.message)
		if !usage.hint.IsZero() {
			e = e.WithHint(usage.hint)
		}
		return e, Usage
	}
	if faults, ok := isFault(err); ok {
		return tool.NewError(tool.ValidationError, "config_invalid", message.FromError(faults)).
			WithHint(message.New("cli.config_invalid_hint")), Usage
	}
	e := tool.AsError(err)
	if needsUser(e) {
		return e, NeedsApproval
	}
	return e, exitOfClass(e.Class)
}

// userErrorCodes are the codes of errors that need another decision of the user.
var userErrorCodes = []string{drafts.CodeConfirm, drafts.CodeUnconfirmed, drafts.CodeDrift, drafts.CodeOpenQuestions, drafts.CodeAwaiting, drafts.CodeRequired, drafts.CodeDraftExpired, plugins.CodeAsks, plugins.CodeWider, plugins.CodeDowngrade}

func needsUser(e *tool.Error) bool { return slices.Contains(userErrorCodes, e.Code) }

// isFault reports whether err is about an invalid configuration.
func isFault(err error) (config.Problems, bool) {
	var faults config.Problems
	return faults, errors.As(err, &faults)
}
