package grants

import (
	"context"

	"errand/policy"
)

// AllowHost grants a host to one run, or with always to every run until it is revoked. Like
// [Keeper.Grant] it is for the user's own answer alone.
func (k *Keeper) AllowHost(ctx context.Context, runID, pattern string, always bool) error {
	r := Request{Pattern: pattern, Scope: policy.ForRun, Run: runID}
	if always {
		r.Scope, r.Run = policy.Always, ""
	}
	_, err := k.Grant(ctx, r)
	return err
}
