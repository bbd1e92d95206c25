package document

import (
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/planner/message"
)

// errNotQueried is returned if the whole tree must be read instead of a query by role.
var errNotQueried = message.Error("browser.no_role_query")

// queryTimeout limits a query by role. After that the whole tree is read.
const queryTimeout = 2 * time.Second

// queryRole lets Chromium search the tree by role, which transfers much less data than the
// whole tree. Chromium delays its answer until the document has loaded completely and the
// page has painted. For a page that has not, or is not in front, queryRole returns
// errNotQueried.
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

// askRole makes one query by role below an object of the page.
func (f *Frame) askRole(ctx context.Context, root proto.RuntimeRemoteObjectID, role string) ([]byte, error) {
	soon, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	b, err := f.Call(soon).Call(soon, string(f.session), "Accessibility.queryAXTree", map[string]any{"role": role, "objectId": root})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, errNotQueried
	}
	return b, WrapReplaced(err)
}
