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
	frame   proto.PageFrameID // its target's id as well
	session proto.TargetSessionID
	hung    bool // it did not answer; for who holds the page's turn
}

// frame is one frame of a page, the page itself included: where it is, and
// through which session it is reached.
type frame struct {
	doc     *document
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
	if f.session != f.doc.session {
		limit = partTimeout
	}
	return f.doc.host.To(ctx, f.session, limit)
}

// frames lists the page's frames, parents before children, the page itself
// first.
func (d *document) frames(ctx context.Context) ([]*frame, error) {
	tree, err := proto.PageGetFrameTree{}.Call(d.call(ctx, callTimeout))
	if err != nil {
		return nil, err
	}
	all := d.gather(nil, tree.FrameTree, nil, d.session)
	var waiting []*proto.PageFrameTree
	via := map[*proto.PageFrameTree]proto.TargetSessionID{}
	d.lost = 0
	for _, p := range d.host.Parts() {
		if p.hung { // asked once, and that took long enough
			d.lost++
			continue
		}
		to := d.host.To(ctx, p.session, partTimeout)
		sub, err := (proto.PageGetFrameTree{}).Call(to)
		if err != nil || sub.FrameTree == nil || sub.FrameTree.Frame == nil {
			p.hung = errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
			d.lost++
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
				all, again = d.gather(all, sub, all[at], via[sub]), true
			}
			return at >= 0
		})
	}
	for _, f := range all {
		d.spokeFor(f.url)
	}
	return all, ctx.Err()
}

// maxSources is how many hosts an action's result names.
const maxSources = 20

// spokeFor notes whose words the action under way may hand on.
func (d *document) spokeFor(rawURL string) {
	u, err := url.Parse(rawURL)
	if err == nil && u.Hostname() != "" && len(d.sources) < maxSources && !slices.Contains(d.sources, u.Hostname()) {
		d.sources = append(d.sources, u.Hostname())
	}
}

func (d *document) gather(all []*frame, tree *proto.PageFrameTree, parent *frame, via proto.TargetSessionID) []*frame {
	if tree == nil || tree.Frame == nil {
		return all
	}
	f := &frame{
		doc: d, id: tree.Frame.ID, loader: tree.Frame.LoaderID, url: tree.Frame.URL + tree.Frame.URLFragment,
		session: via, parent: parent,
	}
	all = append(all, f)
	for _, child := range tree.ChildFrames {
		all = d.gather(all, child, f, via)
	}
	return all
}

// top is the page's own frame.
func (d *document) top(ctx context.Context) (*frame, error) {
	all, err := d.frames(ctx)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// owner is the iframe that the frame stands in.
func (f *frame) owner(ctx context.Context) (*element, error) {
	owner, err := proto.DOMGetFrameOwner{FrameID: f.id}.Call(f.parent.call(ctx))
	if err != nil {
		return nil, replaced(err)
	}
	return f.parent.element(ctx, owner.BackendNodeID, "iframe", "")
}
