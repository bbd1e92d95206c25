package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// Input goes to the page as a device's would: the page can't tell it from a
// person's, and its own scripts run as for one.

func (t *tab) move(ctx context.Context, at readiness) error {
	return proto.InputDispatchMouseEvent{Type: proto.InputDispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y}.
		Call(t.call(ctx, callTimeout))
}

// press clicks once with the main button.
func (t *tab) press(ctx context.Context, at readiness) error {
	for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
		err := proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y, Button: proto.InputMouseButtonLeft, ClickCount: 1}.
			Call(t.call(ctx, callTimeout))
		if err != nil {
			return err
		}
	}
	return nil
}

// inFront reports whether the page is known to be in front, where it paints.
func (t *tab) inFront() bool {
	ts := t.b.tabs
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.inFront == t
}

// front brings the page in front, where it paints and takes input.
func (t *tab) front(ctx context.Context) error {
	ts := t.b.tabs
	ts.mu.Lock()
	there := ts.inFront == t
	ts.inFront = t
	ts.mu.Unlock()
	if there {
		return nil
	}
	return proto.PageBringToFront{}.Call(t.call(ctx, callTimeout))
}
