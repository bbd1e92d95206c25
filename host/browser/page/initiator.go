package page

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/policy"
)

// Policy opens a private address to the user and to its own pages only, so that the gate
// has to know which document makes a request for one. For all other hosts it doesn't matter.

// isPrivate reports whether a URL is for an address that is not public.
func isPrivate(u *url.URL) bool {
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && policy.FloorAddr(a).Verdict != policy.Allow
}

// initiators has the documents that made the latest requests for private addresses.
type initiators struct {
	mu      sync.Mutex
	byID    *ring[proto.NetworkRequestID, string] // → URL of the document
	changed chan struct{}                         // closed and replaced with each change
}

func newInitiators() *initiators {
	return &initiators{byID: newRing[proto.NetworkRequestID, string](1024), changed: make(chan struct{})}
}

// sentRequest is Network.requestWillBeSent, as far as it is needed.
type sentRequest struct {
	RequestID   proto.NetworkRequestID `json:"requestId"`
	LoaderID    string                 `json:"loaderId"`
	DocumentURL string                 `json:"documentURL"`
	Request     struct {
		URL string `json:"url"`
	} `json:"request"`
}

// handleSent notes the document of a request. A navigation is no request of a document: its
// ids are the same, and it reports the document that it leads to.
func (is *initiators) handleSent(e *sentRequest) {
	u, err := url.Parse(e.Request.URL)
	if err != nil || !isPrivate(u) || string(e.RequestID) == e.LoaderID {
		return
	}
	from := strings.TrimPrefix(e.DocumentURL, "blob:") // a worker's
	if withoutFragment(from) == withoutFragment(e.Request.URL) {
		from = policy.UnknownPage // prefetches report their own URL
	}
	is.mu.Lock()
	defer is.mu.Unlock()
	is.byID.put(e.RequestID, from)
	close(is.changed)
	is.changed = make(chan struct{})
}

// initiatorPatience is how long the event about a paused request may take.
const initiatorPatience = time.Second

// find waits for the document of a request. It is UnknownPage if none is reported.
func (is *initiators) find(ctx context.Context, id proto.NetworkRequestID) string {
	ctx, cancel := context.WithTimeout(ctx, initiatorPatience)
	defer cancel()
	for {
		is.mu.Lock()
		from, ok := is.byID.get(id)
		changed := is.changed
		is.mu.Unlock()
		if ok {
			return from
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return policy.UnknownPage
		}
	}
}

func withoutFragment(rawURL string) string {
	before, _, _ := strings.Cut(rawURL, "#")
	return before
}

// initiator returns the URL of the document that makes a paused request: "" for a page that
// Errand opens, [policy.UnknownPage] for an unknown one. It returns the first one of another
// origin, if several could have made it.
func (g *gate) initiator(e *proto.FetchRequestPaused, u *url.URL, top bool) string {
	if !isPrivate(u) {
		return ""
	}
	for name, v := range e.Request.Headers {
		if from := v.Str(); (strings.EqualFold(name, "Origin") || strings.EqualFold(name, "Referer")) && address.Origin(from) != address.Origin(e.Request.URL) {
			return knownPage(from)
		}
	}
	t := g.b.tabs.ofFrame(e.FrameID)
	switch {
	case t == nil:
		return policy.UnknownPage
	case top && e.Request.Method == "GET" && t.takeRequested(e.Request.URL):
		return ""
	case e.ResourceType == proto.NetworkResourceTypeDocument:
		return g.b.tabs.navigator(e.FrameID, e.Request.URL)
	}
	return knownPage(g.initiators.find(g.b.life, proto.NetworkRequestID(e.NetworkID)))
}

func knownPage(rawURL string) string {
	if rawURL == "" {
		return policy.UnknownPage
	}
	return rawURL
}

// frameDocument is what a frame of a page shows.
type frameDocument struct {
	parent proto.PageFrameID // "" for the main frame
	page   string            // URL of its document or of what wrote it; [policy.UnknownPage] in another process
}

// addDocument notes the empty document of a new frame, which is its parent's.
func (ts *tabList) addDocument(e *proto.PageFrameAttached) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.documents[e.FrameID] = frameDocument{e.ParentFrameID, knownPage(ts.documents[e.ParentFrameID].page)}
}

// setDocument notes a frame's new document.
func (ts *tabList) setDocument(f *proto.PageFrame) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	from := f.URL
	switch {
	case strings.HasPrefix(f.URL, "about:srcdoc"): // only its parent writes it
		from = ts.documents[f.ParentID].page
	case address.Origin(f.URL) == "":
		from = f.SecurityOrigin
	}
	ts.documents[f.ID] = frameDocument{f.ParentID, knownPage(from)}
}

// navigator returns the document that navigates a frame: its own or one of those that it is
// in. It returns the first one of another origin than rawURL.
func (ts *tabList) navigator(frame proto.PageFrameID, rawURL string) (page string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for id := frame; id != ""; {
		d := ts.documents[id]
		if page = knownPage(d.page); address.Origin(page) != address.Origin(rawURL) {
			break
		}
		id = d.parent
	}
	return page
}

// socketPage returns the document of a session's WebSocket. The event does not say which one
// of the session's frames opens it, so all of them have to be of its origin.
func (ts *tabList) socketPage(from proto.TargetSessionID, u *url.URL) string {
	if !isPrivate(u) {
		return ""
	}
	own := strings.Replace(address.Origin(u.String()), "ws", "http", 1)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.bySession[from]
	if t == nil { // a worker's, or that of a frame of another site
		return policy.UnknownPage
	}
	page := knownPage(ts.documents[proto.PageFrameID(t.ID)].page)
	for id, of := range ts.byFrame {
		if d := ts.documents[id]; of == t && d.page != policy.UnknownPage && address.Origin(d.page) != own {
			page = knownPage(d.page)
		}
	}
	return page
}
