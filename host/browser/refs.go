package browser

import (
	"context"
	"errors"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
)

// keptSnapshots is how many snapshots of a page have refs that may still be
// used, if what they name is still as it was.
const keptSnapshots = 8

// refs is what the refs of a page's snapshots name.
type refs struct {
	last      int
	snapshots map[int][]named
}

// named is an element as a snapshot saw it.
type named struct {
	frame   proto.PageFrameID
	loader  proto.NetworkLoaderID
	backend proto.DOMBackendNodeID
	role    string
	name    string
}

// begin starts a snapshot.
func (r *refs) begin() {
	r.last++
	if r.snapshots == nil {
		r.snapshots = map[int][]named{}
	}
	r.snapshots[r.last] = nil
	delete(r.snapshots, r.last-keptSnapshots)
}

// add names a node in the snapshot that was begun last.
func (r *refs) add(f *frame, n *axtree.Node) string {
	if n.Backend == 0 {
		return ""
	}
	all := append(r.snapshots[r.last], named{f.id, f.loader, proto.DOMBackendNodeID(n.Backend), n.Role, locator.Collapse(n.Name)})
	r.snapshots[r.last] = all
	return locator.Ref(r.last, len(all))
}

// byRef is the element of a ref, if it is still what the snapshot saw.
func (d *document) byRef(ctx context.Context, ref string) (*element, error) {
	snapshot, i := locator.ReadRef(ref)
	kept, known := d.refs.snapshots[snapshot]
	if i < 1 || i > len(kept) {
		if known || snapshot > d.refs.last {
			return nil, tool.Errorf(tool.ValidationError, "no_such_ref", "no snapshot of this page has a %s", ref).
				WithHint("take a snapshot and use a ref of it")
		}
		return nil, stale(ref, "it is of a snapshot too long ago")
	}
	was := kept[i-1]
	all, err := d.frames(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.id != was.frame {
			continue
		}
		if f.loader != was.loader {
			break
		}
		e, err := f.element(ctx, was.backend, was.role, was.name)
		if errors.Is(err, errReplaced) {
			return nil, stale(ref, title(was.role, was.name)+" is gone")
		} else if err != nil {
			return nil, err
		}
		role, name, err := f.spoken(ctx, was.backend)
		switch {
		case errors.Is(err, errReplaced):
			return nil, stale(ref, title(was.role, was.name)+" is gone")
		case err != nil:
			return nil, err
		case role == "": // taken out of the page, or hidden
			return nil, stale(ref, title(was.role, was.name)+" is gone")
		case role != was.role || locator.Collapse(name) != was.name:
			return nil, stale(ref, title(was.role, was.name)+" is now "+title(role, name))
		}
		return e, nil
	}
	return nil, stale(ref, "another page took the place of the one that had it")
}

func stale(ref, why string) *tool.Error {
	return tool.Errorf(tool.ExecutionError, "ref_stale", "%s is of no use any more: %s", ref, why).
		WithHint("take a new snapshot and use a ref of it")
}
