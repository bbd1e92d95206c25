package page

import (
	"net/url"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/initiator"
	"errand/policy"
)

// pageOf returns the URL of the document that makes a paused request: "" for a page that
// Errand opens, [policy.UnknownPage] for an unknown one. It returns the first one of another
// origin, if several could have made it.
func (g *gate) pageOf(e *proto.FetchRequestPaused, u *url.URL, top bool) string {
	if !initiator.IsPrivate(u) {
		return ""
	}
	for name, v := range e.Request.Headers {
		if from := v.Str(); (strings.EqualFold(name, "Origin") || strings.EqualFold(name, "Referer")) && address.Origin(from) != address.Origin(e.Request.URL) {
			return initiator.Known(from)
		}
	}
	t := g.b.tabs.ofFrame(e.FrameID)
	switch {
	case t == nil:
		return policy.UnknownPage
	case top && e.Request.Method == "GET" && takeRequested(t, e.Request.URL):
		return ""
	case e.ResourceType == proto.NetworkResourceTypeDocument:
		return g.b.tabs.documents.Navigator(e.FrameID, e.Request.URL)
	}
	return initiator.Known(g.requests.Find(g.b.life, proto.NetworkRequestID(e.NetworkID)))
}

// socketPage returns the document of a session's WebSocket.
func (g *gate) socketPage(from proto.TargetSessionID, u *url.URL) string {
	if !initiator.IsPrivate(u) {
		return ""
	}
	t := g.b.tabs.ofSession(from)
	if t == nil { // a worker's, or that of a frame of another site
		return policy.UnknownPage
	}
	return g.b.tabs.documents.SocketPage(u, proto.PageFrameID(t.ID))
}

// takeRequested reports, once, whether Errand opens a URL in a page. Only Errand opens one in
// a page that is still empty, where Chromium may spell it differently.
func takeRequested(t *Tab, rawURL string) (is bool) {
	t.update(func(s *state) {
		if is = s.requested != "" && (s.requested == initiator.WithoutFragment(rawURL) || s.loader == "" || s.loader == s.blank); is {
			s.requested = ""
		}
	})
	return is
}
