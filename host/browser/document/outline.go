package document

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
)

// Tree returns the page's accessibility tree including the trees of its frames. unread is
// the number of frames that could not be read.
func (d *Document) Tree(ctx context.Context) (root *axtree.Node, of map[string]*Frame, unread int, err error) {
	all, err := d.Frames(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	of, unread = map[string]*Frame{}, d.unreadFrames
	roots := map[*Frame]*axtree.Node{}
	for _, f := range all {
		n, _, err := f.Tree(ctx)
		if err != nil {
			if f.Parent == nil || ctx.Err() != nil {
				return nil, nil, 0, err
			}
			unread++
			continue
		}
		if f.Parent == nil {
			root = n
		}
		if root != nil && n.Cut {
			root.Cut = true
		}
		if f.Parent != nil && !f.place(ctx, n, roots[f.Parent]) {
			unread++
			continue
		}
		roots[f], of[string(f.ID)] = n, f
	}
	return root, of, unread, nil
}

// place inserts the frame's tree below its iframe's node in the parent's tree.
func (f *Frame) place(ctx context.Context, n, in *axtree.Node) bool {
	if in == nil {
		return false
	}
	owner, err := proto.DOMGetFrameOwner{FrameID: f.ID}.Call(f.Parent.Call(ctx))
	if err != nil {
		return false
	}
	at := in.Find(string(f.Parent.ID), int64(owner.BackendNodeID))
	if at == nil || at.Hidden {
		return true // a hidden iframe hides its content
	}
	at.Place(n)
	return true
}

// Snapshot is a page as text.
type Snapshot struct {
	Text   string
	Nodes  int
	Cut    bool // the text was truncated
	Unread int  // number of frames that could not be read
}

// Outline prints the page, or the part that a locator matches, and assigns refs to its
// elements.
func (d *Document) Outline(ctx context.Context, l *locator.Locator, depth, maxBytes int) (Snapshot, error) {
	root, of, unread, err := d.Tree(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	whole := root
	if l != nil {
		e, err := d.Find(ctx, *l)
		if err == nil {
			err = e.Describe(ctx)
		}
		if err != nil {
			return Snapshot{}, err
		}
		if n := root.Find(string(e.Frame.ID), int64(e.backend)); n != nil {
			root = n
		}
	}
	d.Refs.Begin()
	s := Snapshot{Unread: unread}
	root.Walk(func(n *axtree.Node) bool { s.Nodes++; return true })
	s.Text, s.Cut = axtree.Print(root, axtree.PrintOptions{Depth: depth, MaxBytes: maxBytes, Ref: func(n *axtree.Node) string {
		return d.Refs.Add(of[n.Frame], n)
	}})
	s.Cut = s.Cut || whole.Cut
	return s, nil
}
