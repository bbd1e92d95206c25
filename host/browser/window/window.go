// Package window shows pages to the user in a visible browser.
package window

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
	"errand/host/browser/initiator"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/policy"
)

// Window shows pages in a visible browser. It is safe for concurrent use.
type Window struct {
	browser *page.Browser

	choosing sync.Mutex // held while a tab is chosen and loaded
	mu       sync.Mutex
	tabs     map[*page.Tab]shownPage
}

// shownPage is what [Window.Show] opened in a tab.
type shownPage struct {
	requested string // the URL that was asked for
	landed    string // the URL of the page that it led to; "": it is being opened
	run       string // the run that asked for it
}

// New returns the window of a browser.
func New(b *page.Browser) *Window { return &Window{browser: b, tabs: map[*page.Tab]shownPage{}} }

// Show shows rawURL to the user. It takes no picture, and does not wait for the user where the
// page asks for consent or a captcha: the user sees it.
//
//   - If a tab shows the page already, Show brings it to the front.
//   - A tab in which Show opened a page of the same host (with or without "www."), and that has
//     not moved since, gets the new page. So does an empty one. A run replaces none of its own
//     pages.
//   - Otherwise the page gets a new tab.
//
// Errors are those of [page.Browser.Open].
func (w *Window) Show(ctx context.Context, rawURL string) (page.Page, error) {
	b := w.browser
	if d := b.Evaluate(ctx, rawURL); d.Verdict != policy.Allow {
		return page.Page{}, page.DeniedError(rawURL, d)
	}
	c, _ := tool.CallerFrom(ctx)
	w.choosing.Lock()
	t, current, err := w.findTab(ctx, rawURL, c.RunID)
	if t != nil && current == nil && !answers(ctx, t) {
		t = nil
	}
	made := t == nil
	if err == nil && made {
		t, err = b.NewTab(ctx)
	}
	var before shownPage
	if err == nil && current == nil {
		before = w.remember(t, shownPage{requested: rawURL, run: c.RunID})
	}
	w.choosing.Unlock()
	switch {
	case err != nil:
		if made && t != nil {
			go t.Close()
		}
		return page.Page{}, b.OpenError(ctx, rawURL, err)
	case current != nil:
		b.Select(t)
		return *current, w.raise(ctx, t)
	}
	opened, err := b.LoadInto(ctx, t, rawURL, initiator.WithoutFragment(before.landed) != initiator.WithoutFragment(rawURL))
	if err != nil {
		w.remember(t, before)
		if made {
			go t.Close()
		}
		return page.Page{}, err
	}
	w.remember(t, shownPage{rawURL, opened.URL, c.RunID})
	return opened, w.raise(ctx, t)
}

// answerWait is how long the page of a tab may take to answer before another page is opened in it.
const answerWait = 2 * time.Second

// answers reports whether the page of a tab answers. One whose script never ends can't be left.
func answers(ctx context.Context, t *page.Tab) bool {
	_, err := proto.RuntimeEvaluate{Expression: "1"}.Call(t.Call(ctx, answerWait))
	return err == nil
}

// remember notes what a tab shows, and returns what it showed before. It forgets the tabs that are
// closed.
func (w *Window) remember(t *page.Tab, p shownPage) (before shownPage) {
	open := map[*page.Tab]bool{}
	for _, t := range w.browser.AllTabs() {
		open[t] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for t := range w.tabs {
		if !open[t] {
			delete(w.tabs, t)
		}
	}
	before = w.tabs[t]
	w.tabs[t] = p
	return before
}

// findTab returns the tab in which to show a URL; nil: a new one. If it shows the page already,
// current is that page.
func (w *Window) findTab(ctx context.Context, rawURL, run string) (reuse *page.Tab, current *page.Page, err error) {
	tabs, err := w.browser.Tabs(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i := len(tabs) - 1; i >= 0; i-- { // the newest first
		t, err := w.browser.TabByID(tabs[i].ID)
		if err != nil { // closed meanwhile
			continue
		}
		w.mu.Lock()
		shown := w.tabs[t]
		w.mu.Unlock()
		at := tabs[i].URL
		stays := shown.landed != "" && isSame(at, shown.landed)
		switch {
		case isSame(at, rawURL), stays && isSame(shown.requested, rawURL):
			return t, &page.Page{URL: at, Title: tabs[i].Title, Status: t.Status()}, nil
		case reuse != nil || shown.run != "" && shown.run == run:
		case at == "about:blank", stays && isSameHost(shown.landed, rawURL):
			reuse = t
		}
	}
	return reuse, nil, nil
}

// raise brings a tab to the front, and its window if that is minimised.
func (w *Window) raise(ctx context.Context, t *page.Tab) error {
	to := w.browser.Root(ctx)
	if at, err := (proto.BrowserGetWindowForTarget{TargetID: t.ID}).Call(to); err == nil && at.Bounds != nil && at.Bounds.WindowState == proto.BrowserWindowStateMinimized {
		_ = proto.BrowserSetWindowBounds{WindowID: at.WindowID, Bounds: &proto.BrowserBounds{WindowState: proto.BrowserWindowStateNormal}}.Call(to)
	}
	return proto.PageBringToFront{}.Call(t.Call(ctx, chromium.CallTimeout))
}

// isSame reports whether two URLs are the same, spelled as browsers spell them.
func isSame(a, b string) bool { return a == b || normalize(a) == normalize(b) }

func normalize(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	u.Scheme, u.Host, u.User = strings.ToLower(u.Scheme), strings.ToLower(u.Host), nil
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

// isSameHost reports whether two URLs are of the same scheme, host and port.
func isSameHost(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	site := func(u *url.URL) string {
		return u.Scheme + "://" + strings.TrimPrefix(strings.ToLower(u.Host), "www.")
	}
	return errX == nil && errY == nil && site(x) == site(y)
}
