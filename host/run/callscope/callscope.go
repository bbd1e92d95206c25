// Package callscope gives each call of a planner a context of its own, so that one call can be
// interrupted and the run goes on.
package callscope

import "context"

// Planner is a planner that limits its calls one by one, by their ids. If the context of a call ends
// before that of the run, this call alone is interrupted. release frees what the context holds.
type Planner interface {
	CallContext(ctx context.Context, id string) (call context.Context, release context.CancelFunc)
}

// Context returns the context of a call: that of the run, unless the planner is a [Planner].
func Context(ctx context.Context, planner any, id string) (context.Context, context.CancelFunc) {
	if p, ok := planner.(Planner); ok {
		return p.CallContext(ctx, id)
	}
	return ctx, func() {}
}
