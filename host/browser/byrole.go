package browser

import (
	"context"
	"errors"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
)

// errUnasked is why the whole tree is read in place of a query by role.
var errUnasked = errors.New("the page answers no query by role now")

// queryTimeout is how long a query by role may take before the whole tree is read.
const queryTimeout = 2 * time.Second

// byRole has Chromium look through the tree by role, which tells much less than
// all of it. Chromium puts its answer off until the document has loaded to its last
// picture and the page has painted: of one that has not, or is not in front,
// nothing is asked, and the error is errUnasked.
func (f *frame) byRole(ctx context.Context, l locator.Locator, roles []string, within *element) ([]match, error) {
	if !f.doc.host.InFront() {
		return nil, errUnasked
	}
	doc, err := f.invoke(ctx, "", false, "function () { return document.readyState === 'complete' ? document : null }")
	switch {
	case err != nil:
		return nil, err
	case doc.Result.Object == "":
		return nil, errUnasked
	}
	root := doc.Result.Object
	if within != nil {
		root = within.object
	}
	var found []match
	for _, role := range roles {
		b, err := f.ask(ctx, root, role)
		if err != nil {
			return nil, err
		}
		nodes, err := axtree.ReadList(b, string(f.id))
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			if len(axtree.Match(n, l)) > 0 && n.Backend != 0 && (within == nil || n.Backend != int64(within.backend)) {
				found = append(found, match{frame: f, node: n})
			}
		}
	}
	return found, nil
}

// ask is one query by role, below an object of the page.
func (f *frame) ask(ctx context.Context, root proto.RuntimeRemoteObjectID, role string) ([]byte, error) {
	soon, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	b, err := f.call(soon).Call(soon, string(f.session), "Accessibility.queryAXTree", map[string]any{"role": role, "objectId": root})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, errUnasked
	}
	return b, replaced(err)
}
