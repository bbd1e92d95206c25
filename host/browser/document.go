package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// document is what a page shows: its frames, the elements in them and their
// names. It belongs to whoever holds the page's turn, and to one goroutine at a
// time.
type document struct {
	host    host
	id      proto.TargetTargetID // of the page, and of its top frame
	session proto.TargetSessionID

	refs    refs // of its snapshots
	worlds  map[proto.PageFrameID]world
	covered map[covered]bool
	lost    int      // frames that could not be asked for theirs
	sighted sighting // by the act before

	// Of the action under way.
	acts    int      // how many there were, this one included
	group   string   // of the page's objects that it holds
	sources []string // hosts of the documents that it met
	secrets []string // that were given to controls which hide them
}

// host is the page that shows a document.
type host interface {
	// To makes calls to a session of the page, each within limit.
	To(ctx context.Context, id proto.TargetSessionID, limit time.Duration) session
	// Parts lists the frames of other sites.
	Parts() []*part
	// InFront reports whether the page is in front, where it paints.
	InFront() bool
}

func newDocument(h host, id proto.TargetTargetID, session proto.TargetSessionID) *document {
	return &document{host: h, id: id, session: session}
}

// call makes calls to the page, each within limit.
func (d *document) call(ctx context.Context, limit time.Duration) session {
	return d.host.To(ctx, d.session, limit)
}

// topFrame is the page's own frame, with the document that it shows by a loader.
func (d *document) topFrame(loader proto.NetworkLoaderID) *frame {
	return &frame{doc: d, id: proto.PageFrameID(d.id), session: d.session, loader: loader}
}

// begin starts an action: what the last one held is forgotten.
func (d *document) begin() {
	d.sources, d.secrets = nil, nil
	d.acts++
	d.group = fmt.Sprintf("errand-%d", d.acts)
}

// letGo lets the page forget the objects that the action held. It does not wait.
func (d *document) letGo(life context.Context) {
	group, sessions := d.group, []proto.TargetSessionID{d.session}
	for _, p := range d.host.Parts() {
		sessions = append(sessions, p.session)
	}
	go func() {
		for _, id := range sessions {
			_ = proto.RuntimeReleaseObjectGroup{ObjectGroup: group}.Call(d.host.To(life, id, callTimeout))
		}
	}()
}
