package runs

import (
	"testing"

	"errand/build/must"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestRedactions counts the values that are cleaned in a run of one step: both parts of its
// setting, its words, their interpretation and plan, and the step's arguments and payload. An
// approval adds the draft's plan and its views before and after the run, and a write the
// arguments that are recorded before the call.
func TestRedactions(t *testing.T) {
	for _, tt := range []struct {
		name, tool string
		want       int
	}{
		{"allowed", "note.read", 7},
		{"approved", "note.write", 11},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, t.TempDir(), nil)
			cleaned := 0
			p.o.Vault.Watch = func(any) { cleaned++ }
			made, err := plan.New(plan.Content{
				Origin: plan.UserGoal, Language: "en", Domain: "mixed", Summary: message.Verbatim("a note"),
				Inputs: plan.Inputs{RawText: "a note"}, GoalAchievedBy: "a1",
				Actions: []plan.Action{{ActionID: "a1", Tool: tt.tool, Args: map[string]any{}, Confidence: 1, RiskLevel: plan.Low, Preview: message.Verbatim("a note")}},
			})
			must.Succeed(t, err)
			report, err := p.Start(t.Context(), Request{Origin: plan.UserGoal, Plan: &Plan{Plan: made}, Yes: true})
			if err != nil || report.Status != trace.Done {
				t.Fatalf("%s: %v, %v", report.Status, report.Error, err)
			}
			if cleaned != tt.want {
				t.Errorf("%d values are cleaned, want %d", cleaned, tt.want)
			}
		})
	}
}
