package run

import (
	"context"

	"errand/host/question"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// Verdict is the dispatcher's decision about one action before the action runs. If
// Error is set, the call is invalid or can't succeed, and no approval is
// requested.
type Verdict struct {
	ActionID string          `json:"action_id"`
	Tool     string          `json:"tool"`
	Decision policy.Decision `json:"decision"`
	Error    *tool.Error     `json:"error,omitempty"`
	// Forecast is the expected result of the call, if its tool can predict it.
	Forecast *tool.Forecast `json:"forecast,omitempty"`

	// Site is the site of the page on which the call acts; see [tool.Call]. An approval is
	// bound to it.
	Site string `json:"site,omitempty"`

	// Files are the states of the files that the call names. An approval is bound to
	// them. A verdict right before the call has none.
	Files []tool.FileState `json:"-"`

	// Effect is the effect of this call if the tool knows it better than its spec
	// does. In a preview it follows from the arguments; before a call, also from
	// the current state.
	Effect tool.Effect `json:"-"`

	Spec           tool.Spec `json:"-"` // zero if there is no tool of this name
	ArgsHash       string    `json:"-"`
	isDecided      bool
	declaredEffect tool.Effect // from the arguments alone; the user is asked about it
}

// Destructive reports whether the call would delete or overwrite something for good. If
// its tool can't predict what the call destroys, every deletion counts; see also
// [tool.Spec.MayDestroy].
func (v Verdict) Destructive() bool {
	f := v.Forecast
	switch {
	case v.Class() == tool.Read:
		return false
	case v.Spec.MayDestroy:
		return true
	case f == nil:
		return v.Spec.Deletes()
	}
	return !f.Reversible && (len(f.Destroys) > 0 || v.Spec.Deletes())
}

// RiskLevel returns the risk of this call if its forecast decides it: high if it destroys
// something for good, low if it only adds something, medium if what it deletes can be
// restored. It is "" if only the tool's own risk is known.
func (v Verdict) RiskLevel() plan.RiskLevel {
	switch f := v.Forecast; {
	case v.Destructive():
		return plan.High
	case f == nil:
		return ""
	case f.Adds:
		return plan.Low
	case len(f.Destroys) > 0:
		return plan.Medium
	}
	return ""
}

// evaluate runs all checks up to the decision whether to ask. It converts the call's
// arguments into a private copy of plain JSON values, so that the tool gets
// exactly the values that were checked and hashed. Set live if the call follows at
// once, so that its tool may look at the current state.
func (d *Dispatcher) evaluate(ctx context.Context, call *tool.Call, live bool) (tool.Tool, Verdict) {
	v := Verdict{ActionID: call.ActionID, Tool: call.Tool, Site: call.Site}
	t, known := d.o.Tools.Get(call.Tool)
	args, argsErr := tool.CopyArgs(call.Args)
	if argsErr != nil {
		args = map[string]any{}
	}
	call.Args, v.ArgsHash = args, d.hashArgs(args)
	if !known {
		v.Error = d.o.Tools.Unknown(tool.ToolUnavailable, call.Tool)
		v.Error.Retriable = false
		return nil, v
	}
	v.Spec = t.Spec()
	ctx = tool.WithCaller(ctx, v.Spec.Caller(*call))
	if argsErr != nil {
		v.Error = tool.NewError(tool.ValidationError, "invalid_args", message.New("run.invalid_args", "tool", call.Tool, "cause", argsErr))
		return t, v
	}
	if v.Error = d.schemas.Check(v.Spec, args); v.Error != nil {
		return t, v
	}
	if v.Error = d.check(ctx, d.o.Precheck, v.Spec, *call); v.Error != nil {
		return t, v
	}
	if v.Error = d.locate(v.Spec, call); v.Error != nil {
		return t, v
	}
	d.decideWithEffect(ctx, t, call, &v, live)
	if v.Error == nil && v.Decision.Verdict != policy.Deny {
		v.Error = d.check(ctx, d.o.Reach, v.effectiveSpec(), *call)
	}
	if v.Error == nil && v.Decision.Verdict != policy.Deny {
		v.Forecast, v.Error = d.forecast(ctx, t, v.effectiveSpec(), *call)
	}
	if !live && v.Error == nil && v.Decision.Verdict != policy.Deny {
		v.Files, v.Error = d.inspect(ctx, v.effectiveSpec(), *call)
	}
	return t, v
}

// forecast asks the tool to predict the result of the call. A call that can't
// succeed fails here, before the user is asked.
func (d *Dispatcher) forecast(ctx context.Context, t tool.Tool, spec tool.Spec, call tool.Call) (*tool.Forecast, *tool.Error) {
	f, can := t.(tool.Forecaster)
	if !can || spec.SideEffectClass == tool.Read {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, d.timeout(spec))
	defer cancel()
	limited = tool.WithPreviews(limited, d.permitPreview)
	call.Args, _ = tool.CopyArgs(call.Args) // the tool's own copy
	a := callWithDeadline(ctx, limited, d, runningCall{name: spec.Name}, func() (tool.Forecast, error) { return f.Forecast(limited, call) })
	switch {
	case a.panicked:
		return nil, tool.NewError(tool.ExecutionError, "forecast_failed", message.New("run.forecast_failed", "tool", spec.Name, "cause", a.err))
	case a.err != nil && limited.Err() == context.DeadlineExceeded:
		return nil, tool.NewError(tool.ToolTimeout, "deadline_exceeded", message.New("run.forecast_timeout", "tool", spec.Name, "limit", d.timeout(spec)))
	case a.err != nil:
		return nil, tool.AsError(a.err)
	}
	a.value.Reversible = a.value.Reversible && !spec.MayDestroy
	return &a.value, nil
}

// permitPreview returns why a tool may not call another one for a forecast, or nil. The
// answer doesn't depend on who asks or on what the run has read, so that the forecast
// before the call is the one that the user approved.
func (d *Dispatcher) permitPreview(spec tool.Spec, call tool.Call) *tool.Error {
	decision, err := catchPanic(func() policy.Decision { return d.o.Decide(question.About(spec, call)) })
	switch {
	case err != nil:
		return tool.NewError(tool.PolicyDenied, "policy_failed", message.New("run.policy_failed", "cause", err))
	case decision.Verdict == policy.Allow, decision.Rule == policy.RuleVoice, decision.Rule == policy.RuleUpload: // the user sees the preview before approving
		return nil
	case decision.Verdict == policy.Ask:
		return needsApproval(decision)
	}
	return DenialError(decision)
}

// decide evaluates policy. If policy panics, the call is denied.
func (d *Dispatcher) decide(spec tool.Spec, call tool.Call) policy.Decision {
	asked := question.About(spec, call)
	asked.Readings = d.readings.forRun(call.RunID)
	decision, err := catchPanic(func() policy.Decision { return d.o.Decide(asked) })
	if err != nil {
		return policy.Decision{Rule: "policy_failed", Reason: message.New("run.policy_failed", "cause", err)}
	}
	return d.requireApprovalAfterUntrustedRead(spec, call, decision)
}

// check runs one of the optional checks within the tool's own deadline.
func (d *Dispatcher) check(ctx context.Context, f func(context.Context, tool.Spec, tool.Call) *tool.Error, spec tool.Spec, call tool.Call) *tool.Error {
	if f == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, d.timeout(spec))
	defer cancel()
	fault, err := catchPanic(func() *tool.Error { return f(ctx, spec, call) })
	if err != nil {
		return tool.NewError(tool.ExecutionError, "check_failed", message.New("run.check_failed", "tool", spec.Name, "cause", err))
	}
	return fault
}

// ending is the status and error of an action that is not called. The zero value
// means that the action may go on.
type ending struct {
	status trace.Status
	err    *tool.Error
}

// stop returns how the call ends if it can't go on. If the user interrupted a
// check, its failure is not the call's error.
func (v Verdict) stop(ctx context.Context) (ending, bool) {
	fault := v.toError()
	if fault == nil {
		return ending{}, false
	}
	if v.Error != nil {
		if status, e := contextError(ctx, v.Tool, false); e != nil {
			return ending{status, e}, true
		}
	}
	return ending{v.status(), fault}, true
}

// toError returns the error that stops the call. A missing approval does not count.
func (v Verdict) toError() *tool.Error {
	switch {
	case v.Error != nil:
		return v.Error
	case v.Decision.Verdict == policy.Ask, v.Decision.Verdict == policy.Allow:
		return nil
	}
	return DenialError(v.Decision)
}

// status returns the status of a step that has a fault.
func (v Verdict) status() trace.Status {
	switch {
	case v.Error != nil && v.Error.Class == tool.PolicyDenied:
		return trace.Denied
	case v.Error != nil:
		return trace.Failed
	}
	return trace.Denied
}

// DenialError converts a denial into an error.
func DenialError(d policy.Decision) *tool.Error {
	reason := d.Reason
	if reason.IsZero() {
		reason = message.New("run.denied")
	}
	code := d.Rule
	if code == "" {
		code = "denied"
	}
	return tool.NewError(tool.PolicyDenied, code, reason).WithHint(d.Hint)
}

func needsApproval(d policy.Decision) *tool.Error {
	reason := d.Reason
	if reason.IsZero() {
		reason = message.New("run.needs_approval")
	}
	e := tool.NewError(tool.PolicyDenied, "needs_approval", reason).WithHint(d.Hint)
	e.Recoverable = true
	return e
}
