package page

import (
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
	"errand/host/browser/document"
)

// watchParts makes Chromium announce and pause related targets: frames of other sites and
// dedicated workers. Fetch on the root session pauses their requests anyway; only their
// own session reports their WebSockets. Shared workers are announced to the browser's
// session.
var watchParts = proto.TargetSetAutoAttach{
	AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
	Filter: proto.TargetTargetFilter{{Type: "iframe"}, {Type: "worker"}, {Exclude: true}},
}

// partPatience limits the wait for a response of a paused part. A service worker responds
// only after it runs. Calls to a part take effect in order, so a missing response is
// acceptable.
const partPatience = 100 * time.Millisecond

// watchPart sets up a new part with its own parts, and lets it run. A part whose setup
// fails runs anyway, with only the WebSockets that the proxy allows without admission, so
// that no page is blocked.
func (b *Browser) watchPart(e *proto.TargetAttachedToTarget) {
	go func() {
		to := b.bindSession(b.life, e.SessionID, partPatience)
		none := 0
		_ = proto.NetworkEnable{MaxTotalBufferSize: &none, MaxResourceBufferSize: &none}.Call(to)
		_ = watchParts.Call(to)
		_ = b.intercept(to)
		to.Limit = chromium.CallTimeout
		_ = proto.RuntimeRunIfWaitingForDebugger{}.Call(to)
	}()
}

// tabPart is a part of a tab.
type tabPart struct {
	tab  *Tab
	part *document.Part
}

// addPart adds a frame of another site. It ignores workers, because actions don't use
// them.
func (ts *tabList) addPart(e *proto.TargetAttachedToTarget, parent proto.TargetSessionID) {
	if e.TargetInfo.Type != "iframe" {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.bySession[parent]
	if p, known := ts.parts[parent]; t == nil && known { // a frame inside a frame of another site
		t = p.tab
	}
	if t != nil {
		frame := proto.PageFrameID(e.TargetInfo.TargetID)
		ts.parts[e.SessionID] = tabPart{t, &document.Part{Frame: frame, Session: e.SessionID}}
		ts.byFrame[frame] = t
	}
}

func (ts *tabList) handleDetached(e *proto.TargetDetachedFromTarget) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.parts, e.SessionID)
}

// partsOf lists the parts of a page.
func (ts *tabList) partsOf(t *Tab) []*document.Part {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	var found []*document.Part
	for _, p := range ts.parts {
		if p.tab == t {
			found = append(found, p.part)
		}
	}
	return found
}
