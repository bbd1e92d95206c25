package document

import (
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
)

// errNotQueried is why the whole tree is read in place of a query by role.
var errNotQueried = errors.New("the page answers no query by role now")

// queryTimeout is how long a query by role may take before the whole tree is read.
const queryTimeout = 2 * time.Second

// queryRole has Chromium look through the tree by role, which tells much less than
// all of it. Chromium puts its answer off until the document has loaded to its last
// picture and the page has painted: of one that has not, or is not in front,
// nothing is asked, and the error is errUnasked.
func (f *Frame) queryRole(ctx context.Context, l locator.Locator, roles []string, within *Element) ([]Match, error) {
	if !f.Doc.host.InFront() {
		return nil, errNotQueried
	}
	doc, err := f.Invoke(ctx, "", false, "function () { return document.readyState === 'complete' ? document : null }")
	switch {
	case err != nil:
		return nil, err
	case doc.Result.Object == "":
		return nil, errNotQueried
	}
	root := doc.Result.Object
	if within != nil {
		root = within.Object
	}
	var found []Match
	for _, role := range roles {
		b, err := f.askRole(ctx, root, role)
		if err != nil {
			return nil, err
		}
		nodes, err := axtree.ReadList(b, string(f.ID))
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			if len(axtree.Match(n, l)) > 0 && n.Backend != 0 && (within == nil || n.Backend != int64(within.backend)) {
				found = append(found, Match{Frame: f, Node: n})
			}
		}
	}
	return found, nil
}

// askRole is one query by role, below an object of the page.
func (f *Frame) askRole(ctx context.Context, root proto.RuntimeRemoteObjectID, role string) ([]byte, error) {
	soon, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	b, err := f.Call(soon).Call(soon, string(f.session), "Accessibility.queryAXTree", map[string]any{"role": role, "objectId": root})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, errNotQueried
	}
	return b, WrapReplaced(err)
}
