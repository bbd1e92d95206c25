package document

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
)

// Part is a frame of another site. Chromium runs it in a separate process and reports its
// events in a separate session.
type Part struct {
	Frame   proto.PageFrameID // also the id of its target
	Session proto.TargetSessionID
	hung    bool // it did not respond; only for the holder of the page's turn
}

// Frame is one frame of a page, possibly the main frame: its place, and the session for
// calls to it.
type Frame struct {
	Doc     *Document
	ID      proto.PageFrameID
	loader  proto.NetworkLoaderID // its document
	URL     string
	session proto.TargetSessionID
	Parent  *Frame // nil for the main frame

	security string // the origin of its document, as Chromium serializes it
}

// Origin returns the URL of the document that the frame's content is from: its own URL, or
// for content without one, such as that of srcdoc and about:blank, the origin that wrote it.
// It is "" if that is unknown, as for data: documents.
func (f *Frame) Origin() string {
	switch {
	case isWeb(f.URL):
		return f.URL
	case strings.HasPrefix(f.URL, "about:srcdoc") && f.Parent != nil: // only the parent writes it
		return f.Parent.Origin()
	case f.URL == "" && f.Parent != nil: // still empty
		return f.Parent.Origin()
	case isWeb(f.security): // any frame may navigate to about:blank, so the parent doesn't count
		return f.security + "/"
	}
	return ""
}

// HasSameDocument reports whether another frame is this one with the same document.
func (f *Frame) HasSameDocument(other *Frame) bool {
	return f.ID == other.ID && f.loader == other.loader
}

func isWeb(rawURL string) bool {
	u, err := url.Parse(rawURL)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// partTimeout limits a call to a frame of another site. Searches skip a frame that hangs.
const partTimeout = 2 * time.Second

func (f *Frame) Call(ctx context.Context) chromium.Session {
	limit := chromium.CallTimeout
	if f.session != f.Doc.Session {
		limit = partTimeout
	}
	return f.Doc.host.To(ctx, f.session, limit)
}

// Frames lists the page's frames, parents before children, the main frame first.
func (d *Document) Frames(ctx context.Context) ([]*Frame, error) {
	tree, err := proto.PageGetFrameTree{}.Call(d.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return nil, err
	}
	all := d.gather(nil, tree.FrameTree, nil, d.Session)
	var waiting []*proto.PageFrameTree
	via := map[*proto.PageFrameTree]proto.TargetSessionID{}
	d.unreadFrames = 0
	for _, p := range d.host.Parts() {
		if p.hung { // it was asked once and timed out
			d.unreadFrames++
			continue
		}
		to := d.host.To(ctx, p.Session, partTimeout)
		sub, err := (proto.PageGetFrameTree{}).Call(to)
		if err != nil || sub.FrameTree == nil || sub.FrameTree.Frame == nil {
			p.hung = errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
			d.unreadFrames++
			continue
		}
		waiting = append(waiting, sub.FrameTree)
		via[sub.FrameTree] = p.Session
	}
	for changed := true; changed; { // a part may be inside another part
		changed = false
		waiting = slices.DeleteFunc(waiting, func(sub *proto.PageFrameTree) bool {
			at := slices.IndexFunc(all, func(f *Frame) bool { return f.ID == sub.Frame.ParentID })
			if at >= 0 {
				all, changed = d.gather(all, sub, all[at], via[sub]), true
			}
			return at >= 0
		})
	}
	for _, f := range all {
		d.AddSource(f.URL)
	}
	return all, ctx.Err()
}

// maxSources is the maximum number of hosts in an action's result.
const maxSources = 20

// AddSource records a host whose text the current action may return.
func (d *Document) AddSource(rawURL string) {
	u, err := url.Parse(rawURL)
	if err == nil && u.Hostname() != "" && len(d.Sources) < maxSources && !slices.Contains(d.Sources, u.Hostname()) {
		d.Sources = append(d.Sources, u.Hostname())
	}
}

func (d *Document) gather(all []*Frame, tree *proto.PageFrameTree, parent *Frame, via proto.TargetSessionID) []*Frame {
	if tree == nil || tree.Frame == nil {
		return all
	}
	f := &Frame{
		Doc: d, ID: tree.Frame.ID, loader: tree.Frame.LoaderID, URL: tree.Frame.URL + tree.Frame.URLFragment,
		session: via, Parent: parent, security: tree.Frame.SecurityOrigin,
	}
	all = append(all, f)
	for _, child := range tree.ChildFrames {
		all = d.gather(all, child, f, via)
	}
	return all
}

// TopOrigin returns [Frame.Origin] of the main frame. It doesn't list the other frames.
func (d *Document) TopOrigin(ctx context.Context) (string, error) {
	tree, err := proto.PageGetFrameTree{}.Call(d.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return "", err
	}
	if all := d.gather(nil, tree.FrameTree, nil, d.Session); len(all) > 0 {
		return all[0].Origin(), nil
	}
	return "", nil
}

// Top returns the main frame.
func (d *Document) Top(ctx context.Context) (*Frame, error) {
	all, err := d.Frames(ctx)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Focus is what has the focus of a page.
type Focus struct {
	Frame *Frame
	Kind  string // "text", "control", "frame" for a frame that doesn't respond, or "none"
}

// Focused returns what has the focus of the page, and has its document listen for a key.
func (d *Document) Focused(ctx context.Context) (Focus, error) {
	all, err := d.Frames(ctx)
	if err != nil {
		return Focus{}, err
	}
	at := Focus{all[0], "none"}
	for _, f := range all { // parents before children: the last one has it
		var is struct {
			Has  bool
			Kind string
		}
		switch err := f.Run(ctx, "", &is, "focused"); {
		case err != nil && f.Parent == nil:
			return Focus{}, err
		case err == nil && (is.Has || f.Parent == nil):
			at = Focus{f, is.Kind}
		}
	}
	return at, ctx.Err()
}

// Owner returns the iframe element of the frame.
func (f *Frame) Owner(ctx context.Context) (*Element, error) {
	owner, err := proto.DOMGetFrameOwner{FrameID: f.ID}.Call(f.Parent.Call(ctx))
	if err != nil {
		return nil, WrapReplaced(err)
	}
	return f.Parent.element(ctx, owner.BackendNodeID, "iframe", "")
}
