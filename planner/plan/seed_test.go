package plan

import (
	"strings"
	"testing"

	"errand/planner/message"
)

// TestSeedResults: a planner that is broken can't answer success without an
// action: the contract calls that a critical violation.
func TestSeedResults(t *testing.T) {
	t.Run("S4-T10 success without an action is caught", func(t *testing.T) {
		for name, result := range map[string]func() Result{
			"success": func() Result { return NewSuccess(Plan{}, Proof{}) },
			"partial": func() Result { return PartlySucceeded(Plan{}, message.Message{}, nil, Proof{}) },
		} {
			func() {
				defer func() {
					if broken, _ := recover().(string); !strings.Contains(broken, "needs one that plan.New made") {
						t.Errorf("%s: %q", name, broken)
					}
				}()
				t.Errorf("%s is %+v", name, result())
			}()
		}
		if _, err := New(Content{Origin: UserGoal, GoalAchievedBy: "a1"}); err == nil {
			t.Error("a plan without an action")
		}
	})
}
