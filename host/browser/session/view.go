package session

import (
	"context"

	"errand/host/browser/page"
)

// Found is the result of [ShowText].
type Found struct {
	Total   int    // places that have the text
	Place   int    // number of the one that is shown, from 1; 0: there are none
	Context string // the words around it
}

// ShowText counts the places of the page and its frames that show a text, in any case, scrolls to
// the nth of them and selects it. nth counts from 1; beyond the last one it starts again.
func ShowText(ctx context.Context, t *page.Tab, text string, nth int) (Found, error) {
	all, err := t.Frames(ctx)
	if err != nil {
		return Found{}, err
	}
	var found Found
	counts := make([]int, len(all))
	for i, f := range all {
		if err := f.Run(ctx, "", &counts[i], "occurrences", text); err != nil && f.Parent == nil {
			return Found{}, err
		}
		found.Total += counts[i]
	}
	if found.Total == 0 {
		return found, nil
	}
	found.Place = (nth-1)%found.Total + 1
	rest := found.Place
	for i, f := range all {
		if rest > counts[i] {
			rest -= counts[i]
			continue
		}
		err := f.Run(ctx, "", &found.Context, "showOccurrence", text, rest)
		return found, err
	}
	return found, nil
}

// Zoom sets how large the page is shown: to percent, or if that is 0 by a step: "in", "out" or
// "reset". It returns the size in percent. It lasts as long as the document.
func Zoom(ctx context.Context, t *page.Tab, step string, percent int) (int, error) {
	top, err := t.Top(ctx)
	if err != nil {
		return 0, err
	}
	var now int
	err = top.Run(ctx, "", &now, "zoom", step, percent)
	return now, err
}

// Source returns the HTML of the page as it is now, without its frames.
func Source(ctx context.Context, t *page.Tab) (string, error) {
	top, err := t.Top(ctx)
	if err != nil {
		return "", err
	}
	var html string
	err = top.Run(ctx, "", &html, "source")
	return html, err
}
