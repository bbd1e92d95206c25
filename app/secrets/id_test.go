package secrets

import (
	"fmt"
	"testing"

	"errand/planner/plan"
	"errand/policy/redact"
)

// TestIDsAreNoCards tests that redaction leaves every plan_id as it is.
func TestIDsAreNoCards(t *testing.T) {
	redactor := redact.New(nil)
	for i := range 100_000 {
		id := plan.ID(plan.UserGoal, fmt.Sprint("goal ", i), "en")
		if digits := longest(id); digits < 12 {
			continue // redaction takes its time
		}
		if got := redactor.Text(id); got != id {
			t.Errorf("%s became %s", id, got)
		}
	}
}

// longest is the length of the longest number in a text.
func longest(text string) (n int) {
	run := 0
	for _, c := range text {
		if run++; c < '0' || c > '9' {
			run = 0
		}
		n = max(n, run)
	}
	return n
}
