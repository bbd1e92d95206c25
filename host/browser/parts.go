package browser

import (
	"time"

	"github.com/go-rod/rod/lib/proto"
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
		to := session{b: b, ctx: b.life, id: e.SessionID, limit: partPatience}
		none := 0
		_ = proto.NetworkEnable{MaxTotalBufferSize: &none, MaxResourceBufferSize: &none}.Call(to)
		_ = watchParts.Call(to)
		_ = b.intercept(to)
		to.limit = callTimeout
		_ = proto.RuntimeRunIfWaitingForDebugger{}.Call(to)
	}()
}
