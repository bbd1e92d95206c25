package run

import (
	"context"
	"time"

	"errand/host/tool"
)

// pinTimeout limits the inspection of the created object.
const pinTimeout = time.Second

// pinInverse adds to an inverse what identifies the current object, so that undo can't
// hit another one. If the tool adds nothing, fails or takes too long, the inverse
// stays as it is.
func (d *Dispatcher) pinInverse(ctx context.Context, undo *tool.Inverse) *tool.Inverse {
	if undo == nil {
		return nil
	}
	t, _ := d.o.Tools.Get(undo.Tool)
	p, can := t.(tool.Pinner)
	if !can {
		return undo
	}
	args, err := tool.CopyArgs(undo.Args)
	if err != nil {
		return undo
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), pinTimeout)
	defer cancel()
	a := callWithDeadline(ctx, limited, d, runningCall{name: undo.Tool}, func() (map[string]any, error) { return p.Pin(limited, args) })
	if a.err != nil || a.value == nil {
		return undo
	}
	return &tool.Inverse{Tool: undo.Tool, Args: a.value}
}
