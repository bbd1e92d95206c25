package browser

import (
	"context"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
	"errand/policy"
)

// moving is how one gets about in a tab.
func moving() []act {
	return []act{
		{
			name: "back", about: "Go back to the page before this one in the tab.",
			schema: takes(``), effect: tool.EffectNavigate,
			do: func(ctx context.Context, t *tab, _ args, _ tool.Call) (tool.Result, error) { return t.travel(ctx, -1) },
		},
		{
			name: "forward", about: "Go forward to the page that was gone back from.",
			schema: takes(``), effect: tool.EffectNavigate,
			do: func(ctx context.Context, t *tab, _ args, _ tool.Call) (tool.Result, error) { return t.travel(ctx, 1) },
		},
		{
			name: "reload", about: "Load the page again.",
			schema: takes(``), effect: tool.EffectNavigate, do: reload,
		},
		{
			name: "scroll", about: "Scroll the page to its top or bottom, by screens, or to an element.",
			schema: takesOne(`"to": {"enum": ["top", "bottom"]},
				"by": {"type": "number", "minimum": -100, "maximum": 100, "description": "screens; up where it is negative"},
				"locator": LOCATOR, `+patience, "to", "by", "locator"),
			effect: tool.EffectNavigate, do: scroll,
		},
	}
}

// travel goes to another page of the tab's history, if policy still allows it.
func (t *tab) travel(ctx context.Context, by int) (tool.Result, error) {
	history, err := proto.PageGetNavigationHistory{}.Call(t.call(ctx, callTimeout))
	if err != nil {
		return tool.Result{}, err
	}
	to := history.CurrentIndex + by
	if to < 0 || to >= len(history.Entries) || history.Entries[to].URL == "about:blank" {
		return tool.Result{}, tool.Errorf(tool.ExecutionError, "no_such_page", "the tab has no page %s this one",
			map[int]string{-1: "before", 1: "after"}[by])
	}
	entry := history.Entries[to]
	if d := t.b.mayOpen(ctx, entry.URL); d.Verdict != policy.Allow {
		return tool.Result{}, deniedError(entry.URL, d)
	}
	t.departs(proto.PageFrameID(t.id))
	if err := (proto.PageNavigateToHistoryEntry{EntryID: entry.ID}).Call(t.call(ctx, callTimeout)); err != nil {
		return tool.Result{}, err
	}
	return t.arrived(ctx)
}

func reload(ctx context.Context, t *tab, _ args, _ tool.Call) (tool.Result, error) {
	at, err := t.where(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	rawURL, _ := at["url"].(string)
	if d := t.b.mayOpen(ctx, rawURL); d.Verdict != policy.Allow && rawURL != "about:blank" {
		return tool.Result{}, deniedError(rawURL, d)
	}
	t.departs(proto.PageFrameID(t.id))
	if err := (proto.PageReload{}).Call(t.call(ctx, callTimeout)); err != nil {
		return tool.Result{}, err
	}
	return t.arrived(ctx)
}

// arrived waits until the page that was begun is there, and says which.
func (t *tab) arrived(ctx context.Context) (tool.Result, error) {
	if err := t.follow(ctx); err != nil {
		return tool.Result{}, err
	}
	at, err := t.where(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	at["status"] = t.status()
	r := tool.OK(at)
	r.World = &tool.WorldChange{BrowserLastURL: at["url"].(string)}
	return r, nil
}

func scroll(ctx context.Context, t *tab, a args, _ tool.Call) (tool.Result, error) {
	if a.has("locator") {
		l, err := a.locator("locator")
		if err != nil {
			return tool.Result{}, err
		}
		e, _, err := t.prepare(ctx, l, toShow, a.patience())
		if err != nil {
			return tool.Result{}, err
		}
		if err := e.frame.run(ctx, e.object, nil, "reveal"); err != nil {
			return tool.Result{}, err
		}
		if err := e.learn(ctx); err != nil {
			return tool.Result{}, err
		}
		return tool.OK(map[string]any{"role": strings.ToLower(e.role), "name": clip(e.name)}), nil
	}
	f, err := t.top(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	var moved struct {
		Moved       int
		Top, Bottom bool
	}
	by, _ := a["by"].(float64)
	if err := f.run(ctx, "", &moved, "scroll", a.text("to"), by); err != nil {
		return tool.Result{}, err
	}
	return tool.OK(map[string]any{"moved": moved.Moved, "at_top": moved.Top, "at_bottom": moved.Bottom}), nil
}
