package actions

import (
	"context"

	"errand/host/tool"
)

// forecaster is an action that can predict its effect.
type forecaster struct {
	tool.Tool
	forecast func(context.Context, tool.Call) (tool.Forecast, error)
}

// reconciler can also find out whether an interrupted call took effect.
type reconciler struct {
	forecaster
	reconcile func(ctx context.Context, call tool.Call) (tool.Reconciled, error)
}

// Reconcile implements [tool.Reconciler].
func (r reconciler) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	return r.reconcile(ctx, call)
}

// Forecast implements [tool.Forecaster].
func (f forecaster) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	return f.forecast(ctx, call)
}
