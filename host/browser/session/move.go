package session

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
	"errand/policy"
)

// Follow opens a URL that the page names in the page's own tab, if policy allows it.
func Follow(ctx context.Context, t *page.Tab, rawURL string) (tool.Result, error) {
	at, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	from, _ := at["url"].(string)
	if d := t.Browser.EvaluateFrom(ctx, from, rawURL); d.Verdict != policy.Allow {
		return tool.Result{}, page.DeniedError(rawURL, d)
	}
	t.Request(rawURL)
	if _, err := (proto.PageNavigate{URL: rawURL}).Call(t.Call(ctx, chromium.CallTimeout)); err != nil {
		return tool.Result{}, err
	}
	return arrive(ctx, t)
}

// Travel goes to another page in the tab's history, by pages from the current one, if policy
// still allows it.
func Travel(ctx context.Context, t *page.Tab, by int) (tool.Result, error) {
	history, err := proto.PageGetNavigationHistory{}.Call(t.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return tool.Result{}, err
	}
	to := history.CurrentIndex + by
	if to < 0 || to >= len(history.Entries) || history.Entries[to].URL == "about:blank" {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "no_such_page", message.New("browser.no_page_in_history", "direction", map[bool]string{true: "back", false: "forward"}[by < 0]))
	}
	entry := history.Entries[to]
	if d := t.Browser.Evaluate(ctx, entry.URL); d.Verdict != policy.Allow {
		return tool.Result{}, page.DeniedError(entry.URL, d)
	}
	t.Request(entry.URL)
	if err := (proto.PageNavigateToHistoryEntry{EntryID: entry.ID}).Call(t.Call(ctx, chromium.CallTimeout)); err != nil {
		return tool.Result{}, err
	}
	return arrive(ctx, t)
}

// Reload loads the page again, if policy still allows it.
func Reload(ctx context.Context, t *page.Tab) (tool.Result, error) {
	at, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	rawURL, _ := at["url"].(string)
	if d := t.Browser.Evaluate(ctx, rawURL); d.Verdict != policy.Allow && rawURL != "about:blank" {
		return tool.Result{}, page.DeniedError(rawURL, d)
	}
	t.Request(rawURL)
	if err := (proto.PageReload{}).Call(t.Call(ctx, chromium.CallTimeout)); err != nil {
		return tool.Result{}, err
	}
	return arrive(ctx, t)
}

// arrive waits for the end of a navigation and returns the page's address.
func arrive(ctx context.Context, t *page.Tab) (tool.Result, error) {
	if err := t.Follow(ctx); err != nil {
		return tool.Result{}, err
	}
	at, err := t.Location(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	at["status"] = t.Status()
	r := tool.OK(at)
	r.World = &tool.WorldChange{BrowserLastURL: at["url"].(string)}
	return r, nil
}
