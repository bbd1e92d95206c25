package document

import (
	"context"
	"errors"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
	"errand/planner/message"
)

// CodeTargetDrift is the code of an error about an element that differs from its recorded
// identity.
const CodeTargetDrift = "target_drift"

// verify compares the element that was found with its expected identity. If it differs or
// is missing, the error has both. The error is retriable while the page is loading.
func (d *Document) verify(ctx context.Context, want locator.Identity, e *Element, err error) (*Element, error) {
	var typed *tool.Error
	switch {
	case err == nil:
		if err := e.Describe(ctx); err != nil {
			return nil, err
		}
		got := locator.Identity{Role: strings.ToLower(e.Role), Name: locator.Collapse(e.Name), Host: address.Host(e.Frame.URL)}
		if want.Matches(got) {
			return e, nil
		}
		return nil, driftError(want, []locator.Identity{got})
	case errors.As(err, &typed) && (typed.Code == "no_match" || typed.Code == "ambiguous"):
		return nil, driftError(want, d.similarElements(ctx, want))
	}
	return nil, err
}

func driftError(want locator.Identity, found []locator.Identity) *tool.Error {
	m := message.New("browser.target_missing", "want", want.Message())
	if len(found) > 0 {
		var all []message.Message
		for _, f := range found {
			all = append(all, f.Message())
		}
		m = message.New("browser.target_drift", "want", want.Message(), "found", all)
	}
	e := tool.NewError(tool.ExecutionError, CodeTargetDrift, m)
	e.Details = append(e.Details, "expected  "+want.String())
	for _, f := range found {
		e.Details = append(e.Details, "found     "+f.String())
	}
	return e
}

// similarElements lists elements with the expected role. Those whose names share a word
// with the expected one come first.
func (d *Document) similarElements(ctx context.Context, want locator.Identity) []locator.Identity {
	all, err := d.Frames(ctx)
	if err != nil {
		return nil
	}
	var near, far []locator.Identity
	for _, f := range all {
		root, _, err := f.Tree(ctx)
		if err != nil {
			continue
		}
		role := want.Role
		if role == "" {
			role = "button"
		}
		for _, n := range axtree.Match(root, locator.Locator{Role: role}) {
			if n.Hidden {
				continue
			}
			identity := locator.Identity{Role: strings.ToLower(n.Role), Name: address.Clip(locator.Collapse(n.Name)), Host: address.Host(f.URL)}
			if sharesWord(n.Name, want.Name) {
				near = append(near, identity)
			} else {
				far = append(far, identity)
			}
		}
	}
	found := append(near, far...)
	return found[:min(len(found), maxCandidates)]
}

func sharesWord(a, b string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(a)) {
		if len(w) > 2 && strings.Contains(" "+strings.ToLower(b)+" ", " "+w+" ") {
			return true
		}
	}
	return false
}
