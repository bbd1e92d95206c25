package page

import (
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
	"errand/host/browser/document"
)

// watchParts has Chromium announce and pause what belongs to a target and runs
// beside it: frames of other sites and workers of its own. Their requests are
// paused by Fetch on the root session anyway; what only a session of their own
// tells of is their WebSockets. Workers that several pages share belong to
// none, and are announced to the browser's own session.
var watchParts = proto.TargetSetAutoAttach{
	AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
	Filter: proto.TargetTargetFilter{{Type: "iframe"}, {Type: "worker"}, {Exclude: true}},
}

// partPatience is how long an answer of a paused part is waited for. A service
// worker gives none before it runs, and need not: what is sent to a part takes
// effect in its order.
const partPatience = 100 * time.Millisecond

// watchPart watches a part that was announced, with its own parts, and lets it
// run. One that can't be watched runs all the same, and has the sockets that
// the proxy opens without being told: no page stands still for it.
func (b *Browser) watchPart(e *proto.TargetAttachedToTarget) {
	go func() {
		to := b.to(b.life, e.SessionID, partPatience)
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

// addPart adds a frame of another site. It ignores workers: no action is about them.
func (ts *tabList) addPart(e *proto.TargetAttachedToTarget, parent proto.TargetSessionID) {
	if e.TargetInfo.Type != "iframe" {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.bySession[parent]
	if p, known := ts.parts[parent]; t == nil && known { // a frame within a frame of another site
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
