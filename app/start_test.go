package app

import (
	"testing"

	"errand/app/config"
	"errand/app/planning"
	"errand/build/must"
	"errand/planner/plan"
)

// BenchmarkStart is what a command pays before it can plan: configuration,
// catalogue, policy, words and manifests, and then the plan itself. What the
// process loads once is loaded in the first round only.
func BenchmarkStart(b *testing.B) {
	env := []string{"HOME=" + b.TempDir()}
	b.ReportAllocs()
	for b.Loop() {
		app, err := Open(Options{Config: config.Options{Env: env}})
		must.Succeed(b, err)
		p, err := app.Plan(b.Context(), planning.Request{Origin: plan.UserGoal, Text: "open youtube and search nvidia"})
		if err != nil || p.Result == nil {
			b.Fatalf("plan: %+v, %v", p, err)
		}
		must.Succeed(b, app.Close())
	}
}
