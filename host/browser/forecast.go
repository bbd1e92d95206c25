package browser

import (
	"context"

	"errand/host/tool"
)

// forecasting is an act that can say what a call of it would do.
type forecasting struct {
	tool.Tool
	forecast func(context.Context, tool.Call) (tool.Forecast, error)
}

// reconciling is one that can also find out what came of a call.
type reconciling struct {
	forecasting
	reconcile func(ctx context.Context, call tool.Call) (tool.Reconciled, error)
}

// Reconcile implements [tool.Reconciler].
func (r reconciling) Reconcile(ctx context.Context, call tool.Call) (tool.Reconciled, error) {
	return r.reconcile(ctx, call)
}

// Forecast implements [tool.Forecaster].
func (f forecasting) Forecast(ctx context.Context, call tool.Call) (tool.Forecast, error) {
	return f.forecast(ctx, call)
}
