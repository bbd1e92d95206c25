package run

import (
	"context"

	"errand/planner/plan"
)

// Prepare prepares a plan with the engine's dispatcher.
func (e *Engine) Prepare(ctx context.Context, runID string, p plan.Plan) Prepared {
	return e.d.Prepare(ctx, runID, p)
}
