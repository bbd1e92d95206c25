package browser

import (
	"context"

	"github.com/go-rod/rod/lib/proto"
)

// Input goes to the page as a device's would: the page can't tell it from a
// person's, and its own scripts run as for one.

func (d *document) move(ctx context.Context, at readiness) error {
	return proto.InputDispatchMouseEvent{Type: proto.InputDispatchMouseEventTypeMouseMoved, X: at.X, Y: at.Y}.
		Call(d.call(ctx, callTimeout))
}

// press clicks once with the main button.
func (d *document) press(ctx context.Context, at readiness) error {
	for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
		err := proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y, Button: proto.InputMouseButtonLeft, ClickCount: 1}.
			Call(d.call(ctx, callTimeout))
		if err != nil {
			return err
		}
	}
	return nil
}

// click moves the pointer to a point and clicks there.
func (d *document) click(ctx context.Context, at readiness) error {
	if err := d.move(ctx, at); err != nil {
		return err
	}
	return d.press(ctx, at)
}
