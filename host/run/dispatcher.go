package run

import (
	"context"
	"errors"
	"time"

	"errand/host/tool"
	"errand/host/tool/schema"
	"errand/host/trace"
	"errand/planner/plan"
	"errand/policy"
)

// Ask is what a person is asked to approve: exactly this call.
type Ask struct {
	Call     tool.Call
	Spec     tool.Spec
	Decision policy.Decision
	ArgsHash string      // of the call's arguments
	Effect   tool.Effect // what the call is judged as, where that is not the spec's
}

// ErrNobody is the answer of an Approve function that has nobody to ask.
var ErrNobody = errors.New("there is nobody to ask")

// DispatcherOptions are what a [Dispatcher] works with. The zero value refuses
// everything.
type DispatcherOptions struct {
	Tools *tool.Set // nil: there are no tools

	// Decide is policy's answer to a call. Nil denies.
	Decide func(policy.Request) policy.Decision

	// Precheck is the business check between schema and policy: are the paths
	// granted, does the thing exist. It must not touch the network, because
	// policy has not spoken yet. Nil: nothing to check.
	Precheck func(context.Context, tool.Spec, tool.Call) *tool.Error

	// Reach is the check that may touch the network, such as resolving names.
	// It comes after policy has not denied and before anybody is asked, so that
	// a denied name never reaches a resolver. Nil: nothing to check.
	Reach func(context.Context, tool.Spec, tool.Call) *tool.Error

	// BeforeCall runs right before a tool is called or looks at what the call
	// would meet, after all other checks. Its error is the call's result, and the
	// tool is not called. Nil: nothing to do.
	BeforeCall func(context.Context, tool.Spec, tool.Call) *tool.Error

	// Approve asks a person. It may take as long as ctx lasts. False is a
	// person's no and denies. An error means that nobody gave an answer, and
	// the call needs approval; [ErrNobody] says so without further words. Nil:
	// there is nobody to ask.
	Approve func(context.Context, Ask) (approved bool, err error)

	// Granted is asked at the moment of every call of a run that a person approved
	// before, also of those that policy allows: the approval may have ended
	// meanwhile, or the tool been replaced. Nil: nothing was approved as a whole.
	Granted func(Ask) policy.Decision

	// Log keeps the steps. Nil: no call with an effect is made, because it
	// could not be recorded, and reads run with a warning.
	Log trace.Log

	// Earlier are the recorded steps of earlier stretches of the runs that it
	// serves. What they read that others wrote is read: the writes of their runs
	// ask. Nil: the runs begin here.
	Earlier []trace.Step

	// Redact removes secrets from plain JSON values before they reach Log. It
	// must keep a map a map and a string a string. Nil: identity.
	Redact func(any) any

	// Reveal puts secrets in place of the references to them ([tool.SecretRef]). What
	// it answers goes to the tool and nowhere else. Nil: no secret is known, and a
	// reference fails its call.
	Reveal func(tool.Spec, map[string]any) (map[string]any, *tool.Error)

	// Learn is told of values that turned out to be secrets, before the call is
	// written down: from then on Redact removes them. Nil: nobody learns.
	Learn func(secrets []string)

	Now func() time.Time // nil: time.Now

	// StepTimeout bounds every call, retries included, beside the tool's own
	// timeout; the shorter one counts. 0: the tool's own alone.
	StepTimeout time.Duration

	// Grace is how long a tool may take to end after its deadline before it is
	// left behind. 0: 2 s.
	Grace time.Duration

	// Jitter is added to the wait before a retry, so that many programs don't
	// come back at once. Nil: none.
	Jitter func() time.Duration
}

// Dispatcher is the one door for every call. It may be used by several
// goroutines at once. Close ends it.
type Dispatcher struct {
	o        DispatcherOptions
	schemas  schema.Checker
	calls    calls
	readings readings
}

// NewDispatcher makes a dispatcher. The caller closes it after the last call
// and before what the tools are made of (browser, plugins, store).
func NewDispatcher(o DispatcherOptions) *Dispatcher {
	if o.Tools == nil {
		o.Tools = &tool.Set{}
	}
	if o.Decide == nil {
		o.Decide = func(policy.Request) policy.Decision {
			return policy.Decision{Rule: "no_policy", Reason: "no policy is loaded, so nothing is allowed"}
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
	d.readings.recorded(o.Earlier)
	return d
}

// Close refuses further calls and waits until the tools that were left behind
// have ended or ctx has; the error then names them.
func (d *Dispatcher) Close(ctx context.Context) error { return d.calls.close(ctx) }

// Dispatch takes one call through the door and records it, whatever happens,
// even after ctx has ended. The step is the recorded one: redacted. A result
// that is not OK always has a typed error. Of a tool that hands on what others
// wrote it holds the quarantined form, and the step what the tool said.
func (d *Dispatcher) Dispatch(ctx context.Context, call tool.Call) (tool.Result, trace.Step) {
	return d.dispatch(ctx, call, gated{})
}

// gated is what the gate found out about a call that is one of several.
type gated struct {
	approved string           // hash of the arguments that a person approved; "": none
	ahead    []policy.Reading // what stands before it, read yet or not
}

// dispatch is Dispatch for a call that has passed the gate. Policy is asked again
// all the same: it may have changed.
func (d *Dispatcher) dispatch(ctx context.Context, call tool.Call, gate gated) (tool.Result, trace.Step) {
	r := d.begin(call)
	t, v := d.judge(ctx, &r.call, true)
	if v.decided {
		v.Decision = v.Decision.Escalate(string(v.acting().SideEffectClass), gate.ahead)
	}
	r.judged(v)
	if end, stopped := v.stop(ctx); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.fault})
	}
	ctx = tool.WithCaller(ctx, v.Spec.Caller(r.call))
	asked, approved := v.Decision.Verdict == policy.Ask, gate.approved != "" && gate.approved == r.step.ArgsHash
	if asked && v.exceeds() && (approved || d.o.Granted != nil) { // nobody has seen what it is, and a draft would answer by what it was
		return r.end(ctx, trace.NeedsApproval, tool.Result{Error: needsApproval(v.Decision)})
	}
	if asked && !approved {
		if status, fault := d.ask(ctx, r.call, v); fault != nil {
			return r.end(ctx, status, tool.Result{Error: fault})
		}
	}
	if end, stopped := d.prepare(ctx, t, v.Tool); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.fault})
	}
	if end, stopped := d.stillGranted(r.call, v); stopped {
		return r.end(ctx, end.status, tool.Result{Error: end.fault})
	}
	if late := d.wary(v.acting(), r.call, v.Decision); !asked && late.Verdict == policy.Ask { // read since it was judged
		v.Decision, asked = late, true
		r.judged(v)
		if !approved {
			if status, fault := d.ask(ctx, r.call, v); fault != nil {
				return r.end(ctx, status, tool.Result{Error: fault})
			}
		}
	}
	if asked {
		r.flag(trace.FlagApproved)
	}
	if status, fault := ended(ctx, v.Tool, notCalled); fault != nil {
		return r.end(ctx, status, tool.Result{Error: fault})
	}
	if v.acting().SideEffectClass != tool.Read {
		if end, settled := r.claim(ctx, t, v.acting()); settled {
			return r.end(ctx, end.status, end.result)
		}
	}
	status, result := d.execute(ctx, t, v.acting(), r)
	return r.end(ctx, status, result)
}

// stillGranted asks at the moment of the call whether the yes still counts.
func (d *Dispatcher) stillGranted(call tool.Call, v Verdict) (ending, bool) {
	if d.o.Granted == nil {
		return ending{}, false
	}
	decision, err := protect(func() policy.Decision { return d.o.Granted(v.ask(call)) })
	switch {
	case err != nil:
		return ending{trace.Denied, Denied(policy.Decision{Reason: "the approval could not be looked at: " + err.Error()})}, true
	case decision.Verdict == policy.Deny:
		return ending{trace.Denied, Denied(decision)}, true
	case decision.Verdict == policy.Ask:
		return ending{trace.NeedsApproval, needsApproval(decision)}, true
	}
	return ending{}, false
}

func (v Verdict) ask(call tool.Call) Ask { return Ask{call, v.Spec, v.Decision, v.ArgsHash, v.Effect} }

const notCalled = "interrupted before it was called"

// ask puts the call to a person. Without a fault the answer was yes.
func (d *Dispatcher) ask(ctx context.Context, call tool.Call, v Verdict) (trace.Status, *tool.Error) {
	if d.o.Approve == nil {
		return trace.NeedsApproval, needsApproval(v.Decision)
	}
	approved, err := protect2(func() (bool, error) { return d.o.Approve(ctx, v.ask(call)) })
	if status, fault := ended(ctx, v.Tool, notCalled); fault != nil {
		return status, fault
	}
	switch {
	case errors.Is(err, ErrNobody):
		return trace.NeedsApproval, needsApproval(v.Decision)
	case err != nil:
		e := needsApproval(v.Decision)
		e.Message += " (asking failed: " + err.Error() + ")"
		return trace.NeedsApproval, e
	case !approved:
		return trace.Denied, tool.Errorf(tool.PolicyDenied, "rejected", "%s was not approved", call.Tool)
	}
	return trace.Done, nil
}

// wary is a decision after what the call's run has read by now. Policy says the
// same; the door holds whoever decides to it.
func (d *Dispatcher) wary(spec tool.Spec, call tool.Call, decision policy.Decision) policy.Decision {
	return decision.Escalate(string(spec.SideEffectClass), d.readings.in(call.RunID))
}

func request(spec tool.Spec, call tool.Call) policy.Request {
	r := policy.Request{
		Kind: policy.KindCall, Origin: plan.Origin(call.Origin), Tool: spec.Name,
		Class: string(spec.SideEffectClass), Effect: string(spec.Effect), Args: call.Args, Run: call.RunID, Call: call.CallID,
		Opens: spec.Opened(call.Args), Boundary: spec.Boundary,
	}
	if spec.FromPlugin() {
		r.Plugin = spec.Plugin()
		r.Hosts = spec.Hosts // the manifest limits plugins; an empty one reaches nothing
		if r.Hosts == nil {
			r.Hosts = []string{}
		}
	}
	return r
}
