package run

import (
	"context"
	"time"

	"errand/host/tool"
)

// pinTimeout bounds the look at what was made.
const pinTimeout = time.Second

// pinned is how a call is taken back, held by the tool that would do it to what
// is there now. Where that tool has nothing to add, fails or takes too long, it
// is as the call said: its effect is there and its way back is not lost.
func (d *Dispatcher) pinned(ctx context.Context, undo *tool.Inverse) *tool.Inverse {
	if undo == nil {
		return nil
	}
	t, _ := d.o.Tools.Get(undo.Tool)
	p, can := t.(tool.Pinner)
	if !can {
		return undo
	}
	args, err := plainArgs(undo.Args)
	if err != nil {
		return undo
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), pinTimeout)
	defer cancel()
	a := await(ctx, within, d, called{name: undo.Tool}, func() (map[string]any, error) { return p.Pin(within, args) })
	if a.err != nil || a.value == nil {
		return undo
	}
	return &tool.Inverse{Tool: undo.Tool, Args: a.value}
}
