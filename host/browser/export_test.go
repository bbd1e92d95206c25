package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// Click clicks as a person does, at a point of the page at rawURL: what gives a
// page the right to open popups.
func (b *Browser) Click(ctx context.Context, rawURL string, x, y float64) error {
	targets, err := proto.TargetGetTargets{}.Call(b.root(ctx))
	if err != nil {
		return err
	}
	found := false
	for _, info := range targets.TargetInfos {
		t := b.tabs.ofTarget(info.TargetID)
		if t == nil || info.URL != rawURL {
			continue
		}
		found = true
		for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
			err := proto.InputDispatchMouseEvent{Type: kind, X: x, Y: y, Button: proto.InputMouseButtonLeft, ClickCount: 1}.
				Call(t.call(ctx, callTimeout))
			if err != nil {
				return err
			}
		}
	}
	if !found {
		return fmt.Errorf("click: no page is at %s", rawURL)
	}
	return nil
}

// CloseTabs closes every page, as a person does with the last window.
func (b *Browser) CloseTabs() {
	b.tabs.mu.Lock()
	defer b.tabs.mu.Unlock()
	for _, t := range b.tabs.byTarget {
		go t.close()
	}
}

// StopIntercepting lets requests go on without us. The proxy's challenges are
// no longer answered: the browser has to know the credentials by then.
func (b *Browser) StopIntercepting(ctx context.Context) error {
	return proto.FetchDisable{}.Call(b.root(ctx))
}

// Load opens a page, waits for its load event and closes it. It answers how
// long the browser says that the load took.
func (b *Browser) Load(ctx context.Context, rawURL string) (time.Duration, error) {
	t, err := b.tabs.open(ctx)
	if err != nil {
		return 0, err
	}
	defer t.close()
	if err := t.navigate(ctx, rawURL); err != nil {
		return 0, err
	}
	loaded := func(s *state) bool {
		return s.loader != s.blank && s.reached[proto.PageLifecycleEventNameLoad]
	}
	if !t.until(ctx, loaded) {
		return 0, ctx.Err()
	}
	for { // the event is told while it is handled
		res, err := proto.RuntimeEvaluate{
			Expression: `performance.getEntriesByType("navigation")[0].loadEventEnd`, ReturnByValue: true,
		}.Call(t.call(ctx, callTimeout))
		if err != nil {
			return 0, err
		}
		if ms := res.Result.Value.Num(); ms > 0 {
			return time.Duration(ms * float64(time.Millisecond)), nil
		}
	}
}

// EndForTest ends the browser itself, as its person may.
func (b *Browser) EndForTest(ctx context.Context) { _ = proto.BrowserClose{}.Call(b.root(ctx)) }

// Crash ends the process of the current page.
func (b *Browser) Crash(ctx context.Context) error {
	t, err := b.page()
	if err != nil {
		return err
	}
	go func() { _ = proto.PageCrash{}.Call(t.call(ctx, callTimeout)) }() // nobody is left to answer
	return nil
}

// Go opens a page in a new tab, the current one then, and waits until it is
// loaded.
func (b *Browser) Go(ctx context.Context, rawURL string) error {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	t, err := b.tabs.open(ctx)
	if err != nil {
		return err
	}
	if err := t.navigate(ctx, rawURL); err != nil {
		return err
	}
	if !t.until(ctx, func(s *state) bool { return s.loader != s.blank && s.reached[proto.PageLifecycleEventNameLoad] }) {
		return ctx.Err()
	}
	b.tabs.entered(t, true)
	return nil
}

// RodPage is the current page as rod drives it.
func (b *Browser) RodPage() (*rod.Page, error) {
	t, err := b.page()
	if err != nil {
		return nil, err
	}
	return b.rod.PageFromTarget(t.id)
}
