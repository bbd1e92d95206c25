package actions

import (
	"context"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/browser/chromium"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
	"errand/policy"
)

// moveActions returns the actions that navigate within a tab.
func moveActions() []action {
	return []action{
		{
			name: "back", description: "Go back to the page before this one in the tab.",
			display: display.Tool{View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(``), effect: tool.EffectNavigate,
			do: func(ctx context.Context, t *page.Tab, _ args, _ tool.Call) (tool.Result, error) {
				return travel(ctx, t, -1)
			},
		},
		{
			name: "forward", description: "Go forward to the page that was gone back from.",
			display: display.Tool{View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(``), effect: tool.EffectNavigate,
			do: func(ctx context.Context, t *page.Tab, _ args, _ tool.Call) (tool.Result, error) {
				return travel(ctx, t, 1)
			},
		},
		{
			name: "reload", description: "Load the page again.",
			display: display.Tool{View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(``), effect: tool.EffectNavigate, do: reload,
		},
		{
			name: "scroll", description: "Scroll the page to its top or bottom, by screens, or to an element.",
			display: display.Tool{Summary: display.OneOf("locator", "to"), View: display.View{Kind: display.Nothing}},
			schema: takesOne(`"to": {"enum": ["top", "bottom"], "description": "end of the page to scroll to"},
				"by": {"type": "number", "minimum": -100, "maximum": 100, "description": "screens; up where it is negative"},
				"locator": LOCATOR, `+timeoutSchema, "to", "by", "locator"),
			effect: tool.EffectNavigate, do: scroll,
		},
	}
}

// travel goes to another page in the tab's history, if policy still allows it.
func travel(ctx context.Context, t *page.Tab, by int) (tool.Result, error) {
	history, err := proto.PageGetNavigationHistory{}.Call(t.Call(ctx, chromium.CallTimeout))
	if err != nil {
		return tool.Result{}, err
	}
	to := history.CurrentIndex + by
	if to < 0 || to >= len(history.Entries) || history.Entries[to].URL == "about:blank" {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "no_such_page", message.New("browser.no_page_in_history", "direction", map[int]string{-1: "back", 1: "forward"}[by]))
	}
	entry := history.Entries[to]
	if d := t.Browser.Evaluate(ctx, entry.URL); d.Verdict != policy.Allow {
		return tool.Result{}, page.DeniedError(entry.URL, d)
	}
	t.Request(entry.URL)
	if err := (proto.PageNavigateToHistoryEntry{EntryID: entry.ID}).Call(t.Call(ctx, chromium.CallTimeout)); err != nil {
		return tool.Result{}, err
	}
	return finishNavigation(ctx, t)
}

func reload(ctx context.Context, t *page.Tab, _ args, _ tool.Call) (tool.Result, error) {
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
	return finishNavigation(ctx, t)
}

// finishNavigation waits for the end of a navigation and returns the page's address.
func finishNavigation(ctx context.Context, t *page.Tab) (tool.Result, error) {
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

func scroll(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
	if a.has("locator") {
		l, err := a.locator("locator")
		if err != nil {
			return tool.Result{}, err
		}
		e, _, err := t.Prepare(ctx, l, document.NeedVisible, a.timeout())
		if err != nil {
			return tool.Result{}, err
		}
		if err := e.Frame.Run(ctx, e.Object, nil, "reveal"); err != nil {
			return tool.Result{}, err
		}
		if err := e.Describe(ctx); err != nil {
			return tool.Result{}, err
		}
		return tool.OK(map[string]any{"role": strings.ToLower(e.Role), "name": address.Clip(e.Name)}), nil
	}
	f, err := t.Top(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	var moved struct {
		Moved       int
		Top, Bottom bool
	}
	by, _ := a["by"].(float64)
	if err := f.Run(ctx, "", &moved, "scroll", a.text("to"), by); err != nil {
		return tool.Result{}, err
	}
	return tool.OK(map[string]any{"moved": moved.Moved, "at_top": moved.Top, "at_bottom": moved.Bottom}), nil
}
