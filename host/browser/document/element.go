package document

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
	"errand/planner/message"
)

// Element is an element of a page, held by an object in the isolated world.
type Element struct {
	Frame   *Frame
	Object  proto.RuntimeRemoteObjectID
	backend proto.DOMBackendNodeID
	Role    string
	Name    string
}

// Message describes the element for people: button "Save".
func (e *Element) Message() message.Message { return describe(e.Role, e.Name) }

func describe(role, name string) message.Message { return identityOf(role, name).Message() }

func identityOf(role, name string) locator.Identity {
	return locator.Identity{Role: strings.ToLower(role), Name: address.Clip(locator.Collapse(name))}
}

// Match is an element that a locator matches, before it is held.
type Match struct {
	Frame  *Frame
	Node   *axtree.Node                // from the accessibility tree, or
	Object proto.RuntimeRemoteObjectID // from the document
}

// Find returns the only element that the locator matches. Errors are *tool.Error with the
// code no_match, which may be temporary, or ambiguous for several elements.
func (d *Document) Find(ctx context.Context, l locator.Locator) (*Element, error) {
	e, err := d.findElement(ctx, l)
	if l.Is == nil {
		return e, err
	}
	return d.verify(ctx, *l.Is, e, err)
}

func (d *Document) findElement(ctx context.Context, l locator.Locator) (*Element, error) {
	if l.Ref != "" {
		return d.FindRef(ctx, l.Ref)
	}
	if e := d.recallMatch(ctx, l); e != nil {
		return e, nil
	}
	all, err := d.Frames(ctx)
	if err != nil {
		return nil, err
	}
	found, err := d.Matches(ctx, all, l)
	switch {
	case err != nil:
		return nil, err
	case l.Nth > len(found) && len(found) > 0:
		return nil, tool.NewError(tool.ExecutionError, "no_match", message.New("browser.no_nth_match", "count", len(found), "locator", dropNth(l), "nth", l.Nth))
	case len(found) == 0:
		return nil, d.NoMatchError(l)
	case l.Nth > 0:
		return d.Hold(ctx, found[l.Nth-1])
	case len(found) > 1:
		return nil, d.ambiguousError(ctx, l, found)
	}
	d.rememberMatch(l, found[0])
	return d.Hold(ctx, found[0])
}

func dropNth(l locator.Locator) message.Message {
	l.Nth = 0
	return l.Message()
}

// Matches returns the matches of a locator in the frames, in their order.
func (d *Document) Matches(ctx context.Context, all []*Frame, l locator.Locator) ([]Match, error) {
	if l.Frame != nil {
		var err error
		if all, err = d.framesIn(ctx, all, *l.Frame); err != nil {
			return nil, err
		}
	}
	var within *Element
	if l.Within != nil {
		e, err := d.Find(ctx, *l.Within)
		if err == nil {
			err = e.Describe(ctx)
		}
		if err != nil {
			return nil, err
		}
		within = e
		all = slices.DeleteFunc(slices.Clone(all), func(f *Frame) bool { return f.ID != e.Frame.ID })
	}
	var found []Match
	for _, f := range all {
		here, err := f.Matches(ctx, l, within)
		if err != nil {
			if f.Parent != nil && !errors.As(err, new(*tool.Error)) { // a frame that was removed or hangs has no matches
				continue
			}
			return nil, err
		}
		found = append(found, here...)
	}
	return found, ctx.Err()
}

// framesIn returns the frame that a locator names, and the frames inside it.
func (d *Document) framesIn(ctx context.Context, all []*Frame, l locator.Locator) ([]*Frame, error) {
	e, err := d.Find(ctx, l)
	if err != nil {
		return nil, err
	}
	node, err := proto.DOMDescribeNode{ObjectID: e.Object}.Call(e.Frame.Call(ctx))
	if err != nil {
		return nil, WrapReplaced(err)
	}
	at := slices.IndexFunc(all, func(f *Frame) bool { return node.Node.FrameID != "" && f.ID == node.Node.FrameID })
	if at < 0 {
		_ = e.Describe(ctx) // for its name
		return nil, tool.NewError(tool.ExecutionError, "not_a_frame", message.New("browser.not_a_frame", "element", e.Message())).
			WithAlternative(message.New("browser.use_iframe_locator"))
	}
	var in []*Frame
	for _, f := range all {
		for up := f; up != nil; up = up.Parent {
			if up == all[at] {
				in = append(in, f)
				break
			}
		}
	}
	return in, nil
}

func (f *Frame) Matches(ctx context.Context, l locator.Locator, within *Element) ([]Match, error) {
	switch kind := l.Kind(); kind {
	case "css", "test_id", "placeholder", "control", "field":
		return f.query(ctx, l, within)
	}
	if roles, known := axtree.Roles(l.Role); known && l.Kind() == "role" {
		found, err := f.queryRole(ctx, l, roles, within)
		if !errors.Is(err, errNotQueried) {
			return found, err
		}
	}
	root, _, err := f.Tree(ctx)
	if err != nil {
		return nil, err
	}
	if within != nil {
		if root = root.Find(string(f.ID), int64(within.backend)); root == nil {
			return nil, tool.NewError(tool.ExecutionError, "no_match", message.New("browser.no_accessible_content", "element", within.Message()))
		}
	}
	var found []Match
	for _, n := range axtree.Match(root, l) {
		if n.Backend != 0 && (within == nil || n != root) {
			found = append(found, Match{Frame: f, Node: n})
		}
	}
	return found, nil
}

// query searches the document and its open shadow roots.
func (f *Frame) query(ctx context.Context, l locator.Locator, within *Element) ([]Match, error) {
	var this proto.RuntimeRemoteObjectID
	if within != nil {
		this = within.Object
	}
	wanted := map[string]string{"css": l.CSS, "test_id": l.TestID, "placeholder": l.Placeholder, "control": l.Control, "field": l.Field}[l.Kind()]
	function := "query"
	if l.Control != "" || l.Field != "" {
		function = "named"
	}
	res, err := f.Invoke(ctx, this, false, "function (...args) { return errand."+function+".apply(this, args) }", l.Kind(), wanted, l.Exact)
	if _, ok := errors.AsType[*ScriptError](err); ok && l.Kind() == "css" {
		return nil, tool.NewError(tool.ValidationError, "bad_selector", message.New("browser.bad_selector", "selector", address.Clip(l.CSS)))
	}
	if err != nil {
		return nil, err
	}
	objects, err := f.items(ctx, res.Result.Object)
	if err != nil {
		return nil, err
	}
	found := make([]Match, len(objects))
	for i, o := range objects {
		found[i] = Match{Frame: f, Object: o}
	}
	return found, nil
}

// items returns the objects of a list that a script returned.
func (f *Frame) items(ctx context.Context, list proto.RuntimeRemoteObjectID) ([]proto.RuntimeRemoteObjectID, error) {
	var props struct {
		Result []struct {
			Enumerable bool
			Value      struct {
				Object proto.RuntimeRemoteObjectID `json:"objectId"`
			}
		}
	}
	err := f.Call(ctx).Do("Runtime.getProperties", map[string]any{"objectId": list, "ownProperties": true}, &props)
	if err != nil {
		return nil, WrapReplaced(err)
	}
	var items []proto.RuntimeRemoteObjectID
	for _, p := range props.Result {
		if p.Enumerable && p.Value.Object != "" {
			items = append(items, p.Value.Object)
		}
	}
	return items, nil
}

// Tree returns the frame's accessibility tree.
func (f *Frame) Tree(ctx context.Context) (*axtree.Node, int, error) {
	to := f.Call(ctx)
	b, err := to.Call(ctx, string(f.session), "Accessibility.getFullAXTree", map[string]any{"frameId": f.ID})
	if err != nil {
		return nil, 0, WrapReplaced(err)
	}
	root, n, err := axtree.Read(b, string(f.ID))
	if err == nil {
		f.hideSecrets(root)
	}
	return root, n, err
}

// Hold makes an element from a match. For a match in the document, role and name are
// empty; see [Element.Describe].
func (d *Document) Hold(ctx context.Context, m Match) (*Element, error) {
	if m.Node != nil {
		return m.Frame.element(ctx, proto.DOMBackendNodeID(m.Node.Backend), m.Node.Role, m.Node.Name)
	}
	return &Element{Frame: m.Frame, Object: m.Object}, nil
}

// Describe sets the role and name of an element as assistive technology reports them, if
// they are not known yet.
func (e *Element) Describe(ctx context.Context) error {
	if e.backend != 0 {
		return nil
	}
	res, err := proto.DOMDescribeNode{ObjectID: e.Object}.Call(e.Frame.Call(ctx))
	if err != nil {
		return WrapReplaced(err)
	}
	e.backend = res.Node.BackendNodeID
	e.Role, e.Name, err = e.Frame.describeNode(ctx, e.backend)
	return err
}

// element holds a DOM node of the frame.
func (f *Frame) element(ctx context.Context, backend proto.DOMBackendNodeID, role, name string) (*Element, error) {
	in, err := f.isolatedWorld(ctx)
	if err != nil {
		return nil, err
	}
	var res struct {
		Object struct {
			ID proto.RuntimeRemoteObjectID `json:"objectId"`
		} `json:"object"`
	}
	err = f.Call(ctx).Do("DOM.resolveNode", map[string]any{"backendNodeId": backend, "executionContextId": in, "objectGroup": f.Doc.Group}, &res)
	if err != nil {
		if err = WrapReplaced(err); errors.Is(err, ErrReplaced) {
			f.forget()
		}
		return nil, err
	}
	return &Element{Frame: f, Object: res.Object.ID, backend: backend, Role: role, Name: name}, nil
}

// describeNode returns the role and name of a DOM node as assistive technology reports
// them.
func (f *Frame) describeNode(ctx context.Context, backend proto.DOMBackendNodeID) (role, name string, err error) {
	b, err := f.Call(ctx).Call(ctx, string(f.session), "Accessibility.getPartialAXTree", map[string]any{
		"backendNodeId": backend, "fetchRelatives": false,
	})
	if err != nil {
		return "", "", WrapReplaced(err)
	}
	n, _, err := axtree.Read(b, string(f.ID))
	if err != nil {
		return "", "", err
	}
	return n.Role, n.Name, nil
}
