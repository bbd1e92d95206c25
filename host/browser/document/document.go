package document

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
)

// Document is the content of a page. It belongs to the action that holds the page's turn
// and is not safe for concurrent use.
type Document struct {
	host    host
	ID      proto.TargetTargetID // of the page, and of its top frame
	Session proto.TargetSessionID

	Refs           refs // from its snapshots
	isolatedWorlds map[proto.PageFrameID]isolatedWorld
	secretFields   map[secretField]bool
	unreadFrames   int       // number of frames whose subframes could not be listed
	lastMatch      lastMatch // from the previous action

	// State of the current action.
	acts    int      // number of actions so far, including this one
	Group   string   // the group of the page's objects that the action holds
	Sources []string // hosts of the documents that the action read
	Secrets []string // values that were entered into password fields
}

// host is the page that contains a document.
type host interface {
	// To makes calls to a session of the page, each with a time limit.
	To(ctx context.Context, id proto.TargetSessionID, limit time.Duration) chromium.Session
	// Parts lists the frames of other sites.
	Parts() []*Part
	// InFront reports whether the page is in front and therefore painted.
	InFront() bool
}

func NewDocument(h host, id proto.TargetTargetID, session proto.TargetSessionID) *Document {
	return &Document{host: h, ID: id, Session: session}
}

// Call makes calls to the page, each with a time limit.
func (d *Document) Call(ctx context.Context, limit time.Duration) chromium.Session {
	return d.host.To(ctx, d.Session, limit)
}

// TopFrame returns the main frame with the document that has the given loader.
func (d *Document) TopFrame(loader proto.NetworkLoaderID) *Frame {
	return &Frame{Doc: d, ID: proto.PageFrameID(d.ID), session: d.Session, loader: loader}
}

// Begin starts an action and resets the state of the previous one.
func (d *Document) Begin() {
	d.Sources, d.Secrets = nil, nil
	d.acts++
	d.Group = fmt.Sprintf("errand-%d", d.acts)
}

// ReleaseElements releases the objects that the action held. It does not wait.
func (d *Document) ReleaseElements(life context.Context) {
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
