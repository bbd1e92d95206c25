package browser

import (
	"context"
	"fmt"

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
