package run

import (
	"context"
	"errors"
	"time"

	"errand/host/run/clock"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
)

// execute calls the tool within its deadline and retries as its retry profile allows.
func (d *Dispatcher) execute(ctx context.Context, t tool.Tool, spec tool.Spec, r *recording) (trace.Status, tool.Result) {
	if d.hashArgs(r.call.Args) != r.step.ArgsHash {
		return trace.Failed, tool.Fail(tool.ExecutionError, "args_changed",
			message.New("run.args_changed", "tool", spec.Name))
	}
	own := clock.New(ctx, d.timeout(spec))
	defer own.End()
	deadline := tool.WithClock(own, own)
	for {
		r.step.Attempts++
		a := d.attempt(ctx, deadline, t, spec, r.call)
		if a.abandoned {
			r.flag(trace.FlagAbandoned)
		}
		result := d.toResult(ctx, deadline, spec, a)
		if r.step.EffectKey != "" {
			r.step.Effect = attemptEffect(deadline, spec, a, result)
		}
		if result.Error == nil {
			result.Undo = d.pinInverse(ctx, result.Undo)
			return trace.Done, result
		}
		if r.step.Attempts < maxAttempts && retriable(spec, a, result.Error) && d.wait(deadline, r.step.Attempts, result.Error) {
			r.flag(trace.FlagRetried)
			continue
		}
		return failedStatus(ctx, result.Error), result
	}
}

// failedStatus returns the status of a call that was made and failed. Some denials are
// found only during the call: a redirect to a denied host, or a path that leads
// out of the granted folders.
func failedStatus(ctx context.Context, e *tool.Error) trace.Status {
	switch {
	case ctx.Err() == context.Canceled:
		return trace.Interrupted
	case e.Class == tool.PolicyDenied:
		return trace.Denied
	}
	return trace.Failed
}

// prepareTimeout limits a tool's one-time preparation before its first call.
const prepareTimeout = 2 * time.Minute

// prepare runs a tool's one-time preparation. It does not count against the call's
// deadline. It runs before the claim and before the last check of the approval.
func (d *Dispatcher) prepare(ctx context.Context, t tool.Tool, name string) (ending, bool) {
	p, ok := t.(tool.Preparer)
	if !ok {
		return ending{}, false
	}
	limited, cancel := context.WithTimeout(ctx, prepareTimeout)
	defer cancel()
	a := callWithDeadline(ctx, limited, d, runningCall{name: name}, func() (struct{}, error) { return struct{}{}, p.Prepare(limited) })
	if a.err == nil {
		return ending{}, false
	}
	if status, e := contextError(ctx, name, false); e != nil {
		return ending{status, e}, true
	}
	fault := tool.AsError(a.err)
	return ending{failedStatus(ctx, fault), fault}, true
}

func (d *Dispatcher) timeout(spec tool.Spec) time.Duration {
	t := time.Duration(spec.TimeoutMS) * time.Millisecond
	if t <= 0 {
		t = tool.DefaultTimeoutMS * time.Millisecond
	}
	if d.o.StepTimeout > 0 {
		t = min(t, d.o.StepTimeout)
	}
	return t
}

// attempt is the result of one call of a tool.
type attempt = funcResult[tool.Result]

func (d *Dispatcher) attempt(run, deadline context.Context, t tool.Tool, spec tool.Spec, call tool.Call) attempt {
	fault := d.reveal(spec, &call)
	if fault != nil {
		return attempt{err: fault}
	}
	isOver := func() bool { return run.Err() != nil || deadline.Err() != nil } // deadline ends a little after run
	return callWithDeadline(run, deadline, d, runningCall{call.Tool, call.Key}, func() (tool.Result, error) {
		if isOver() { // during the claim
			return tool.Result{}, errNotCalled
		}
		fault := d.o.BeforeCall(deadline, spec, call)
		switch {
		case isOver():
			return tool.Result{}, errNotCalled
		case fault != nil:
			return tool.Result{Error: fault}, nil
		}
		return t.Call(deadline, call)
	})
}

// errNotCalled is the error of a call that ended right before its tool was called.
var errNotCalled = message.Error("run.no_answer")

// reveal copies the call's arguments for the tool and inserts the secrets.
func (d *Dispatcher) reveal(spec tool.Spec, call *tool.Call) *tool.Error {
	args, err := tool.CopyArgs(call.Args)
	if err != nil {
		return tool.AsError(err)
	}
	revealed, fault := d.o.Reveal(spec, args)
	if fault == nil {
		call.Args, call.Secret = revealed, len(tool.SecretRefs(args)) > 0
	}
	return fault
}

// toResult converts an attempt into a result with a typed error or a plain payload.
func (d *Dispatcher) toResult(ctx, deadline context.Context, spec tool.Spec, a attempt) tool.Result {
	result := a.value
	switch {
	case a.panicked:
		result = tool.Fail(tool.ExecutionError, "panic", message.New("run.tool_panicked", "tool", spec.Name, "cause", a.err))
		result.Error.Hint = message.New("run.report_tool")
		return result
	case a.err != nil:
		result.Error = d.typedError(ctx, deadline, spec, a)
	case !result.OK && result.Error == nil:
		result.Error = tool.NewError(tool.ExecutionError, "failed", message.New("run.no_reason", "tool", spec.Name))
	}
	payload, err := tool.ToJSONValue(result.Payload)
	if err != nil && result.Error == nil {
		result.Error = tool.NewError(tool.ExecutionError, "bad_payload", message.New("run.bad_payload", "tool", spec.Name, "cause", err))
	}
	result.Payload, result.OK = payload, result.Error == nil
	if e := result.Error; e != nil && e.Retriable && spec.SideEffectClass != tool.Read && e.Class == tool.ToolTimeout {
		c := *e // the effect may have happened, so a retry could repeat it
		c.Retriable = false
		if c.Hint.IsZero() {
			c.Hint, c.Recoverable = message.New("run.check_effect_first"), true
		}
		result.Error = &c
	}
	return result
}

// typedError converts a tool's Go error into a typed one. If the user interrupted the
// call or its deadline passed, that replaces an untyped error.
func (d *Dispatcher) typedError(ctx, deadline context.Context, spec tool.Spec, a attempt) *tool.Error {
	var own *tool.Error
	if !a.abandoned && errors.As(a.err, &own) {
		if own == nil { // a nil *tool.Error inside an error: a bug in the tool
			return tool.NewError(tool.ExecutionError, "failed", message.New("run.no_reason", "tool", spec.Name))
		}
		return own
	}
	if _, e := contextError(ctx, spec.Name, a.err != errNotCalled); e != nil {
		return e
	}
	if deadline.Err() != nil {
		return tool.NewError(tool.ToolTimeout, "deadline_exceeded", message.New("run.call_timeout", "tool", spec.Name, "limit", d.timeout(spec)))
	}
	return tool.AsError(a.err)
}

// contextError returns the status and error of a call whose ctx has ended, because the
// user interrupted it or the run's time is up. called says whether its tool was
// called before that.
func contextError(ctx context.Context, name string, called bool) (trace.Status, *tool.Error) {
	switch ctx.Err() {
	case nil:
		return "", nil
	case context.DeadlineExceeded:
		return trace.Failed, tool.NewError(tool.ToolTimeout, "deadline_exceeded", message.New("run.out_of_time", "tool", name, "called", called))
	}
	return trace.Interrupted, tool.NewError(tool.ExecutionError, "interrupted", message.New("run.call_interrupted", "tool", name, "called", called))
}
