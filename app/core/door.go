package core

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"errand/host/files"
	"errand/host/run"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/approval"
)

// dispatcher is the door for this run's calls. Without a record nothing will be
// called, and so no name is resolved either: a plan can be looked at offline.
func (x *execution) dispatcher() *run.Dispatcher {
	a := x.app
	var reach func(context.Context, tool.Spec, tool.Call) *tool.Error
	if x.log != nil {
		reach = x.resolve
	}
	var granted func(run.Ask) policy.Decision // of a draft, which covers all that is done under it
	if x.draft.Load() != nil {
		granted = x.granted
	}
	return run.NewDispatcher(run.DispatcherOptions{
		Tools: x.tools, Decide: x.decide, Precheck: files.CheckRoots, Reach: reach, BeforeCall: x.session.beforeCall, Approve: x.approve, Granted: granted,
		Earlier: x.before, Log: x.log, Now: a.now,
		Redact: func(v any) any { return a.vault.CleanerOf(x.id).Value(v) },
		Reveal: func(spec tool.Spec, args map[string]any) (map[string]any, *tool.Error) {
			return a.vault.Of(x.id).Reveal(spec, args)
		},
		Learn:       func(secrets []string) { a.vault.Learn(x.id, secrets) },
		StepTimeout: time.Duration(a.conf.Run.StepTimeoutMS) * time.Millisecond,
		Jitter:      func() time.Duration { return rand.N(250 * time.Millisecond) },
	})
}

// endCalls waits for tools that were left behind at their deadline.
func (x *execution) endCalls(ctx context.Context, d *run.Dispatcher) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		return fmt.Errorf("end the run's calls: %w", err)
	}
	return nil
}

// resolve looks names up, but for a spoken goal that nobody has confirmed yet:
// nothing of it leaves the machine before a yes. The door asks again after it.
func (x *execution) resolve(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if x.request.Voice != nil && !x.request.Yes && !x.session.approved.Load() {
		return nil
	}
	return x.session.resolve(ctx, spec, call)
}

// decide asks policy, as of now. What was spoken never runs unasked.
func (x *execution) decide(r policy.Request) policy.Decision {
	r.At, r.Voice, r.Run = x.app.now(), x.request.Voice != nil, x.session.run()
	return x.app.grants.Decide(r)
}

// approve answers for the draft that the run is carried out under: yes to the
// very calls that a person approved, and to no other. Without a draft nobody
// was asked; a host that is not on the list is never opened by a yes.
func (x *execution) approve(_ context.Context, ask run.Ask) (bool, error) {
	h := x.draft.Load()
	if h == nil || !approvable(ask.Decision) {
		return false, run.ErrNobody
	}
	if d := x.granted(ask); d.Verdict != policy.Allow {
		return false, errors.New(d.Reason)
	}
	return true, nil
}

// granted says whether the draft covers a call as it is about to be made: it is
// asked at the gate, and again at the moment of the call.
func (x *execution) granted(ask run.Ask) policy.Decision {
	h := x.draft.Load()
	if h == nil {
		return policy.Decision{Rule: approval.RuleMissing, Reason: "there is no draft that a person approved"}
	}
	return h.Check(approval.Call{
		PlanDigest: h.plan.Digest(), PolicyDigest: x.app.grants.Digest(h.proposal.Grants), ActionID: ask.Call.CallID,
		Tool: ask.Call.Tool, ToolDigest: ask.Spec.Fingerprint(), ArgsHash: tool.HashArgs(ask.Call.Args),
	}, x.app.now())
}

// approvable reports whether a yes is what an action waits for. A host that is
// not on the list is allowed by the list or for one run, never by a yes.
func approvable(d policy.Decision) bool { return d.Rule != policy.RuleUnlisted }
