package browser

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// part is a frame of another site, which Chromium runs in a process of its own
// and speaks of in a session of its own.
type part struct {
	tab     *tab
	frame   proto.PageFrameID // its target's id as well
	session proto.TargetSessionID
	hung    bool // it did not answer; for who holds the page's turn
}

// partAttached is told of a part. Workers are none that anybody acts on.
func (ts *tabs) partAttached(e *proto.TargetAttachedToTarget, parent proto.TargetSessionID) {
	if e.TargetInfo.Type != "iframe" {
		return
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.bySession[parent]
	if p := ts.parts[parent]; t == nil && p != nil { // a frame within a frame of another site
		t = p.tab
	}
	if t != nil {
		frame := proto.PageFrameID(e.TargetInfo.TargetID)
		ts.parts[e.SessionID] = &part{tab: t, frame: frame, session: e.SessionID}
		ts.byFrame[frame] = t
	}
}

func (ts *tabs) detached(e *proto.TargetDetachedFromTarget) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.parts, e.SessionID)
}

// partsOf lists the parts of a page.
func (ts *tabs) partsOf(t *tab) []*part {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	var found []*part
	for _, p := range ts.parts {
		if p.tab == t {
			found = append(found, p)
		}
	}
	return found
}

// frame is one frame of a page, the page itself included: where it is, and
// through which session it is reached.
type frame struct {
	tab     *tab
	id      proto.PageFrameID
	loader  proto.NetworkLoaderID // its document
	url     string
	session proto.TargetSessionID
	parent  *frame // nil: the page itself
}

// partTimeout bounds a call to a frame of another site. One that hangs is left out
// of what is looked at, and holds up nobody for long.
const partTimeout = 2 * time.Second

func (f *frame) call(ctx context.Context) session {
	limit := callTimeout
	if f.session != f.tab.session {
		limit = partTimeout
	}
	return session{b: f.tab.b, ctx: ctx, id: f.session, limit: limit}
}

// frames lists the page's frames, parents before children, the page itself
// first.
func (t *tab) frames(ctx context.Context) ([]*frame, error) {
	tree, err := proto.PageGetFrameTree{}.Call(t.call(ctx, callTimeout))
	if err != nil {
		return nil, err
	}
	all := t.gather(nil, tree.FrameTree, nil, t.session)
	var waiting []*proto.PageFrameTree
	via := map[*proto.PageFrameTree]proto.TargetSessionID{}
	t.lost = 0
	for _, p := range t.b.tabs.partsOf(t) {
		if p.hung { // asked once, and that took long enough
			t.lost++
			continue
		}
		to := session{b: t.b, ctx: ctx, id: p.session, limit: partTimeout}
		sub, err := (proto.PageGetFrameTree{}).Call(to)
		if err != nil || sub.FrameTree == nil || sub.FrameTree.Frame == nil {
			p.hung = errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
			t.lost++
			continue
		}
		waiting = append(waiting, sub.FrameTree)
		via[sub.FrameTree] = p.session
	}
	for again := true; again; { // a part may stand in another
		again = false
		waiting = slices.DeleteFunc(waiting, func(sub *proto.PageFrameTree) bool {
			at := slices.IndexFunc(all, func(f *frame) bool { return f.id == sub.Frame.ParentID })
			if at >= 0 {
				all, again = t.gather(all, sub, all[at], via[sub]), true
			}
			return at >= 0
		})
	}
	for _, f := range all {
		t.spokeFor(f.url)
	}
	return all, ctx.Err()
}

// maxSources is how many hosts an action's result names.
const maxSources = 20

// spokeFor notes whose words the action under way may hand on.
func (t *tab) spokeFor(rawURL string) {
	u, err := url.Parse(rawURL)
	if err == nil && u.Hostname() != "" && len(t.sources) < maxSources && !slices.Contains(t.sources, u.Hostname()) {
		t.sources = append(t.sources, u.Hostname())
	}
}

func (t *tab) gather(all []*frame, tree *proto.PageFrameTree, parent *frame, via proto.TargetSessionID) []*frame {
	if tree == nil || tree.Frame == nil {
		return all
	}
	f := &frame{
		tab: t, id: tree.Frame.ID, loader: tree.Frame.LoaderID, url: tree.Frame.URL + tree.Frame.URLFragment,
		session: via, parent: parent,
	}
	all = append(all, f)
	for _, child := range tree.ChildFrames {
		all = t.gather(all, child, f, via)
	}
	return all
}
