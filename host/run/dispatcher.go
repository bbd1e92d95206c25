package run

import (
	"context"
	"errors"
	"time"

	"errand/host/run/subject"
	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// Ask is a request to approve exactly one call.
type Ask struct {
	Call     tool.Call
	Spec     tool.Spec
	Decision policy.Decision
	Effect   tool.Effect // effect of this call, if it differs from the spec's

	Destructive bool // see [Verdict.Destructive]
}

// ErrNoUser is the error of an Approve function that has no user to ask.
var ErrNoUser = message.Error("run.no_user")

// DispatcherOptions configure a [Dispatcher]. The zero value refuses every call.
type DispatcherOptions struct {
	Tools *tool.Set // nil: there are no tools

	// Decide evaluates policy for a call. Nil denies every call.
	Decide func(policy.Request) policy.Decision

	// Precheck is the business check between schema and policy, for example
	// whether a path is granted or a file exists. It must not use the network,
	// because policy was not evaluated yet. Nil skips it.
	Precheck func(context.Context, tool.Spec, tool.Call) *tool.Error

	// Reach is the check that may use the network, for example to resolve names.
	// It runs after policy and before the user is asked, so that a denied name
	// never reaches a resolver. Nil skips it.
	Reach func(context.Context, tool.Spec, tool.Call) *tool.Error

	// BeforeCall runs after all other checks, right before a tool is called or
	// inspects the current state. If it fails, its error is the call's result and
	// the tool is not called. Nil skips it.
	BeforeCall func(context.Context, tool.Spec, tool.Call) *tool.Error

	// Locate returns where the paths in a call's arguments lead. Policy decides about these
	// places, and the tool gets them. It opens nothing. Nil: policy and the tool resolve
	// the paths.
	Locate func(tool.Spec, tool.Call) []tool.Place

	// Inspect returns the states of the files that a call names. An approval is
	// bound to them. Nil binds it to no files.
	Inspect func(context.Context, tool.Spec, tool.Call) ([]tool.FileState, *tool.Error)

	// Entries returns texts that identify the states of all entries in the folders among
	// the files that Inspect returned, by their paths. With it, a step of a plan explains
	// only changes of the files that it names, and not of others in their folder.
	Entries func(context.Context, tool.Spec, []tool.FileState) map[string]string

	// Approve asks the user and may block until ctx ends. False denies the call.
	// An error means that there was no answer, and the call needs approval; use
	// [ErrNoUser] if there is no other explanation. Nil means that there is no
	// user to ask.
	Approve func(context.Context, Ask) (approved bool, err error)

	// Granted checks, right before each call of an approved run, that the approval
	// still counts. It is also called for calls that policy allows, because the
	// approval may have expired or the tool may have been replaced. Nil means that
	// the run was not approved as a whole.
	Granted func(Ask) policy.Decision

	// Log records the steps. If it is nil, calls with an effect fail, and reads
	// run with a warning.
	Log trace.Log

	// EarlierSteps are the recorded steps of earlier attempts of the runs. If they read
	// untrusted content, writes of the same run need approval. Nil means that the
	// runs start here.
	EarlierSteps []trace.Step

	// Redact removes secrets from plain JSON values before they reach Log. It must
	// return a map for a map and a string for a string. Nil changes nothing.
	Redact func(any) any

	// Seal turns the hash of a call's arguments into the one that is recorded and that
	// approvals bind to. Nil changes nothing.
	Seal func(hash string) string

	// Reveal replaces references to secrets ([tool.SecretRef]) with the secrets.
	// Only the tool gets its result. If it is nil, a call with a reference fails.
	Reveal func(tool.Spec, map[string]any) (map[string]any, *tool.Error)

	// Flags returns further policy flags of a call that has ended. Nil adds none.
	Flags func(runID, actionID string) []string

	// Learn receives values that turned out to be secrets, before the call is
	// recorded. From then on Redact must remove them. Nil ignores them.
	Learn func(secrets []string)

	Now func() time.Time // nil: time.Now

	// StepTimeout limits each call, including its retries. The tool's own timeout
	// also applies; the shorter one counts. 0 means only the tool's timeout.
	StepTimeout time.Duration

	// Grace is how long a tool may run past its deadline before the dispatcher
	// stops waiting for it. 0 means 2 s.
	Grace time.Duration

	// Jitter returns a duration to add to the wait before a retry, so that many
	// programs don't retry at the same time. Nil adds nothing.
	Jitter func() time.Duration
}

// Dispatcher checks, executes and records every tool call. It is safe for
// concurrent use. Call Close when it is no longer needed.
type Dispatcher struct {
	o        DispatcherOptions
	schemas  schema.Checker
	calls    callTracker
	readings readings

	pageSteps pageSteps
}

// NewDispatcher returns a dispatcher. Close it after the last call and before the
// resources that its tools use (browser, plugins, store).
func NewDispatcher(o DispatcherOptions) *Dispatcher {
	if o.Tools == nil {
		o.Tools = &tool.Set{}
	}
	if o.Decide == nil {
		o.Decide = func(policy.Request) policy.Decision {
			return policy.Decision{Rule: "no_policy", Reason: message.New("run.no_policy")}
		}
	}
	if o.Redact == nil {
		o.Redact = func(v any) any { return v }
	}
	if o.Reveal == nil {
		o.Reveal = tool.Secrets{}.Reveal
	}
	if o.Learn == nil {
		o.Learn = func([]string) {}
	}
	if o.Flags == nil {
		o.Flags = func(string, string) []string { return nil }
	}
	if o.BeforeCall == nil {
		o.BeforeCall = func(context.Context, tool.Spec, tool.Call) *tool.Error { return nil }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Grace == 0 {
		o.Grace = 2 * time.Second
	}
	if o.Jitter == nil {
		o.Jitter = func() time.Duration { return 0 }
	}
	d := &Dispatcher{o: o}
	d.readings.addSteps(o.EarlierSteps)
	for _, s := range o.EarlierSteps {
		if t, ok := o.Tools.Get(s.ToolName); ok {
			d.pageSteps.add(t.Spec(), s)
		}
	}
	return d
}

// hashArgs returns the hash of a call's arguments as it is recorded.
func (d *Dispatcher) hashArgs(args map[string]any) string {
	hash := tool.HashArgs(args)
	if d.o.Seal == nil {
		return hash
	}
	return d.o.Seal(hash)
}

// Close refuses further calls and waits for tools that ran past their deadline. If
// ctx ends first, the error names the tools that still run.
func (d *Dispatcher) Close(ctx context.Context) error { return d.calls.close(ctx) }

// Dispatch checks, executes and records one call. It records the step even if ctx
// has ended. The returned step is redacted. A result that is not OK always has a
// typed error. If a tool passes on untrusted content, the result holds its
// quarantined form and the step holds the tool's original output.
func (d *Dispatcher) Dispatch(ctx context.Context, call tool.Call) (tool.Result, trace.Step) {
	return d.dispatch(ctx, call, batchApproval{})
}

// batchApproval is the approval of one call of a batch, from before its first call.
type batchApproval struct {
	subject      *subject.Subject       // what the approval covers; nil: nothing was prepared
	approvedHash string                 // hash of the approved arguments; "" if the user approved none
	readings     []policy.UntrustedRead // readings that precede the call, even if they did not run yet
}

// dispatch is Dispatch for a call of an approved batch. It evaluates policy
// again, because policy may have changed.
func (d *Dispatcher) dispatch(ctx context.Context, call tool.Call, approval batchApproval) (tool.Result, trace.Step) {
	r := d.begin(call)
	t, v := d.evaluate(ctx, &r.call, true)
	if v.isDecided {
		v.Decision = v.Decision.Escalate(string(v.effectiveSpec().SideEffectClass), approval.readings)
	}
	r.setVerdict(v)
	if end, stopped := v.stop(ctx); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.err})
	}
	ctx = tool.WithCaller(ctx, v.Spec.Caller(r.call))
	asks, approved := v.Decision.Verdict == policy.Ask, approval.approvedHash != "" && approval.approvedHash == r.step.ArgsHash
	if asks && v.exceedsDeclared() && (approved || d.o.Granted != nil) { // the user has not seen this effect, and a draft would describe the old one
		return r.end(ctx, trace.NeedsApproval, tool.Result{Error: needsApproval(v.Decision)})
	}
	if asks && !approved {
		if status, fault := d.ask(ctx, r.call, v); fault != nil {
			return r.end(ctx, status, tool.Result{Error: fault})
		}
	}
	if end, stopped := d.prepare(ctx, t, v.Tool); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.err})
	}
	if end, stopped := d.checkGrant(r.call, v); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.err})
	}
	if end, stopped := d.checkSubject(ctx, &r.call, v, approval.subject); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.err})
	}
	if late := d.requireApprovalAfterUntrustedRead(v.effectiveSpec(), r.call, v.Decision); !asks && late.Verdict == policy.Ask { // the run read untrusted content after the check
		v.Decision, asks = late, true
		r.setVerdict(v)
		if !approved {
			if status, fault := d.ask(ctx, r.call, v); fault != nil {
				return r.end(ctx, status, tool.Result{Error: fault})
			}
		}
	}
	if asks {
		r.flag(trace.FlagApproved)
	}
	if status, fault := contextError(ctx, v.Tool, false); fault != nil {
		return r.end(ctx, status, tool.Result{Error: fault})
	}
	if v.effectiveSpec().SideEffectClass != tool.Read {
		if end, settled := r.claim(ctx, t, v.effectiveSpec()); settled {
			return r.end(ctx, end.status, end.result)
		}
	}
	status, result := d.execute(ctx, t, v.effectiveSpec(), r)
	return r.end(ctx, status, result)
}

// checkGrant checks, right before the call, that the approval still counts.
func (d *Dispatcher) checkGrant(call tool.Call, v Verdict) (ending, bool) {
	if d.o.Granted == nil {
		return ending{}, false
	}
	decision, err := catchPanic(func() policy.Decision { return d.o.Granted(v.approvalRequest(call)) })
	switch {
	case err != nil:
		return ending{trace.Denied, DenialError(policy.Decision{Reason: message.New("run.approval_failed", "cause", err)})}, true
	case decision.Verdict == policy.Deny:
		return ending{trace.Denied, DenialError(decision)}, true
	case decision.Verdict == policy.Ask:
		return ending{trace.NeedsApproval, needsApproval(decision)}, true
	}
	return ending{}, false
}

func (v Verdict) approvalRequest(call tool.Call) Ask {
	return Ask{call, v.Spec, v.Decision, v.Effect, v.Destructive()}
}

// approvalRequest requests approval for the call. It returns no error if the user approved it.
func (d *Dispatcher) ask(ctx context.Context, call tool.Call, v Verdict) (trace.Status, *tool.Error) {
	if d.o.Approve == nil {
		return trace.NeedsApproval, needsApproval(v.Decision)
	}
	approved, err := catchPanicErr(func() (bool, error) { return d.o.Approve(ctx, v.approvalRequest(call)) })
	if status, fault := contextError(ctx, v.Tool, false); fault != nil {
		return status, fault
	}
	switch {
	case errors.Is(err, ErrNoUser):
		return trace.NeedsApproval, needsApproval(v.Decision)
	case err != nil:
		e := needsApproval(v.Decision)
		e.Message = message.New("run.asking_failed", "reason", e.Message, "cause", err)
		return trace.NeedsApproval, e
	case !approved:
		return trace.Denied, tool.NewError(tool.PolicyDenied, "rejected", message.New("run.rejected", "tool", call.Tool))
	}
	return trace.Done, nil
}

// requireApprovalAfterUntrustedRead turns Allow into Ask once the call's run has read untrusted content. Policy
// has the same rule; the dispatcher enforces it for every Decide function.
func (d *Dispatcher) requireApprovalAfterUntrustedRead(spec tool.Spec, call tool.Call, decision policy.Decision) policy.Decision {
	return decision.Escalate(string(spec.SideEffectClass), d.readings.forRun(call.RunID))
}
