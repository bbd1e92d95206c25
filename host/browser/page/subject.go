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
