package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/tool"
)

// pages is the order of the pages that a run has, and the one that its actions
// are about. Its fields are under the mutex of tabs.
type pages struct {
	order   []*tab // in the order of their opening
	current *tab   // nil: none is open
	last    int    // number of the newest
}

// Tab is what a list of the pages tells of one.
type Tab struct {
	ID      string `json:"id"` // "t1": stable, and never given twice
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
}

// entered takes a page that is set up into the order, and makes it the current
// one if told so.
func (ts *tabs) entered(t *tab, current bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.byTarget[t.id] != t {
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

// left takes out a page that is gone. The one before it, or else the first, is
// the current one then. It is called under the mutex.
func (p *pages) left(t *tab) {
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
func (ts *tabs) list() (all []*tab, current *tab) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return slices.Clone(ts.pages.order), ts.pages.current
}

// name is the short id of a page; "" for one that is none of the run's.
func (t *tab) name() string {
	t.b.tabs.mu.Lock()
	defer t.b.tabs.mu.Unlock()
	if t.number == 0 {
		return ""
	}
	return fmt.Sprintf("t%d", t.number)
}

// page is the current page.
func (b *Browser) page() (*tab, error) {
	_, current := b.tabs.list()
	if current == nil {
		return nil, noPage()
	}
	return current, nil
}

func noPage() *tool.Error {
	e := tool.Errorf(tool.ToolUnavailable, "no_page", "no page is open").
		WithHint("open one first: browser.open takes its URL")
	e.Retriable = false
	return e
}

// pageOf is the page of a short id.
func (b *Browser) pageOf(id string) (*tab, error) {
	all, current := b.tabs.list()
	if current == nil {
		return nil, noPage()
	}
	var ids []string
	for _, t := range all {
		name := t.name()
		if name == id {
			return t, nil
		}
		ids = append(ids, name)
	}
	return nil, tool.Errorf(tool.ValidationError, "no_such_tab", "there is no tab %q", clip(id)).
		WithHint("the tabs are %s; browser.tabs tells what is in them", strings.Join(ids, ", "))
}

// Tabs lists the pages, in the order of their opening.
func (b *Browser) Tabs(ctx context.Context) ([]Tab, error) {
	all, current := b.tabs.list()
	tabs := make([]Tab, 0, len(all))
	for _, t := range all {
		res, err := proto.TargetGetTargetInfo{TargetID: t.id}.Call(b.root(ctx))
		if err != nil {
			if t.snapshot().gone {
				continue
			}
			return nil, err
		}
		tabs = append(tabs, Tab{ID: t.name(), URL: bare(res.TargetInfo.URL), Title: clip(res.TargetInfo.Title), Current: t == current})
	}
	return tabs, nil
}

// take waits for the page's turn: actions on one page come one after the other.
func (t *tab) take(ctx context.Context) (release func(), err error) {
	select {
	case t.turn <- struct{}{}:
		return func() { <-t.turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
