package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/policy"
)

type subjectKey struct{}

// As is a context in which [Browser.Open] opens a page for somebody: the tool,
// plugin, run, call and origin of every question about that page and its frames,
// so that of two calls that open pages at once neither has what the other was
// granted.
func As(ctx context.Context, subject policy.Request) context.Context {
	return context.WithValue(ctx, subjectKey{}, subject)
}

// Subject is for whom a context opens pages; zero where nobody said.
func Subject(ctx context.Context) policy.Request {
	s, _ := ctx.Value(subjectKey{}).(policy.Request)
	return policy.Request{Origin: s.Origin, Tool: s.Tool, Effect: s.Effect, Plugin: s.Plugin, Run: s.Run, Call: s.Call}
}

// subject is for whom the page of a frame was opened; zero for what belongs to
// no page that is known, such as a worker that several share.
func (ts *tabs) subject(frame proto.PageFrameID) policy.Request {
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

// frameAttached is told of a frame within a page, before it loads anything.
func (ts *tabs) frameAttached(t *tab, frame proto.PageFrameID) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.byFrame[frame] = t
}

// frameDetached is told that a frame is gone. One that moves to a process of its
// own is not.
func (ts *tabs) frameDetached(e *proto.PageFrameDetached) {
	if e.Reason == proto.PageFrameDetachedReasonSwap {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.byFrame, e.FrameID)
}
