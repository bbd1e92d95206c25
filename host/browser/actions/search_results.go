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
	"errand/host/browser/rows"
	"errand/host/browser/session"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
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
	}, {
		name: "open_result", description: "Open one of the page's results or links in its tab, by its number.",
		display: display.Tool{Summary: [][]string{{"kind", "nth"}}, View: display.View{Kind: display.Page, Last: true}},
		schema: takes(`"nth": {"type": "integer", "minimum": -100, "maximum": 1000, "description": "number from 1; from the end if it is negative"},
			"kind": {"enum": ["result", "link"], "description": "results, as browser.results lists them, or all links"}`, "nth", "kind"),
		effect: tool.EffectNavigate, achieves: []string{"open_result", "open_link"}, effects: []string{"page_moved"}, do: o.openResult,
	}}
}

func (o Options) results(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	most := a.number("max", resultCount)
	payload, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	found, err := o.findResults(ctx, t)
	if err != nil {
		return tool.Result{}, err
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

// findResults reads the results when two consecutive looks agree, or when the time is up. No
// results are a valid outcome.
func (o Options) findResults(ctx context.Context, t *page.Tab) (found []results.Row, err error) {
	within, cancel := context.WithTimeout(ctx, resultWait)
	defer cancel()
	for attempt := 0; ; attempt++ {
		now, err := o.look(ctx, t)
		if err != nil && !document.IsRetriable(err) {
			return nil, err
		}
		before := found
		if found = now; len(found) > 0 && slices.Equal(before, found) || document.Pause(within, attempt) != nil {
			return found, ctx.Err()
		}
	}
}

// openResult opens a result or a link of the page in its tab. nth counts from 1, and from the end
// if it is negative.
func (o Options) openResult(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	var urls []string
	if a.text("kind") == "link" {
		r, err := links(ctx, t, args{"max": linkMaxCount}, tool.Call{})
		if err != nil {
			return tool.Result{}, err
		}
		list, _ := r.Payload.(map[string]any)["links"].([]any)
		for _, l := range list {
			urls = append(urls, l.(map[string]any)["url"].(string))
		}
	} else {
		rows, err := o.findResults(ctx, t)
		if err != nil {
			return tool.Result{}, err
		}
		for _, r := range rows {
			urls = append(urls, r.URL)
		}
	}
	nth := a.number("nth", 1)
	i := nth - 1
	if nth < 0 {
		i = len(urls) + nth
	}
	if i < 0 || i >= len(urls) {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "no_such_result", message.New("browser.no_such_result", "kind", a.text("kind"), "count", len(urls)))
	}
	return session.Follow(ctx, t, urls[i])
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
	list, err := rows.Read(ctx, f, found, map[string]rows.Field{
		"title": {CSS: shape.Title, All: true}, "url": {CSS: link, Attr: "href", All: true},
	})
	if err != nil {
		return nil, err
	}
	var out []results.Row
	seen := map[string]bool{}
	for _, r := range list {
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
