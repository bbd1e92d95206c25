package page

import (
	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
)

// primeSockets has the browser learn the credentials of the proxy for WebSockets, from a request
// that leaves the empty page as it is. If it fails, WebSockets don't open.
func primeSockets(t *Tab) {
	check := t.Browser.opts.Proxy.Check()
	if check == "" || t.Browser.attached != nil {
		return
	}
	frame := proto.PageFrameID(t.ID)
	t.Browser.priming.Store(&frame)
	defer t.Browser.priming.Store(nil)
	_, _ = proto.PageNavigate{URL: check}.Call(t.Call(t.Browser.life, chromium.CallTimeout))
	t.update(func(s *state) { s.status, s.leaving, s.departed = 0, false, false })
}

// isPriming reports whether a frame makes the request of primeSockets.
func isPriming(b *Browser, frame proto.PageFrameID) bool {
	f := b.priming.Load()
	return f != nil && *f == frame
}
