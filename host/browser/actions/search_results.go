package actions

import (
	"context"
	"net/url"
	"slices"
	"time"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/locator"
	"errand/host/browser/page"
	"errand/host/browser/results"
	"errand/host/tool"
	"errand/host/tool/display"
)

// ResultShape has CSS selectors for a page of results. Row selects a result; Title and
// Link apply inside it. Link selects the element with the address; "" means Title.
type ResultShape struct{ Row, Title, Link string }

const (
	resultCount    = 10
	resultMaxCount = 100
	resultWait     = 5 * time.Second // for results that a page loads later
)

func (o Options) searchActions() []action {
	return []action{{
		name: "results", description: "List what a page of search results found: titles and addresses.",
		display: display.Tool{View: display.View{Kind: display.List, Key: "results", Label: "title"}},
		schema:  takes(`"max": {"type": "integer", "minimum": 1, "maximum": 100, "description": "default 10"}`),
		effect:  tool.EffectRead, achieves: []string{"list_results"}, effects: []string{"results_listed"},
		do: o.results,
	}}
}

// results reads the results when two consecutive looks agree, or when the time is up. No
// results are a valid outcome.
func (o Options) results(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	within, cancel := context.WithTimeout(ctx, resultWait)
	defer cancel()
	most := a.number("max", resultCount)
	var before, found []results.Row
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	for attempt := 0; ; attempt++ {
		now, err := o.look(ctx, t)
		if err != nil && !document.IsRetriable(err) {
			return tool.Result{}, err
		}
		if before, found = found, now; len(found) > 0 && slices.Equal(before, found) {
			break
		}
		if document.Pause(within, attempt) != nil {
			if ctx.Err() != nil {
				return tool.Result{}, ctx.Err()
			}
			break
		}
	}
	rows := []any{}
	for _, r := range found[:min(most, len(found))] {
		row := map[string]any{"title": r.Title, "url": address.StripUser(r.URL)}
		if r.Text != "" {
			row["text"] = r.Text
		}
		rows = append(rows, row)
	}
	payload["results"], payload["total"] = rows, len(found)
	if len(found) > most {
		payload["cut"] = true
	}
	return tool.OK(payload), nil
}

// look finds the results by the known structure of the site. If that is unknown or finds
// nothing, it uses heuristics.
func (o Options) look(ctx context.Context, t *page.Tab) ([]results.Row, error) {
	at, err := t.Location(ctx)
	if err != nil {
		return nil, err
	}
	page, _ := at["url"].(string)
	all, err := t.Frames(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	top := all[0]
	if u, err := url.Parse(page); err == nil && o.Results != nil {
		if shape, known := o.Results(u.Hostname()); known {
			if rows, err := readShape(ctx, top, t, shape, u); err != nil || len(rows) > 0 {
				return rows, err
			}
		}
	}
	root, _, err := top.Tree(ctx)
	if err != nil {
		return nil, err
	}
	return results.Find(root, page), nil
}

// readShape reads the results of a page with a known structure.
func readShape(ctx context.Context, f *document.Frame, t *page.Tab, shape ResultShape, page *url.URL) ([]results.Row, error) {
	found, err := f.Matches(ctx, locator.Locator{CSS: shape.Row}, nil)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	found = found[:min(len(found), resultMaxCount)]
	link := shape.Link
	if link == "" {
		link = shape.Title
	}
	rows, err := readRows(ctx, f, found, map[string]field{
		"title": {CSS: shape.Title, All: true}, "url": {CSS: link, Attr: "href", All: true},
	})
	if err != nil {
		return nil, err
	}
	var out []results.Row
	seen := map[string]bool{}
	for _, r := range rows {
		m, _ := r.(map[string]any)
		title, address := first(m["title"]), first(m["url"])
		to, err := page.Parse(address)
		if err != nil || title == "" || address == "" || seen[to.String()] {
			continue
		}
		seen[to.String()] = true
		out = append(out, results.Row{Title: locator.Collapse(title), URL: to.String()})
	}
	return out, nil
}

func first(list any) string {
	all, _ := list.([]any)
	if len(all) == 0 {
		return ""
	}
	s, _ := all[0].(string)
	return s
}
