package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"errand/host/tool"
	"errand/host/trace"
)

// execute calls the tool within its deadline: once, or again as its retry
// profile allows.
func (d *Dispatcher) execute(ctx context.Context, t tool.Tool, spec tool.Spec, r *recording) (trace.Status, tool.Result) {
	if tool.HashArgs(r.call.Args) != r.step.ArgsHash {
		return trace.Failed, tool.Fail(tool.ExecutionError, "args_changed",
			"arguments of %s changed after they were judged", spec.Name)
	}
	if err := prepare(ctx, t); err != nil {
		fault := tool.AsError(err)
		return faulted(ctx, fault), tool.Result{Error: fault}
	}
	deadline, cancel := context.WithTimeout(ctx, d.timeout(spec))
	defer cancel()
	for {
		r.step.Attempts++
		a := d.attempt(deadline, t, r.call)
		if a.abandoned {
			r.flag(trace.FlagAbandoned)
		}
		result := d.settle(ctx, deadline, spec, a)
		if r.step.EffectKey != "" {
			r.step.Effect = effectOf(ctx, spec, a, result)
		}
		if result.Error == nil {
			return trace.Done, result
		}
		if r.step.Attempts < maxAttempts && retriable(spec, a, result.Error) && d.wait(deadline, r.step.Attempts, result.Error) {
			r.flag(trace.FlagRetried)
			continue
		}
		return faulted(ctx, result.Error), result
	}
}

// faulted is how a step ends whose call was made and failed. Some denials come
// to light only then: a redirect to a host that is not allowed, a path that
// leads out of the granted folders.
func faulted(ctx context.Context, e *tool.Error) trace.Status {
	switch {
	case ctx.Err() == context.Canceled:
		return trace.Interrupted
	case e.Class == tool.PolicyDenied:
		return trace.Denied
	}
	return trace.Failed
}

// prepareTimeout bounds what a tool does once before its first call.
const prepareTimeout = time.Minute

// prepare has a tool do its work before the first call, which the call's own
// deadline does not pay for.
func prepare(ctx context.Context, t tool.Tool) error {
	p, ok := t.(tool.Preparer)
	if !ok {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, prepareTimeout)
	defer cancel()
	_, err := protect2(func() (struct{}, error) { return struct{}{}, p.Prepare(ctx) })
	return err
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

// attempt is what one call of a tool came to.
type attempt struct {
	result    tool.Result
	err       error
	panicked  bool
	abandoned bool
}

// attempt calls the tool in a goroutine of its own, so that one that ignores
// its deadline holds up nobody. After the grace it is left behind; Close waits
// for it.
func (d *Dispatcher) attempt(ctx context.Context, t tool.Tool, call tool.Call) attempt {
	args, err := plainArgs(call.Args) // the tool's own copy
	if err != nil {
		return attempt{err: err}
	}
	call.Args = args
	leave, open := d.calls.enter(call.Tool)
	if !open {
		return attempt{err: tool.Errorf(tool.ToolUnavailable, "closed", "%s was not called: the program is closing", call.Tool)}
	}
	done := make(chan attempt, 1)
	go func() {
		defer leave()
		callTool(ctx, t, call, done)
	}()
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
	}
	grace := time.NewTimer(d.o.Grace)
	defer grace.Stop()
	select {
	case a := <-done:
		return a
	case <-grace.C:
		return attempt{err: context.Cause(ctx), abandoned: true}
	}
}

// callTool calls t and sends what came of it, even where t panics or ends its
// goroutine.
func callTool(ctx context.Context, t tool.Tool, call tool.Call, done chan<- attempt) {
	a := attempt{err: fmt.Errorf("it ended without an answer"), panicked: true}
	defer func() {
		if p := recover(); p != nil {
			a.err = fmt.Errorf("%v", p)
		}
		done <- a
	}()
	result, err := t.Call(ctx, call)
	a = attempt{result: result, err: err}
}

// settle makes a result of an attempt: typed error or plain payload.
func (d *Dispatcher) settle(ctx, deadline context.Context, spec tool.Spec, a attempt) tool.Result {
	result := a.result
	switch {
	case a.panicked:
		result = tool.Fail(tool.ExecutionError, "panic", "%s broke: %v", spec.Name, a.err)
		result.Error.Hint = "this is a fault of the tool; please report it"
		return result
	case a.err != nil:
		result.Error = d.typed(ctx, deadline, spec, a)
	case !result.OK && result.Error == nil:
		result.Error = tool.Errorf(tool.ExecutionError, "failed", "%s failed and gave no reason", spec.Name)
	}
	payload, err := plain(result.Payload)
	if err != nil && result.Error == nil {
		result.Error = tool.Errorf(tool.ExecutionError, "bad_payload", "%s answered what is not JSON: %v", spec.Name, err)
	}
	result.Payload, result.OK = payload, result.Error == nil
	if e := result.Error; e != nil && e.Retriable && spec.SideEffectClass != tool.Read && e.Class == tool.ToolTimeout {
		c := *e // whether it had its effect is not known; the same call again might be a second one
		c.Retriable = false
		if c.Hint == "" {
			c.Hint, c.Recoverable = "look whether the effect is there before trying again", true
		}
		result.Error = &c
	}
	return result
}

// typed turns a tool's Go error into a typed one. The person's interruption and
// the deadline explain an untyped error better than its own text.
func (d *Dispatcher) typed(ctx, deadline context.Context, spec tool.Spec, a attempt) *tool.Error {
	var own *tool.Error
	if !a.abandoned && errors.As(a.err, &own) {
		if own == nil { // a nil *tool.Error in an error: the tool's mistake
			return tool.Errorf(tool.ExecutionError, "failed", "%s failed and gave no reason", spec.Name)
		}
		return own
	}
	if _, e := ended(ctx, spec.Name, "interrupted"); e != nil {
		return e
	}
	if deadline.Err() != nil {
		return tool.Errorf(tool.ToolTimeout, "deadline_exceeded", "%s did not answer within %v", spec.Name, d.timeout(spec))
	}
	return tool.AsError(a.err)
}

// ended says what it means for a call that ctx has ended: the person
// interrupted it, or the time of the whole run is up.
func ended(ctx context.Context, name, how string) (trace.Status, *tool.Error) {
	switch ctx.Err() {
	case nil:
		return "", nil
	case context.DeadlineExceeded:
		return trace.Failed, tool.Errorf(tool.ToolTimeout, "deadline_exceeded", "%s was %s: the time for the whole run is up", name, how)
	}
	return trace.Interrupted, tool.Errorf(tool.ExecutionError, "interrupted", "%s was %s", name, how)
}
