package actions

import (
	"context"
	"strings"

	"errand/host/browser/address"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/browser/session"
	"errand/host/tool"
	"errand/host/tool/display"
)

// timesSchema is the property of arguments that repeats a move.
const timesSchema = `"times": {"type": "integer", "minimum": 1, "maximum": 50, "description": "how many pages; default 1"}`

// moveActions returns the actions that navigate within a tab.
func moveActions() []action {
	return []action{
		{
			name: "back", description: "Go back to the page before this one in the tab.",
			display: display.Tool{View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(timesSchema), effect: tool.EffectNavigate, achieves: []string{"back_page"}, effects: []string{"page_moved"},
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				return session.Travel(ctx, t, -a.number("times", 1))
			},
		},
		{
			name: "forward", description: "Go forward to the page that was gone back from.",
			display: display.Tool{View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(timesSchema), effect: tool.EffectNavigate, achieves: []string{"forward_page"}, effects: []string{"page_moved"},
			do: func(ctx context.Context, t *page.Tab, a args, _ tool.Call) (tool.Result, error) {
				return session.Travel(ctx, t, a.number("times", 1))
			},
		},
		{
			name: "reload", description: "Load the page again.",
			display: display.Tool{View: display.View{Kind: display.Page, Last: true}},
			schema:  takes(``), effect: tool.EffectNavigate,
			do: func(ctx context.Context, t *page.Tab, _ args, _ tool.Call) (tool.Result, error) {
				return session.Reload(ctx, t)
			},
			achieves: []string{"reload_page"}, effects: []string{"page_reloaded"},
		},
		{
			name: "scroll", description: "Scroll the page to its top or bottom, by screens, or to an element.",
			display: display.Tool{Summary: display.OneOf("locator", "to"), View: display.View{Kind: display.Nothing}},
			schema: takesOne(`"to": {"enum": ["top", "bottom"], "description": "end of the page to scroll to"},
				"by": {"type": "number", "minimum": -100, "maximum": 100, "description": "screens; up where it is negative"},
				"locator": LOCATOR, `+timeoutSchema, "to", "by", "locator"),
			effect: tool.EffectNavigate, do: scroll, achieves: []string{"scroll_page"}, effects: []string{"page_scrolled"},
		},
	}
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
