// Package gate decides about the calls of one attempt of a run, by policy and by the draft that the user approved.
package gate

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"errand/app/drafts"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
	"errand/policy/approval"
)

// Session is the way of the attempt to the network.
type Session interface {
	// CheckReach checks that the addresses of a call resolve and may be contacted.
	CheckReach(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error
	// IsApproved reports whether the user approved the run's actions.
	IsApproved() bool
}

// Gate decides about the calls of one attempt. Its methods may be called by
// several goroutines at once.
type Gate struct {
	RunID    string
	Session  Session
	Voice    bool // the goal was spoken
	Approved bool // the user approved the request in advance
	// Ask returns the policy decision with the present grants.
	Ask func(policy.Request) policy.Decision
	// PolicyDigest names the policy and those of the grants that are listed.
	PolicyDigest func(grants []string) string
	Seal         func(hash string) string
	Now          func() time.Time

	draft atomic.Pointer[boundDraft] // that the calls are made under; nil: none
}

// boundDraft is an unchanging draft with the digest of its plan.
type boundDraft struct {
	drafts.Draft
	planDigest func() string // computed once, because a plan may have 1,000 actions and each call needs it
}

// Bind makes the calls be made under a draft.
func (g *Gate) Bind(h drafts.Draft) {
	g.draft.Store(&boundDraft{h, sync.OnceValue(h.Plan.Digest)})
}

// Release ends what Bind began.
func (g *Gate) Release() { g.draft.Store(nil) }

// IsBound reports whether the calls are made under a draft.
func (g *Gate) IsBound() bool { return g.draft.Load() != nil }

// CheckReach looks up names. It doesn't do so for a spoken goal that is not confirmed yet:
// nothing of it leaves the machine before an approval. The dispatcher checks again after the
// approval.
func (g *Gate) CheckReach(ctx context.Context, spec tool.Spec, call tool.Call) *tool.Error {
	if g.Voice && !g.Approved && !g.Session.IsApproved() {
		return nil
	}
	return g.Session.CheckReach(ctx, spec, call)
}

// Decide asks policy. A spoken goal always needs approval.
func (g *Gate) Decide(r policy.Request) policy.Decision {
	r.At, r.Voice, r.Run = g.Now(), g.Voice, cmp.Or(g.RunID, policy.FutureRun)
	return g.Ask(r)
}

// Approve approves exactly the calls that the user approved in the run's draft. Without a
// draft there is no approval. An approval never opens a host that is not on the allowlist.
func (g *Gate) Approve(_ context.Context, ask run.Ask) (bool, error) {
	h := g.draft.Load()
	if h == nil || !drafts.Approvable(ask.Decision) {
		return false, run.ErrNoUser
	}
	if d := g.CheckGrant(ask); d.Verdict != policy.Allow {
		return false, d.Reason.Err()
	}
	return true, nil
}

// CheckGrant reports whether the draft covers a call that is about to be made. It is called
// before the first call, and again right before the call.
func (g *Gate) CheckGrant(ask run.Ask) policy.Decision {
	h := g.draft.Load()
	if h == nil {
		return policy.Decision{Rule: approval.RuleMissing, Reason: message.New("runs.no_approved_draft")}
	}
	return h.Check(approval.Call{
		PlanDigest: g.Seal(h.planDigest()), PolicyDigest: g.PolicyDigest(h.Proposal.Grants), ActionID: ask.Call.ActionID,
		Tool: ask.Call.Tool, ToolDigest: ask.Spec.Fingerprint(), ArgsHash: g.Seal(tool.HashArgs(ask.Call.Args)),
		Destructive: ask.Destructive,
	}, g.Now())
}
