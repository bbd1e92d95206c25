package actions

import (
	"context"

	"errand/host/browser/page"
	"errand/host/browser/session"
	"errand/host/tool"
	"errand/host/tool/display"
	"errand/planner/message"
)

// whichTab are the properties of arguments that say which tab is meant.
const whichTab = `"tab": {"type": "string", "pattern": "^t[1-9][0-9]*$", "description": "id of a tab, such as t2"},
	"number": {"type": "integer", "minimum": 1, "maximum": 100, "description": "number of the tab, in the order of opening"},
	"to": {"enum": ["next", "previous", "first", "last"], "description": "the tab beside the current one, or at an end"},
	"words": {"type": "string", "minLength": 1, "maxLength": 256, "description": "words of the tab's title or site"}`

// tabActions returns the actions on tabs that are open.
func tabActions() []action {
	summary := display.OneOf("tab", "number", "to", "words")
	return []action{
		{
			name: "tab_switch", description: "Make another tab the current one.",
			display:  display.Tool{Summary: summary, View: display.View{Kind: display.List, Key: "tabs", Label: "title", Last: true}},
			schema:   takesOne(whichTab, "tab", "number", "to", "words"),
			effect:   tool.EffectNavigate,
			achieves: []string{"switch_tab"}, effects: []string{"tab_switched"},
			withoutPage: switchTab, spec: func(s *tool.Spec) { s.Page = tool.SwitchesPage },
		},
		{
			name: "tab_close", description: "Close a tab: the current one, unless told which; or all others.",
			display:  display.Tool{Summary: summary, View: display.View{Kind: display.Nothing}},
			schema:   takes(whichTab + `, "others": {"type": "boolean", "description": "close all tabs but that one"}`),
			effect:   tool.EffectNavigate,
			achieves: []string{"close_tab"}, effects: []string{"tab_closed"},
			withoutPage: closeTab, spec: func(s *tool.Spec) { s.Page = tool.ClosesPage },
		},
		{
			name: "tab_reopen", description: "Open the page of the tab that was closed last.",
			display:  display.Tool{View: display.View{Kind: display.Page}},
			schema:   takes(``),
			effect:   tool.EffectNavigate,
			achieves: []string{"reopen_tab"}, effects: []string{"url_loaded"},
			withoutPage: reopenTab, spec: func(s *tool.Spec) { s.Page = tool.OpensPage },
		},
	}
}

func (a args) whichTab() session.Which {
	return session.Which{ID: a.text("tab"), Number: a.number("number", 0), To: a.text("to"), Words: a.text("words")}
}

// switchTab makes another tab the current one and shows it.
func switchTab(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error) {
	t, err := session.FindTab(ctx, b, args(call.Args).whichTab())
	if err != nil {
		return tool.Result{}, err
	}
	b.Select(t)
	if err := t.BringToFront(ctx); err != nil {
		return tool.Result{}, err
	}
	return currentTabs(ctx, b)
}

// closeTab closes a tab, or all but one, and shows the tab that is current then.
func closeTab(ctx context.Context, b *page.Browser, call tool.Call) (tool.Result, error) {
	a := args(call.Args)
	t, err := session.FindTab(ctx, b, a.whichTab())
	if err != nil {
		return tool.Result{}, err
	}
	closing := []*page.Tab{t}
	if a.flag("others") {
		if closing, err = session.OtherTabs(ctx, b, t); err != nil {
			return tool.Result{}, err
		}
	}
	for _, o := range closing {
		if at, err := o.Location(ctx); err == nil {
			rawURL, _ := at["url"].(string)
			b.Closed.Push(rawURL)
		}
		if err := o.Dismiss(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	if now, err := b.CurrentTab(); err == nil {
		if err := now.BringToFront(ctx); err != nil {
			return tool.Result{}, err
		}
	}
	return currentTabs(ctx, b)
}

// reopenTab opens the page of the last closed tab in a new one.
func reopenTab(ctx context.Context, b *page.Browser, _ tool.Call) (tool.Result, error) {
	rawURL := b.Closed.Pop()
	if rawURL == "" {
		return tool.Result{}, tool.NewError(tool.ExecutionError, "no_closed_tab", message.New("browser.no_closed_tab"))
	}
	p, err := b.Open(ctx, rawURL)
	if err != nil {
		b.Closed.Push(rawURL)
		return tool.Result{}, err
	}
	r := p.Result()
	r.World = &tool.WorldChange{BrowserLastURL: p.URL}
	return r, nil
}

// currentTabs is listTabs with the page that is shown now.
func currentTabs(ctx context.Context, b *page.Browser) (tool.Result, error) {
	tabs, err := b.Tabs(ctx)
	if err != nil {
		return tool.Result{}, b.OpenError(ctx, "the tabs", err)
	}
	r := tool.OK(map[string]any{"tabs": listOf(tabs)})
	for _, t := range tabs {
		if t.Current {
			r.World = &tool.WorldChange{BrowserLastURL: t.URL}
		}
	}
	return r, nil
}
