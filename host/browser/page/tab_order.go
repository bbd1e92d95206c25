package page

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/tool"
	"errand/planner/message"
)

// tabOrder has the run's pages in order, and the current page of its actions. The mutex of
// tabs protects its fields.
type tabOrder struct {
	order      []*Tab // in the order of opening
	current    *Tab   // nil if none is open
	lastNumber int    // number of the newest page
}

// TabInfo describes a page in a list.
type TabInfo struct {
	ID      string `json:"id"` // such as "t1"; stable and never reused
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
}

// enter adds a page after its setup, and optionally makes it the current one.
func (ts *tabList) enter(t *Tab, current bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byTarget[t.ID] != t {
		return // closed meanwhile
	}
	if !slices.Contains(ts.pages.order, t) {
		ts.pages.lastNumber++
		t.number = ts.pages.lastNumber
		ts.pages.order = append(ts.pages.order, t)
	}
	if current {
		ts.pages.current = t
	}
}

// remove removes a closed page. The previous one, or else the first, becomes current. The
// caller holds the mutex.
func (p *tabOrder) remove(t *Tab) {
	i := slices.Index(p.order, t)
	if i < 0 {
		return
	}
	p.order = slices.Delete(p.order, i, i+1)
	if p.current != t {
		return
	}
	p.current = nil
	if len(p.order) > 0 {
		p.current = p.order[max(i-1, 0)]
	}
}

// list returns the pages in order.
func (ts *tabList) list() (all []*Tab, current *Tab) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Clone(ts.pages.order), ts.pages.current
}

// name returns the short id of a page, or "" for a page that the run doesn't list.
func (t *Tab) name() string {
	t.Browser.tabs.mu.Lock()
	defer t.Browser.tabs.mu.Unlock()
	if t.number == 0 {
		return ""
	}
	return fmt.Sprintf("t%d", t.number)
}

// CurrentTab returns the current page.
func (b *Browser) CurrentTab() (*Tab, error) {
	_, current := b.tabs.list()
	if current == nil {
		return nil, NoPageError()
	}
	return current, nil
}

func NoPageError() *tool.Error {
	return tool.UnavailableError("no_page", message.New("browser.no_page")).WithHint(message.New("browser.open_page_first"))
}

// TabByID returns the page with a short id.
func (b *Browser) TabByID(id string) (*Tab, error) {
	all, current := b.tabs.list()
	if current == nil {
		return nil, NoPageError()
	}
	var ids []string
	for _, t := range all {
		name := t.name()
		if name == id {
			return t, nil
		}
		ids = append(ids, name)
	}
	return nil, tool.NewError(tool.ValidationError, "no_such_tab", message.New("browser.no_such_tab", "id", address.Clip(id))).
		WithAlternative(message.New("browser.list_tabs", "ids", ids))
}

// Tabs lists the pages in the order of opening.
func (b *Browser) Tabs(ctx context.Context) ([]TabInfo, error) {
	all, current := b.tabs.list()
	tabs := make([]TabInfo, 0, len(all))
	for _, t := range all {
		res, err := proto.TargetGetTargetInfo{TargetID: t.ID}.Call(b.Root(ctx))
		if err != nil {
			if t.snapshot().closed {
				continue
			}
			return nil, err
		}
		tabs = append(tabs, TabInfo{ID: t.name(), URL: address.StripUser(res.TargetInfo.URL), Title: address.Clip(res.TargetInfo.Title), Current: t == current})
	}
	return tabs, nil
}

// take waits for the page's turn: a page performs one action at a time.
func (t *Tab) take(ctx context.Context) (release func(), err error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
