package page

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// subjectOf returns the policy request for the call of ctx: tool, plugin, run, call and
// origin. It is used for all requests of pages that the call opens, so that concurrent
// calls don't share grants. It is zero outside of a call.
func subjectOf(ctx context.Context) policy.Request {
	c, _ := tool.CallerFrom(ctx)
	return policy.Request{
		Origin: plan.Origin(c.Origin), Tool: c.Tool, Effect: string(c.Effect), Plugin: c.Plugin, Run: c.RunID, Call: c.ActionID,
	}
}

// subject returns the request of the call that opened a frame's page. It is zero for
// requests without a known page, such as those of a shared worker.
func (ts *tabList) subject(frame proto.PageFrameID) policy.Request {
	t := ts.ofFrame(frame)
	if t == nil {
		return policy.Request{}
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return t.caller
}

// ofFrame returns the page of a frame, or nil if it is unknown.
func (ts *tabList) ofFrame(frame proto.PageFrameID) *Tab {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.byTarget[proto.TargetTargetID(frame)]; t != nil {
		return t
	}
	return ts.byFrame[frame]
}

// addFrame registers a frame of a page before it loads anything.
func (ts *tabList) addFrame(t *Tab, frame proto.PageFrameID) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.byFrame[frame] = t
}

// removeFrame removes a frame. A frame that moves to its own process stays.
func (ts *tabList) removeFrame(e *proto.PageFrameDetached) {
	moves := e.Reason == proto.PageFrameDetachedReasonSwap
	ts.documents.Detach(e.FrameID, moves)
	if moves {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.byFrame, e.FrameID)
}

// userOf returns the request of the call that acts on a page, or else of the call that opened it.
// It is zero without a page.
func userOf(t *Tab) policy.Request {
	if by := actorOf(t); by.Call != "" || t == nil {
		return by
	}
	t.Browser.tabs.mu.Lock()
	defer t.Browser.tabs.mu.Unlock()
	return t.caller
}

// actorOf returns the request of the call that acts on a page, zero if none does.
func actorOf(t *Tab) policy.Request {
	if t == nil {
		return policy.Request{}
	}
	t.Browser.tabs.mu.Lock()
	defer t.Browser.tabs.mu.Unlock()
	return t.actor
}

// setActor notes the call that acts on a page; zero: none does any more.
func setActor(t *Tab, r policy.Request) {
	t.Browser.tabs.mu.Lock()
	defer t.Browser.tabs.mu.Unlock()
	t.actor = r
}

// decider returns how requests are decided while a call acts.
func (b *Browser) decider(by policy.Request) func(policy.Request) policy.Decision {
	if b.opts.DecideFor == nil {
		return b.opts.Decide
	}
	return func(r policy.Request) policy.Decision { return b.opts.DecideFor(by, r) }
}
