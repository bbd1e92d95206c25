package app

import (
	"testing"

	"errand/app/planning"
	"errand/app/runs"
	"errand/build/must"
	"errand/planner/plan"
)

// TestPlanOpensNoRecord: a plan without paths is made and judged without the record, which would take
// longer to open than the rest.
func TestPlanOpensNoRecord(t *testing.T) {
	a, home := opened(t, Options{})
	_, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "what time is it"})
	must.Succeed(t, err)
	later := reopened(t, home)
	for _, tt := range []struct {
		words string
		opens bool
	}{{"open youtube and search nvidia", false}, {"what is 15% of 80", false}, {"create folder Reports in documents", true}} {
		planned, err := later.Planner.Plan(t.Context(), planning.Request{Origin: plan.UserGoal, Text: tt.words})
		must.Succeed(t, err)
		p, ok := planned.Result.Plan()
		if !ok {
			t.Fatalf("%s: no plan", tt.words)
		}
		_, err = later.Preview(t.Context(), p, "")
		must.Succeed(t, err)
		if opened := later.bus.Load() != nil; opened != tt.opens {
			t.Errorf("%s: the record was opened: %v", tt.words, opened)
		}
	}
}
