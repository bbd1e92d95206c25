package actions

import (
	"context"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

const urlProperty = `"url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "http or https URL"}`

// openActions returns the actions that open pages.
func (o Options) openActions() []action {
	return []action{
		{
			name: "open", description: "Open a web page in a new tab of the managed browser and take a picture of it.",
			display: display.Tool{Summary: display.OneOf("url"), View: display.View{Kind: display.Page, Passing: true}},
			schema:  takes(urlProperty, "url"), effect: tool.EffectNavigate, timeoutMS: 60_000, // includes the start of the browser
			achieves: []string{"browser_navigate"}, effects: []string{"url_loaded"}, opens: true,
			withoutPage: openPage,
		},
		{
			name: "search", description: "Open an engine's results for a query in a new tab.",
			display: display.Tool{Summary: display.OneOf("query"), View: display.View{Kind: display.Page}},
			schema: takes(`"engine": {"type": "string", "minLength": 1, "maxLength": 64, "description": "id of a site with a search, such as google or youtube"},
				"query": {"type": "string", "minLength": 1, "maxLength": 2048, "description": "words to search for"}`, "engine", "query"),
			effect: tool.EffectNavigate, timeoutMS: 60_000, effects: []string{"url_loaded"}, opens: true,
			withoutPage: o.search, spec: func(s *tool.Spec) { s.PageURLOf = o.searchURL },
		},
		{
			name: "tab_new", description: "Open a new tab, empty or at a URL, and make it the current one.",
			display: display.Tool{Summary: display.OneOf("url"), View: display.View{Kind: display.Page}},
			schema:  takes(urlProperty), effect: tool.EffectNavigate, timeoutMS: 60_000, opens: true,
			achieves: []string{"new_tab"}, effects: []string{"page_open", "tab_opened"},
			withoutPage: newTab, spec: func(s *tool.Spec) { s.Requires = nil },
		},
		{
			name: "tabs", description: "List the open tabs in the order of their opening.",
			display: display.Tool{View: display.View{Kind: display.List, Key: "tabs", Label: "title"}},
			schema:  takes(``), effect: tool.EffectRead, achieves: []string{"list_tabs"}, effects: []string{"tabs_listed"},
			withoutPage: func(ctx context.Context, b *page.Browser, _ tool.Call) (tool.Result, error) { return listTabs(ctx, b) },
		},
	}
}

// openPage opens a page in a new tab.
func openPage(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error) {
	a := args(call.Args)
	rawURL := a.text("url")
	if rawURL == "" {
		return tool.Result{}, tool.NewError(tool.ValidationError, "invalid_args", message.New("browser.no_url"))
	}
	page, err := b.Open(ctx, rawURL)
	if err != nil {
		return tool.Result{}, err
	}
	return page.Result(), nil
}

// search opens the results of an engine.
func (o Options) search(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error) {
	a := args(call.Args)
	if o.SearchURL == nil {
		return tool.Result{}, tool.NewError(tool.ToolUnavailable, "no_engines", message.New("browser.no_engines"))
	}
	to, err := o.SearchURL(a.text("engine"), a.text("query"))
	if err != nil {
		return tool.Result{}, tool.NewError(tool.ValidationError, "unknown_engine", message.New("browser.search_failed", "cause", err))
	}
	page, err := b.Open(ctx, to)
	if err != nil {
		return tool.Result{}, err
	}
	return page.Result(), nil
}

// searchURL returns the URL that a search opens; "" if it is unknown.
func (o Options) searchURL(args map[string]any) string {
	if o.SearchURL == nil {
		return ""
	}
	engine, _ := args["engine"].(string)
	query, _ := args["query"].(string)
	to, err := o.SearchURL(engine, query)
	if err != nil {
		return ""
	}
	return to
}

// newTab opens an empty tab, or a page in a new one.
func newTab(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error) {
	a := args(call.Args)
	if to := a.text("url"); to != "" {
		page, err := b.Open(ctx, to)
		if err != nil {
			return tool.Result{}, err
		}
		return page.Result(), nil
	}
	return openBlankTab(ctx, b)
}

// openBlankTab opens an empty tab.
func openBlankTab(ctx context.Context, b *page.Browser) (tool.Result, error) {
	t, err := b.NewTab(ctx)
	if err != nil {
		if t != nil {
			go t.Close()
		}
		return tool.Result{}, b.OpenError(ctx, "about:blank", err)
	}
	b.Select(t)
	return listTabs(ctx, b)
}

// listTabs returns the list of tabs as a result.
func listTabs(ctx context.Context, b *page.Browser) (tool.Result, error) {
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return tool.Result{}, b.OpenError(ctx, "the tabs", err)
	}
	return tool.OK(map[string]any{"tabs": listOf(tabs)}), nil
}

func listOf(tabs []page.TabInfo) []any {
	list := make([]any, len(tabs))
	for i, t := range tabs {
		list[i] = map[string]any{"id": t.ID, "url": t.URL, "title": t.Title, "current": t.Current}
	}
	return list
}
