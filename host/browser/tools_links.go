package browser

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/tool"
)

// linked is the address of the one link of the page that leads to a file of this
// name, or that is called so.
func (t *tab) linked(ctx context.Context, file string) (string, error) {
	all, err := t.frames(ctx)
	if err != nil {
		return "", err
	}
	var by [2][]string // by the address, and by the words
	var some []string
	for _, f := range all {
		var here struct{ Links []struct{ Text, URL string } }
		if err := f.run(ctx, "", &here, "links", 10_000); err != nil {
			if f.parent == nil {
				return "", err
			}
			continue
		}
		t.spokeFor(f.url)
		for _, l := range here.Links {
			name := lastElement(l.URL)
			switch text := strings.TrimSpace(l.Text); {
			case strings.EqualFold(name, file):
				by[0] = addOnce(by[0], l.URL)
			case strings.EqualFold(text, file):
				by[1] = addOnce(by[1], l.URL)
			case filepath.Ext(name) != "" && len(some) < maxNamed:
				some = addOnce(some, clip(name))
			}
		}
	}
	for _, found := range by {
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return "", tool.Errorf(tool.ExecutionError, "ambiguous_file", "%d links lead to %q: %s", len(found), file, strings.Join(found[:min(len(found), maxNamed)], ", ")).
				WithHint("name one by its url, or by a locator")
		}
	}
	e := tool.Errorf(tool.ExecutionError, "no_such_file", "no link of the page leads to %q or is called so", file)
	if len(some) > 0 {
		return "", e.WithHint("files that the page links to: %s", strings.Join(some, ", "))
	}
	return "", e
}

// maxNamed is how many files or links an error names.
const maxNamed = 8

func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
