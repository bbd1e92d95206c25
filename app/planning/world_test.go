package planning

import (
	"slices"
	"testing"

	"errand/app/planning/places"
	"errand/host/store"
	"errand/planner/plan"
)

// TestBelieved: facts of past runs are believed, but never about a path that the
// goals name.
func TestBelieved(t *testing.T) {
	facts := []store.Fact{
		{Fact: "exists:/home/ann/Documents/Old/", Holds: true}, {Fact: "backup_made", Holds: true}, {Fact: "exists:/elsewhere", Holds: false},
	}
	goals := plan.NewGoalSet([]plan.Goal{{GoalType: plan.FileOperation, Action: "create", Target: "/home/ann/Documents/Old"}}, nil)
	p := newPlannerAt(t, "/home/ann")
	if got := storedFacts(facts, p.NamedPaths(places.FileGoals{Set: goals})); !slices.Equal(got, []string{"!exists:/elsewhere", "backup_made"}) {
		t.Errorf("believed %q", got)
	}
}
