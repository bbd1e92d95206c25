package initiator

import (
	"net/url"
	"strings"
	"sync"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/policy"
)

// Documents has the documents that the frames of all pages show, according to the events of the
// pages. It is safe for concurrent use.
type Documents struct {
	mu   sync.Mutex
	byID map[proto.PageFrameID]frameDocument
}

// NewDocuments returns Documents without any frame.
func NewDocuments() *Documents {
	return &Documents{byID: map[proto.PageFrameID]frameDocument{}}
}

// frameDocument is the document of a frame.
type frameDocument struct {
	parent proto.PageFrameID // "" for the main frame
	page   string            // URL of its document or of the document that wrote it; [policy.UnknownPage] in another process
}

// Add records the empty document of a new frame, which counts as its parent's.
func (ds *Documents) Add(e *proto.PageFrameAttached) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	ds.byID[e.FrameID] = frameDocument{e.ParentFrameID, Known(ds.byID[e.ParentFrameID].page)}
}

// Set records a frame's new document.
func (ds *Documents) Set(f *proto.PageFrame) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	from := f.URL
	switch {
	case strings.HasPrefix(f.URL, "about:srcdoc"): // only its parent writes it
		from = ds.byID[f.ParentID].page
	case f.URL == "about:blank": // Chromium reports no origin; the frame or its creator empties it
		from = ds.byID[f.ID].page
	case address.Origin(f.URL) == "":
		from = f.SecurityOrigin
	}
	ds.byID[f.ID] = frameDocument{f.ParentID, Known(from)}
}

// Detach removes a frame. A frame that moves to another process stays, with an unknown document.
func (ds *Documents) Detach(frame proto.PageFrameID, moves bool) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if moves {
		ds.byID[frame] = frameDocument{ds.byID[frame].parent, policy.UnknownPage}
		return
	}
	delete(ds.byID, frame)
}

// SameOrigin reports whether two frames show documents of the same known origin.
func (ds *Documents) SameOrigin(a, b proto.PageFrameID) bool {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	origin := address.Origin(ds.byID[a].page)
	return origin != "" && origin == address.Origin(ds.byID[b].page)
}

// Page returns the document of a frame, or [policy.UnknownPage].
func (ds *Documents) Page(frame proto.PageFrameID) string {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return Known(ds.byID[frame].page)
}

// Navigator returns the document that navigates a frame: its own, or that of a frame around it.
// If several are possible, it returns the first one of another origin than rawURL.
func (ds *Documents) Navigator(frame proto.PageFrameID, rawURL string) (page string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for id := frame; id != ""; {
		d := ds.byID[id]
		if page = Known(d.page); address.Origin(page) != address.Origin(rawURL) {
			break
		}
		id = d.parent
	}
	return page
}

// SocketPage returns the document of a WebSocket of a page with the main frame top. The event
// does not name the frame that opens it, so every frame of the page in that process must have the
// socket's origin.
func (ds *Documents) SocketPage(u *url.URL, top proto.PageFrameID) string {
	own := strings.Replace(address.Origin(u.String()), "ws", "http", 1)
	ds.mu.Lock()
	defer ds.mu.Unlock()
	page := Known(ds.byID[top].page)
	for id, d := range ds.byID {
		if ds.topOf(id) == top && d.page != policy.UnknownPage && address.Origin(d.page) != own {
			page = d.page
		}
	}
	return page
}

func (ds *Documents) topOf(id proto.PageFrameID) proto.PageFrameID {
	for ds.byID[id].parent != "" {
		id = ds.byID[id].parent
	}
	return id
}
