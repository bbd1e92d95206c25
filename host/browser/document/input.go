package document

import (
	"context"

	"github.com/go-rod/rod/lib/proto"

	"errand/host/browser/chromium"
)

// Input is sent like that of a device, so that a page can't distinguish it from a user's
// and its scripts react in the same way.

func (d *Document) Move(ctx context.Context, at Readiness) error {
	return proto.InputDispatchMouseEvent{Type: proto.InputDispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y}.
		Call(d.Call(ctx, chromium.CallTimeout))
}

// press clicks once with the main button.
func (d *Document) press(ctx context.Context, at Readiness) error {
	for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
		err := proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y, Button: proto.InputMouseButtonLeft, ClickCount: 1}.
			Call(d.Call(ctx, chromium.CallTimeout))
		if err != nil {
			return err
		}
	}
	return nil
}

// Click moves the pointer to a point and clicks. It calls check in between and does not click if
// that fails.
func (d *Document) Click(ctx context.Context, at Readiness, check func(context.Context) error) error {
	if err := d.Move(ctx, at); err != nil {
		return err
	}
	if err := check(ctx); err != nil {
		return err
	}
	return d.press(ctx, at)
}
