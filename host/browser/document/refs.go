package document

import (
	"context"
	"errors"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
	"errand/planner/message"
)

// maxSnapshots is the number of latest snapshots whose refs remain valid, as long as their
// elements are unchanged.
const maxSnapshots = 8

// refs maps the refs of a page's snapshots to elements.
type refs struct {
	lastNumber int
	snapshots  map[int][]refTarget
}

// refTarget is an element as it was in a snapshot.
type refTarget struct {
	frame   proto.PageFrameID
	loader  proto.NetworkLoaderID
	backend proto.DOMBackendNodeID
	role    string
	name    string
}

// Begin starts a snapshot.
func (r *refs) Begin() {
	r.lastNumber++
	if r.snapshots == nil {
		r.snapshots = map[int][]refTarget{}
	}
	r.snapshots[r.lastNumber] = nil
	delete(r.snapshots, r.lastNumber-maxSnapshots)
}

// Add adds a node to the current snapshot and returns its ref.
func (r *refs) Add(f *Frame, n *axtree.Node) string {
	if n.Backend == 0 {
		return ""
	}
	all := append(r.snapshots[r.lastNumber], refTarget{f.ID, f.loader, proto.DOMBackendNodeID(n.Backend), n.Role, locator.Collapse(n.Name)})
	r.snapshots[r.lastNumber] = all
	return locator.Ref(r.lastNumber, len(all))
}

// FindRef returns the element of a ref if it is unchanged since the snapshot.
func (d *Document) FindRef(ctx context.Context, ref string) (*Element, error) {
	snapshot, i := locator.ReadRef(ref)
	stored, known := d.Refs.snapshots[snapshot]
	if i < 1 || i > len(stored) {
		if known || snapshot > d.Refs.lastNumber {
			return nil, tool.NewError(tool.ValidationError, "no_such_ref", message.New("browser.no_such_ref", "ref", ref)).
				WithAlternative(message.New("browser.take_snapshot"))
		}
		return nil, staleError(message.New("browser.ref_too_old", "ref", ref))
	}
	was := stored[i-1]
	all, err := d.Frames(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.ID != was.frame {
			continue
		}
		if f.loader != was.loader {
			break
		}
		e, err := f.element(ctx, was.backend, was.role, was.name)
		if errors.Is(err, ErrReplaced) {
			return nil, staleError(message.New("browser.ref_gone", "ref", ref, "element", describe(was.role, was.name)))
		} else if err != nil {
			return nil, err
		}
		role, name, err := f.describeNode(ctx, was.backend)
		switch {
		case errors.Is(err, ErrReplaced):
			return nil, staleError(message.New("browser.ref_gone", "ref", ref, "element", describe(was.role, was.name)))
		case err != nil:
			return nil, err
		case role == "": // removed from the page, or hidden
			return nil, staleError(message.New("browser.ref_gone", "ref", ref, "element", describe(was.role, was.name)))
		case role != was.role || locator.Collapse(name) != was.name:
			return nil, staleError(message.New("browser.ref_changed", "ref", ref, "element", describe(was.role, was.name), "now", describe(role, name)))
		}
		return e, nil
	}
	return nil, staleError(message.New("browser.ref_other_page", "ref", ref))
}

func staleError(why message.Message) *tool.Error {
	return tool.NewError(tool.ExecutionError, "ref_stale", why).
		WithAlternative(message.New("browser.take_new_snapshot"))
}
