package runs

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/drafts"
	"errand/host/files"
	"errand/host/filestate"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/approval"
)

// gate decides about the calls of one attempt. Its methods may be called by
// several goroutines at once.
type gate struct {
	runs            *Runs
	runID           string
	session         Session
	voice, approved bool                       // of the request
	draft           atomic.Pointer[boundDraft] // that the calls are made under; nil: none
}

// boundDraft is an unchanging draft with the digest of its plan.
type boundDraft struct {
	drafts.Draft
	planDigest func() string // computed once, because a plan may have 1,000 actions and each call needs it
}

func bindDraft(h drafts.Draft) *boundDraft {
	return &boundDraft{h, sync.OnceValue(h.Plan.Digest)}
}

// withoutReach makes a dispatcher resolve no names.
func withoutReach(o *run.DispatcherOptions) { o.Reach = nil }

// dispatcher makes the dispatcher of the attempt's calls. Without a record it calls nothing and
// resolves no name, so that a plan can be checked offline.
func (x *attempt) dispatcher(change ...func(*run.DispatcherOptions)) *run.Dispatcher {
	o := &x.runs.o
	d := run.DispatcherOptions{
		Tools: x.tools, Decide: x.gate.decide, Precheck: files.CheckRoots, Locate: filestate.Locate, Inspect: filestate.Inspect, Entries: filestate.Entries, BeforeCall: permission{x}.beforeCall, Approve: x.gate.approve,
		EarlierSteps: slices.Concat(x.readBefore, x.earlierSteps), Log: x.log, Now: o.Now,
		Redact: func(v any) any { return x.clean().Value(v) }, Seal: x.seal,
		Reveal: func(spec tool.Spec, args map[string]any) (map[string]any, *tool.Error) {
			return o.Vault.PlanSecrets(x.id).Reveal(spec, args)
		},
		Learn:       func(secrets []string) { o.Vault.AddLearned(x.id, secrets) },
		Flags:       x.rec.flags,
		StepTimeout: time.Duration(o.Config.Run.StepTimeoutMS) * time.Millisecond,
		Jitter:      func() time.Duration { return rand.N(250 * time.Millisecond) },
	}
	if x.log != nil {
		d.Reach = x.gate.checkReach
	}
	if x.gate.draft.Load() != nil { // it covers all that is done under it
		d.Granted = x.gate.checkGrant
	}
	if o.Replay != nil {
		o.Replay.Dispatch(&d)
	}
	for _, f := range change {
		f(&d)
	}
	return run.NewDispatcher(d)
}

// engine makes the engine that runs an attempt's plan or task.
func (rs *Runs) engine(d *run.Dispatcher, progress func(run.Event)) *run.Engine {
	return run.NewEngine(d, run.EngineOptions{Parallel: rs.o.Config.Run.Parallel, Progress: progress})
}

// endCalls waits for tools that were still running at their deadline.
func endCalls(ctx context.Context, d *run.Dispatcher) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		return message.Error("runs.end_calls", "cause", err)
	}
	return nil
}

// checkReach looks up names. It doesn't do so for a spoken goal that is not confirmed yet:
// nothing of it leaves the machine before an approval. The dispatcher checks again after the
// approval.
func (g *gate) checkReach(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if g.voice && !g.approved && !g.session.IsApproved() {
		return nil
	}
	return g.session.CheckReach(ctx, spec, call)
}

// decide asks policy. A spoken goal always needs approval.
func (g *gate) decide(r policy.Request) policy.Decision {
	r.At, r.Voice, r.Run = g.runs.now(), g.voice, cmp.Or(g.runID, policy.FutureRun)
	return g.runs.o.Decide(r)
}

// approve approves exactly the calls that the user approved in the run's draft. Without a
// draft there is no approval. An approval never opens a host that is not on the allowlist.
func (g *gate) approve(_ context.Context, ask run.Ask) (bool, error) {
	h := g.draft.Load()
	if h == nil || !drafts.Approvable(ask.Decision) {
		return false, run.ErrNoUser
	}
	if d := g.checkGrant(ask); d.Verdict != policy.Allow {
		return false, d.Reason.Err()
	}
	return true, nil
}

// checkGrant reports whether the draft covers a call that is about to be made. It is called
// before the first call, and again right before the call.
func (g *gate) checkGrant(ask run.Ask) policy.Decision {
	h := g.draft.Load()
	if h == nil {
		return policy.Decision{Rule: approval.RuleMissing, Reason: message.New("runs.no_approved_draft")}
	}
	return h.Check(approval.Call{
		PlanDigest: g.runs.o.Vault.Seal(h.planDigest()), PolicyDigest: g.runs.o.PolicyDigest(h.Proposal.Grants), ActionID: ask.Call.ActionID,
		Tool: ask.Call.Tool, ToolDigest: ask.Spec.Fingerprint(), ArgsHash: g.runs.o.Vault.Seal(tool.HashArgs(ask.Call.Args)),
		Destructive: ask.Destructive,
	}, g.runs.now())
}
