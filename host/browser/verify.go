package browser

import (
	"context"
	"errors"
	"strings"

	"errand/host/browser/axtree"
	"errand/host/browser/locator"
	"errand/host/tool"
)

// CodeTargetDrift is that of an element that is not what it was when somebody
// wrote down what it has to be.
const CodeTargetDrift = "target_drift"

// verify holds the element that was found against what it has to be. Where there
// is another one, or none, nothing may be done: the error says what was expected
// and what is there. Time may mend it, as long as a page is being made.
func (d *document) verify(ctx context.Context, want locator.Identity, e *element, err error) (*element, error) {
	var typed *tool.Error
	switch {
	case err == nil:
		if err := e.learn(ctx); err != nil {
			return nil, err
		}
		got := locator.Identity{Role: strings.ToLower(e.role), Name: locator.Collapse(e.name), Host: hostOf(e.frame.url)}
		if want.Holds(got) {
			return e, nil
		}
		return nil, drifted(want, []string{got.String()})
	case errors.As(err, &typed) && (typed.Code == "no_match" || typed.Code == "ambiguous"):
		return nil, drifted(want, d.likely(ctx, want))
	}
	return nil, err
}

func drifted(want locator.Identity, found []string) *tool.Error {
	if len(found) == 0 {
		found = []string{"nothing like it"}
	}
	e := tool.Errorf(tool.ExecutionError, CodeTargetDrift, "the page is not what it was: expected %s, found %s", want, strings.Join(found, "; "))
	e.Details = append(e.Details, "expected  "+want.String())
	for _, f := range found {
		e.Details = append(e.Details, "found     "+f)
	}
	return e
}

// likely lists what is on the page in place of what was expected: the elements
// of its role, those whose names share a word with it first.
func (d *document) likely(ctx context.Context, want locator.Identity) []string {
	all, err := d.frames(ctx)
	if err != nil {
		return nil
	}
	var near, far []string
	for _, f := range all {
		root, _, err := f.tree(ctx)
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
			said := locator.Identity{Role: strings.ToLower(n.Role), Name: clip(locator.Collapse(n.Name)), Host: hostOf(f.url)}.String()
			if alike(n.Name, want.Name) {
				near = append(near, said)
			} else {
				far = append(far, said)
			}
		}
	}
	found := append(near, far...)
	return found[:min(len(found), maxCandidates)]
}

func alike(a, b string) bool {
	for _, w := range strings.Fields(strings.ToLower(a)) {
		if len(w) > 2 && strings.Contains(" "+strings.ToLower(b)+" ", " "+w+" ") {
			return true
		}
	}
	return false
}
