package page

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
	"errand/planner/plan"
	"errand/policy"
)

// subjectOf is the policy request of the call that ctx belongs to: the tool, plugin,
// run, call and origin of every question about a page that the call opens and
// about its frames, so that of two calls that open pages at once neither has
// what the other was granted. It is zero outside of a call.
func subjectOf(ctx context.Context) policy.Request {
	c, _ := tool.CallerFrom(ctx)
	return policy.Request{
		Origin: plan.Origin(c.Origin), Tool: c.Tool, Effect: string(c.Effect), Plugin: c.Plugin, Run: c.RunID, Call: c.CallID,
	}
}

// subject is for whom the page of a frame was opened; zero for what belongs to
// no page that is known, such as a worker that several share.
func (ts *tabList) subject(frame proto.PageFrameID) policy.Request {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.byTarget[proto.TargetTargetID(frame)]
	if t == nil {
		t = ts.byFrame[frame]
	}
	if t == nil {
		return policy.Request{}
	}
	return t.as
}

// addFrame adds a frame within a page, before it loads anything.
func (ts *tabList) addFrame(t *Tab, frame proto.PageFrameID) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.byFrame[frame] = t
}

// removeFrame removes a frame. One that moves to a process of its own stays.
func (ts *tabList) removeFrame(e *proto.PageFrameDetached) {
	if e.Reason == proto.PageFrameDetachedReasonSwap {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.byFrame, e.FrameID)
}
