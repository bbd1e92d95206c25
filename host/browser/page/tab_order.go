package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/address"
	"errand/host/tool"
)

// tabOrder is the order of the pages that a run has, and the one that its actions
// are about. Its fields are under the mutex of tabs.
type tabOrder struct {
	order   []*Tab // in the order of their opening
	current *Tab   // nil: none is open
	last    int    // number of the newest
}

// TabInfo is what a list of the pages tells of one.
type TabInfo struct {
	ID      string `json:"id"` // "t1": stable, and never given twice
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
}

// enter takes a page that is set up into the order, and makes it the current
// one if told so.
func (ts *tabList) enter(t *Tab, current bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byTarget[t.ID] != t {
		return // it is gone already
	}
	if !slices.Contains(ts.pages.order, t) {
		ts.pages.last++
		t.number = ts.pages.last
		ts.pages.order = append(ts.pages.order, t)
	}
	if current {
		ts.pages.current = t
	}
}

// remove takes out a page that is gone. The one before it, or else the first, is
// the current one then. It is called under the mutex.
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

// list is the pages in their order.
func (ts *tabList) list() (all []*Tab, current *Tab) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Clone(ts.pages.order), ts.pages.current
}

// name is the short id of a page; "" for a page that the run does not list.
func (t *Tab) name() string {
	t.Browser.tabs.mu.Lock()
	defer t.Browser.tabs.mu.Unlock()
	if t.number == 0 {
		return ""
	}
	return fmt.Sprintf("t%d", t.number)
}

// CurrentTab is the current page.
func (b *Browser) CurrentTab() (*Tab, error) {
	_, current := b.tabs.list()
	if current == nil {
		return nil, NoPageError()
	}
	return current, nil
}

func NoPageError() *tool.Error {
	e := tool.Errorf(tool.ToolUnavailable, "no_page", "no page is open").
		WithHint("open one first: browser.open takes its URL")
	e.Retriable = false
	return e
}

// TabByID is the page of a short id.
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
	return nil, tool.Errorf(tool.ValidationError, "no_such_tab", "there is no tab %q", address.Clip(id)).
		WithHint("the tabs are %s; browser.tabs tells what is in them", strings.Join(ids, ", "))
}

// Tabs lists the pages, in the order of their opening.
func (b *Browser) Tabs(ctx context.Context) ([]TabInfo, error) {
	all, current := b.tabs.list()
	tabs := make([]TabInfo, 0, len(all))
	for _, t := range all {
		res, err := proto.TargetGetTargetInfo{TargetID: t.ID}.Call(b.Root(ctx))
		if err != nil {
			if t.snapshot().gone {
				continue
			}
			return nil, err
		}
		tabs = append(tabs, TabInfo{ID: t.name(), URL: address.StripUser(res.TargetInfo.URL), Title: address.Clip(res.TargetInfo.Title), Current: t == current})
	}
	return tabs, nil
}

// take waits for the page's turn: actions on one page come one after the other.
func (t *Tab) take(ctx context.Context) (release func(), err error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
