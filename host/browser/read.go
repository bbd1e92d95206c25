package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
)

// page is the page's accessibility tree with those of its frames in their
// places. unread counts frames that could not be read.
func (d *document) tree(ctx context.Context) (root *axtree.Node, of map[string]*frame, unread int, err error) {
	all, err := d.frames(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	of, unread = map[string]*frame{}, d.lost
	roots := map[*frame]*axtree.Node{}
	for _, f := range all {
		n, _, err := f.tree(ctx)
		if err != nil {
			if f.parent == nil || ctx.Err() != nil {
				return nil, nil, 0, err
			}
			unread++
			continue
		}
		if f.parent == nil {
			root = n
		}
		if root != nil && n.Cut {
			root.Cut = true
		}
		if f.parent != nil && !f.place(ctx, n, roots[f.parent]) {
			unread++
			continue
		}
		roots[f], of[string(f.id)] = n, f
	}
	return root, of, unread, nil
}

// place puts the frame's tree below the node of its iframe in its parent's.
func (f *frame) place(ctx context.Context, n, in *axtree.Node) bool {
	if in == nil {
		return false
	}
	owner, err := proto.DOMGetFrameOwner{FrameID: f.id}.Call(f.parent.call(ctx))
	if err != nil {
		return false
	}
	at := in.Find(string(f.parent.id), int64(owner.BackendNodeID))
	if at == nil || at.Hidden {
		return true // an iframe that nobody sees: its content is not seen either
	}
	at.Place(n)
	return true
}

// Snapshot is a page as text.
type Snapshot struct {
	Text   string
	Nodes  int
	Cut    bool // there was more than fits
	Unread int  // frames that could not be read
}

// snapshot prints the page, or what a locator names of it, and names its
// elements for later.
func (d *document) outline(ctx context.Context, l *locator.Locator, depth, maxBytes int) (Snapshot, error) {
	root, of, unread, err := d.tree(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	whole := root
	if l != nil {
		e, err := d.find(ctx, *l)
		if err == nil {
			err = e.learn(ctx)
		}
		if err != nil {
			return Snapshot{}, err
		}
		if n := root.Find(string(e.frame.id), int64(e.backend)); n != nil {
			root = n
		}
	}
	d.refs.begin()
	s := Snapshot{Unread: unread}
	root.Walk(func(n *axtree.Node) bool { s.Nodes++; return true })
	s.Text, s.Cut = axtree.Print(root, axtree.PrintOptions{Depth: depth, MaxBytes: maxBytes, Ref: func(n *axtree.Node) string {
		return d.refs.add(of[n.Frame], n)
	}})
	s.Cut = s.Cut || whole.Cut
	return s, nil
}
