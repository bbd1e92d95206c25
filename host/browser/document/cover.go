package document

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
)

// HideSecret marks the content of the row of fields from this one on as secret. Reading a
// single field doesn't reveal it either.
func (e *Element) HideSecret(ctx context.Context) error {
	list, err := e.Frame.Invoke(ctx, e.Object, false, "function () { return errand.cover.call(this) }")
	if err != nil {
		return err
	}
	boxes, err := e.Frame.items(ctx, list.Result.Object)
	if err != nil {
		return err
	}
	t := e.Frame.Doc
	if t.secretFields == nil {
		t.secretFields = map[secretField]bool{}
	}
	for _, o := range boxes {
		node, err := proto.DOMDescribeNode{ObjectID: o}.Call(e.Frame.Call(ctx))
		if err != nil {
			return WrapReplaced(err)
		}
		t.secretFields[secretField{e.Frame.ID, node.Node.BackendNodeID}] = true
	}
	return nil
}

// secretField is a field with a part of a secret.
type secretField struct {
	frame   proto.PageFrameID
	backend proto.DOMBackendNodeID
}

// hideSecrets removes the content of secret fields from the frame's tree.
func (f *Frame) hideSecrets(root *axtree.Node) {
	for c := range f.Doc.secretFields {
		if n := root.Find(string(f.ID), int64(c.backend)); c.frame == f.ID && n != nil && n.Value != "" {
			n.Value, n.Children = "•", nil
		}
	}
}
