//go:build unix

package browser_test

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"errand/build/poll"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
)

// click clicks like a user at a point of the page at rawURL. A page may open popups only after
// such a click.
func click(ctx context.Context, b *page.Browser, rawURL string, x, y float64) error {
	for _, t := range b.AllTabs() {
		res, err := proto.TargetGetTargetInfo{TargetID: t.ID}.Call(b.Root(ctx))
		if err != nil || res.TargetInfo.URL != rawURL {
			continue
		}
		for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
			err := proto.InputDispatchMouseEvent{Type: kind, X: x, Y: y, Button: proto.InputMouseButtonLeft, ClickCount: 1}.
				Call(t.Call(ctx, chromium.CallTimeout))
			if err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("click: no page is at %s", rawURL)
}

// closeTabs closes every page, like a user who closes the last window.
func closeTabs(b *page.Browser) {
	for _, t := range b.AllTabs() {
		go t.Close()
	}
}

// stopIntercepting turns interception off. The proxy's challenges are not answered then: the
// browser has to know the credentials already.
func stopIntercepting(ctx context.Context, b *page.Browser) error {
	return proto.FetchDisable{}.Call(b.Root(ctx))
}

// load opens a page in a new tab, waits for its load event and returns the load time that the
// browser reports.
func load(ctx context.Context, b *page.Browser, rawURL string) (t *page.Tab, took time.Duration, err error) {
	if t, err = b.NewTab(ctx); err != nil {
		return nil, 0, err
	}
	to := t.Call(ctx, time.Minute)
	res, err := proto.PageNavigate{URL: rawURL}.Call(to)
	if err != nil {
		return t, 0, err
	}
	if res.ErrorText != "" {
		return t, 0, fmt.Errorf("load %s: %s", rawURL, res.ErrorText)
	}
	for {
		res, err := proto.RuntimeEvaluate{
			Expression: `location.href === "about:blank" ? 0 : performance.getEntriesByType("navigation")[0]?.loadEventEnd ?? 0`, ReturnByValue: true,
		}.Call(to)
		if err != nil {
			return t, 0, err
		}
		if ms := res.Result.Value.Num(); ms > 0 {
			return t, time.Duration(ms * float64(time.Millisecond)), nil
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return t, 0, ctx.Err()
		}
	}
}

// open opens a page in a new tab, which becomes the current one, and waits until it is loaded.
func open(ctx context.Context, b *page.Browser, rawURL string) error {
	ctx, cancel := context.WithTimeout(ctx, poll.Patience)
	defer cancel()
	t, _, err := load(ctx, b, rawURL)
	if err == nil {
		b.Select(t)
	}
	return err
}

// crash ends the process of the current page.
func crash(ctx context.Context, b *page.Browser) error {
	t, err := b.CurrentTab()
	if err != nil {
		return err
	}
	go func() { _ = proto.PageCrash{}.Call(t.Call(ctx, chromium.CallTimeout)) }() // the process that would answer is gone
	return nil
}

// rodClient makes rod's calls over a browser's connection.
type rodClient struct{ b *page.Browser }

func (c rodClient) Event() <-chan *cdp.Event { return nil }

func (c rodClient) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	return c.b.Root(ctx).Call(ctx, session, method, params)
}

// rodPage is rod's object for the current page.
func rodPage(b *page.Browser) (*rod.Page, error) {
	t, err := b.CurrentTab()
	if err != nil {
		return nil, err
	}
	br := rod.New().NoDefaultDevice().Client(rodClient{b})
	if err := br.Connect(); err != nil {
		return nil, err
	}
	return br.PageFromTarget(t.ID)
}
