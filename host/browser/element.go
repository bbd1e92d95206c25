package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
)

// element is one element of a page, held by an object of our world.
type element struct {
	frame   *frame
	object  proto.RuntimeRemoteObjectID
	backend proto.DOMBackendNodeID
	role    string
	name    string
}

// String is the element for people: `button "Save"`.
func (e *element) String() string { return title(e.role, e.name) }

func title(role, name string) string {
	if role = strings.ToLower(role); role == "" {
		role = "element"
	}
	if name = locator.Collapse(name); name == "" {
		return role
	}
	return fmt.Sprintf("%s %q", role, clip(name))
}

// match is one of what a locator names, before it is held.
type match struct {
	frame  *frame
	node   *axtree.Node                // of the accessibility tree, or
	object proto.RuntimeRemoteObjectID // of the document
}

// find is the one element that a locator names now. Errors are *tool.Error with
// the code no_match where there is none, which time may mend, and ambiguous
// where there are several.
func (d *document) find(ctx context.Context, l locator.Locator) (*element, error) {
	e, err := d.findAny(ctx, l)
	if l.Is == nil {
		return e, err
	}
	return d.verify(ctx, *l.Is, e, err)
}

func (d *document) findAny(ctx context.Context, l locator.Locator) (*element, error) {
	if l.Ref != "" {
		return d.byRef(ctx, l.Ref)
	}
	if e := d.recall(ctx, l); e != nil {
		return e, nil
	}
	all, err := d.frames(ctx)
	if err != nil {
		return nil, err
	}
	found, err := d.matches(ctx, all, l)
	switch {
	case err != nil:
		return nil, err
	case l.Nth > len(found) && len(found) > 0:
		return nil, tool.Errorf(tool.ExecutionError, "no_match", "there are %d of %s and no match %d", len(found), plainly(l), l.Nth)
	case len(found) == 0:
		return nil, d.noMatch(l)
	case l.Nth > 0:
		return d.hold(ctx, found[l.Nth-1])
	case len(found) > 1:
		return nil, d.ambiguous(ctx, l, found)
	}
	d.remember(l, found[0])
	return d.hold(ctx, found[0])
}

func plainly(l locator.Locator) string {
	l.Nth = 0
	return l.String()
}

// matches lists what a locator names in the frames, in their order.
func (d *document) matches(ctx context.Context, all []*frame, l locator.Locator) ([]match, error) {
	if l.Frame != nil {
		var err error
		if all, err = d.framesIn(ctx, all, *l.Frame); err != nil {
			return nil, err
		}
	}
	var within *element
	if l.Within != nil {
		e, err := d.find(ctx, *l.Within)
		if err == nil {
			err = e.learn(ctx)
		}
		if err != nil {
			return nil, err
		}
		within = e
		all = slices.DeleteFunc(slices.Clone(all), func(f *frame) bool { return f.id != e.frame.id })
	}
	var found []match
	for _, f := range all {
		here, err := f.matches(ctx, l, within)
		if err != nil {
			if f.parent != nil && !errors.As(err, new(*tool.Error)) { // a frame that goes, or hangs, is none that anything is in
				continue
			}
			return nil, err
		}
		found = append(found, here...)
	}
	return found, ctx.Err()
}

// framesIn narrows frames down to the one that a locator names, and those in it.
func (d *document) framesIn(ctx context.Context, all []*frame, l locator.Locator) ([]*frame, error) {
	e, err := d.find(ctx, l)
	if err != nil {
		return nil, err
	}
	node, err := proto.DOMDescribeNode{ObjectID: e.object}.Call(e.frame.call(ctx))
	if err != nil {
		return nil, replaced(err)
	}
	at := slices.IndexFunc(all, func(f *frame) bool { return node.Node.FrameID != "" && f.id == node.Node.FrameID })
	if at < 0 {
		_ = e.learn(ctx) // for its name
		return nil, tool.Errorf(tool.ExecutionError, "not_a_frame", "%s is no frame, or one that can't be looked into", e).
			WithHint("frame takes the locator of an iframe")
	}
	var in []*frame
	for _, f := range all {
		for up := f; up != nil; up = up.parent {
			if up == all[at] {
				in = append(in, f)
				break
			}
		}
	}
	return in, nil
}

func (f *frame) matches(ctx context.Context, l locator.Locator, within *element) ([]match, error) {
	switch way := l.Way(); way {
	case "css", "test_id", "placeholder":
		return f.query(ctx, l, within)
	}
	if roles, known := axtree.Roles(l.Role); known && l.Way() == "role" {
		found, err := f.byRole(ctx, l, roles, within)
		if !errors.Is(err, errUnasked) {
			return found, err
		}
	}
	root, _, err := f.tree(ctx)
	if err != nil {
		return nil, err
	}
	if within != nil {
		if root = root.Find(string(f.id), int64(within.backend)); root == nil {
			return nil, tool.Errorf(tool.ExecutionError, "no_match", "%s has nothing in it that assistive technology sees", within)
		}
	}
	var found []match
	for _, n := range axtree.Match(root, l) {
		if n.Backend != 0 && (within == nil || n != root) {
			found = append(found, match{frame: f, node: n})
		}
	}
	return found, nil
}

// query looks in the document and its open shadow roots.
func (f *frame) query(ctx context.Context, l locator.Locator, within *element) ([]match, error) {
	var this proto.RuntimeRemoteObjectID
	if within != nil {
		this = within.object
	}
	wanted := map[string]string{"css": l.CSS, "test_id": l.TestID, "placeholder": l.Placeholder}[l.Way()]
	res, err := f.invoke(ctx, this, false, "function (...args) { return errand.query.apply(this, args) }", l.Way(), wanted, l.Exact)
	var thrown *scriptError
	if errors.As(err, &thrown) && l.Way() == "css" {
		return nil, tool.Errorf(tool.ValidationError, "bad_selector", "%q is no CSS selector", clip(l.CSS))
	}
	if err != nil {
		return nil, err
	}
	objects, err := f.items(ctx, res.Result.Object)
	if err != nil {
		return nil, err
	}
	found := make([]match, len(objects))
	for i, o := range objects {
		found[i] = match{frame: f, object: o}
	}
	return found, nil
}

// items are the objects of a list that a function of ours gave.
func (f *frame) items(ctx context.Context, list proto.RuntimeRemoteObjectID) ([]proto.RuntimeRemoteObjectID, error) {
	var props struct {
		Result []struct {
			Enumerable bool
			Value      struct {
				Object proto.RuntimeRemoteObjectID `json:"objectId"`
			}
		}
	}
	err := f.call(ctx).do("Runtime.getProperties", map[string]any{"objectId": list, "ownProperties": true}, &props)
	if err != nil {
		return nil, replaced(err)
	}
	var items []proto.RuntimeRemoteObjectID
	for _, p := range props.Result {
		if p.Enumerable && p.Value.Object != "" {
			items = append(items, p.Value.Object)
		}
	}
	return items, nil
}

// tree is the frame's accessibility tree.
func (f *frame) tree(ctx context.Context) (*axtree.Node, int, error) {
	to := f.call(ctx)
	b, err := to.Call(ctx, string(f.session), "Accessibility.getFullAXTree", map[string]any{"frameId": f.id})
	if err != nil {
		return nil, 0, replaced(err)
	}
	root, n, err := axtree.Read(b, string(f.id))
	if err == nil {
		f.veil(root)
	}
	return root, n, err
}

// hold makes an element of a match. What is said of one that was found in the
// document is left to learn.
func (d *document) hold(ctx context.Context, m match) (*element, error) {
	if m.node != nil {
		return m.frame.element(ctx, proto.DOMBackendNodeID(m.node.Backend), m.node.Role, m.node.Name)
	}
	return &element{frame: m.frame, object: m.object}, nil
}

// learn asks what assistive technology says of an element that was found in the
// document, where that is not known yet.
func (e *element) learn(ctx context.Context) error {
	if e.backend != 0 {
		return nil
	}
	res, err := proto.DOMDescribeNode{ObjectID: e.object}.Call(e.frame.call(ctx))
	if err != nil {
		return replaced(err)
	}
	e.backend = res.Node.BackendNodeID
	e.role, e.name, err = e.frame.spoken(ctx, e.backend)
	return err
}

// element holds a DOM node of the frame.
func (f *frame) element(ctx context.Context, backend proto.DOMBackendNodeID, role, name string) (*element, error) {
	in, err := f.world(ctx)
	if err != nil {
		return nil, err
	}
	var res struct {
		Object struct {
			ID proto.RuntimeRemoteObjectID `json:"objectId"`
		} `json:"object"`
	}
	err = f.call(ctx).do("DOM.resolveNode", map[string]any{"backendNodeId": backend, "executionContextId": in, "objectGroup": f.doc.group}, &res)
	if err != nil {
		if err = replaced(err); errors.Is(err, errReplaced) {
			f.forget()
		}
		return nil, err
	}
	return &element{frame: f, object: res.Object.ID, backend: backend, role: role, name: name}, nil
}

// spoken is a DOM node's role and name as assistive technology says them.
func (f *frame) spoken(ctx context.Context, backend proto.DOMBackendNodeID) (role, name string, err error) {
	b, err := f.call(ctx).Call(ctx, string(f.session), "Accessibility.getPartialAXTree", map[string]any{
		"backendNodeId": backend, "fetchRelatives": false,
	})
	if err != nil {
		return "", "", replaced(err)
	}
	n, _, err := axtree.Read(b, string(f.id))
	if err != nil {
		return "", "", err
	}
	return n.Role, n.Name, nil
}
