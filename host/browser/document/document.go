package document

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
)

// Document is what a page shows: its frames, the elements in them and their
// names. It belongs to the action that holds the page's turn; one goroutine at a
// time may use it.
type Document struct {
	host    host
	ID      proto.TargetTargetID // of the page, and of its top frame
	Session proto.TargetSessionID

	Refs           refs // of its snapshots
	isolatedWorlds map[proto.PageFrameID]isolatedWorld
	secretFields   map[secretField]bool
	unreadFrames   int       // frames that could not be asked for theirs
	lastMatch      lastMatch // by the act before

	// Of the action under way.
	acts    int      // how many there were, this one included
	Group   string   // of the page's objects that it holds
	Sources []string // hosts of the documents that it met
	Secrets []string // that were given to controls which hide them
}

// host is the page that shows a document.
type host interface {
	// To makes calls to a session of the page, each within limit.
	To(ctx context.Context, id proto.TargetSessionID, limit time.Duration) chromium.Session
	// Parts lists the frames of other sites.
	Parts() []*Part
	// InFront reports whether the page is in front, where it paints.
	InFront() bool
}

func NewDocument(h host, id proto.TargetTargetID, session proto.TargetSessionID) *Document {
	return &Document{host: h, ID: id, Session: session}
}

// Call makes calls to the page, each within limit.
func (d *Document) Call(ctx context.Context, limit time.Duration) chromium.Session {
	return d.host.To(ctx, d.Session, limit)
}

// TopFrame is the page's own frame, with the document that it shows by a loader.
func (d *Document) TopFrame(loader proto.NetworkLoaderID) *Frame {
	return &Frame{Doc: d, ID: proto.PageFrameID(d.ID), session: d.Session, loader: loader}
}

// Begin starts an action: what the last one held is forgotten.
func (d *Document) Begin() {
	d.Sources, d.Secrets = nil, nil
	d.acts++
	d.Group = fmt.Sprintf("errand-%d", d.acts)
}

// LetGo lets the page forget the objects that the action held. It does not wait.
func (d *Document) LetGo(life context.Context) {
	group, sessions := d.Group, []proto.TargetSessionID{d.Session}
	for _, p := range d.host.Parts() {
		sessions = append(sessions, p.Session)
	}
	go func() {
		for _, id := range sessions {
			_ = proto.RuntimeReleaseObjectGroup{ObjectGroup: group}.Call(d.host.To(life, id, chromium.CallTimeout))
		}
	}()
}
