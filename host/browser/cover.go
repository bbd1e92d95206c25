package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
)

// cover makes what is in the row of boxes from this one on a secret, also for
// who looks at it box by box.
func (e *element) cover(ctx context.Context) error {
	list, err := e.frame.invoke(ctx, e.object, false, "function () { return errand.cover.call(this) }")
	if err != nil {
		return err
	}
	boxes, err := e.frame.items(ctx, list.Result.Object)
	if err != nil {
		return err
	}
	t := e.frame.doc
	if t.covered == nil {
		t.covered = map[covered]bool{}
	}
	for _, o := range boxes {
		node, err := proto.DOMDescribeNode{ObjectID: o}.Call(e.frame.call(ctx))
		if err != nil {
			return replaced(err)
		}
		t.covered[covered{e.frame.id, node.Node.BackendNodeID}] = true
	}
	return nil
}

// covered is a field that holds a part of a secret.
type covered struct {
	frame   proto.PageFrameID
	backend proto.DOMBackendNodeID
}

// veil takes what covered fields hold out of their frame's tree.
func (f *frame) veil(root *axtree.Node) {
	for c := range f.doc.covered {
		if n := root.Find(string(f.id), int64(c.backend)); c.frame == f.id && n != nil && n.Value != "" {
			n.Value, n.Children = "•", nil
		}
	}
}
