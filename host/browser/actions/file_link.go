package actions

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

// findFileLink returns the URL of the only link on the page that leads to a file with this
// name or has it as its text.
func findFileLink(ctx context.Context, t *page.Tab, file string) (string, error) {
	all, err := t.Frames(ctx)
	if err != nil {
		return "", err
	}
	var by [2][]string // by URL, and by text
	var some []string
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, f := range all {
		var here struct{ Links []struct{ Text, URL string } }
		if err := f.Run(ctx, "", &here, "links", 10_000); err != nil {
			if f.Parent == nil {
				return "", err
			}
			continue
		}
		t.AddSource(f.URL)
		for _, l := range here.Links {
			name := address.LastElement(l.URL)
			switch text := strings.TrimSpace(l.Text); {
			case strings.EqualFold(name, file):
				add(&by[0], l.URL)
			case strings.EqualFold(text, file):
				add(&by[1], l.URL)
			case filepath.Ext(name) != "" && len(some) < maxNamed:
				add(&some, address.Clip(name))
			}
		}
	}
	for _, found := range by {
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return "", tool.NewError(tool.ExecutionError, "ambiguous_file", message.New("browser.ambiguous_file", "count", len(found), "file", file, "urls", found[:min(len(found), maxNamed)])).
				WithAlternative(message.New("browser.name_one_file"))
		}
	}
	e := tool.NewError(tool.ExecutionError, "no_such_file", message.New("browser.no_such_file", "file", file))
	if len(some) > 0 {
		return "", e.WithAlternative(message.New("browser.linked_files", "names", some))
	}
	return "", e
}

// maxNamed is the maximum number of files or links in an error.
const maxNamed = 8
