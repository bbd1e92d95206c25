package page

import (
	"encoding/json"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
)

// decodeEvent decodes an event's parameters and calls f with them.
func decodeEvent[E any](m *chromium.Message, f func(*E)) {
	e := new(E)
	if json.Unmarshal(m.Params, e) == nil {
		f(e)
	}
}

// handleEvent passes an event to its handler. The reader of the connection calls it before
// it reads the next message, so that events take effect before later responses. It must
// never block, neither on a call nor on a note.
func (b *Browser) handleEvent(e *chromium.Message) {
	switch e.Method {
	case (proto.FetchRequestPaused{}).ProtoEvent():
		decodeEvent(e, func(p *proto.FetchRequestPaused) { b.gate.handlePaused(e.SessionID, p) })
	case (proto.FetchAuthRequired{}).ProtoEvent():
		decodeEvent(e, b.gate.handleAuth)
	case (proto.TargetAttachedToTarget{}).ProtoEvent():
		decodeEvent(e, func(a *proto.TargetAttachedToTarget) { b.tabs.handleAttached(a, e.SessionID) })
	case (proto.TargetDetachedFromTarget{}).ProtoEvent():
		decodeEvent(e, b.tabs.handleDetached)
	case (proto.TargetTargetCreated{}).ProtoEvent():
		decodeEvent(e, b.tabs.handleCreated)
	case (proto.TargetTargetInfoChanged{}).ProtoEvent():
		decodeEvent(e, b.tabs.handleInfo)
	case (proto.TargetTargetDestroyed{}).ProtoEvent():
		decodeEvent(e, b.tabs.handleDestroyed)
	case (proto.TargetTargetCrashed{}).ProtoEvent():
		decodeEvent(e, b.tabs.handleCrash)
	case (proto.BrowserDownloadWillBegin{}).ProtoEvent():
		decodeEvent(e, b.tabs.handleDownload)
	case (proto.BrowserDownloadProgress{}).ProtoEvent():
		decodeEvent(e, b.downloads.HandleProgress)
	case (proto.NetworkWebSocketCreated{}).ProtoEvent(): // of a page, or of a part of one
		decodeEvent(e, func(c *proto.NetworkWebSocketCreated) { b.gate.handleSocket(e.SessionID, c.URL) })
	case (proto.NetworkRequestWillBeSent{}).ProtoEvent():
		decodeEvent(e, b.gate.requests.Add)
	default:
		if t := b.tabs.ofSession(e.SessionID); t != nil {
			t.handleEvent(e)
		}
	}
}
