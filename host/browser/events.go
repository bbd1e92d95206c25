package browser

import (
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"
)

// on reads an event as f wants it and calls f.
func on[E any](m *message, f func(*E)) {
	e := new(E)
	if json.Unmarshal(m.Params, e) == nil {
		f(e)
	}
}

// hear hands an event to who minds it. The goroutine that reads the pipe calls
// it, before it reads on: what an event tells is known before the answer to any
// call that the browser wrote after it. So it must never wait, neither for a
// call nor for a note to be taken.
func (b *Browser) hear(e *message) {
	switch e.Method {
	case (proto.FetchRequestPaused{}).ProtoEvent():
		on(e, func(p *proto.FetchRequestPaused) { b.gate.paused(e.SessionID, p) })
	case (proto.FetchAuthRequired{}).ProtoEvent():
		on(e, b.gate.challenged)
	case (proto.TargetAttachedToTarget{}).ProtoEvent():
		on(e, func(a *proto.TargetAttachedToTarget) { b.tabs.attached(a, e.SessionID) })
	case (proto.TargetDetachedFromTarget{}).ProtoEvent():
		on(e, b.tabs.detached)
	case (proto.TargetTargetCreated{}).ProtoEvent():
		on(e, b.tabs.created)
	case (proto.TargetTargetInfoChanged{}).ProtoEvent():
		on(e, b.tabs.infoChanged)
	case (proto.TargetTargetDestroyed{}).ProtoEvent():
		on(e, b.tabs.destroyed)
	case (proto.TargetTargetCrashed{}).ProtoEvent():
		on(e, b.tabs.crashed)
	case (proto.BrowserDownloadWillBegin{}).ProtoEvent():
		on(e, b.tabs.downloading)
	case (proto.BrowserDownloadProgress{}).ProtoEvent():
		on(e, b.downloads.progressed)
	case (proto.NetworkWebSocketCreated{}).ProtoEvent(): // of a page, or of a part of one
		on(e, func(e *proto.NetworkWebSocketCreated) { b.gate.socket(e.URL) })
	default:
		if t := b.tabs.ofSession(e.SessionID); t != nil {
			t.handle(e)
		}
	}
}
