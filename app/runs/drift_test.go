package runs

import (
	"context"
	"slices"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestChangesWhileAsked changes the machine while the user looks at a draft of two actions and
// approves it. The first action runs only if the second can still run as shown.
func TestChangesWhileAsked(t *testing.T) {
	tests := []struct {
		name   string
		change func(*noteState)
		calls  []string
		status trace.Status
		code   string
	}{
		{"nothing", func(*noteState) {}, []string{"note.write", "note.erase"}, trace.Done, ""},
		{"a note of the forecast alone", func(s *noteState) { s.forecast.Note = message.Verbatim("goes to the trash") }, []string{"note.write", "note.erase"}, trace.Done, ""},
		{"more would be erased", func(s *noteState) { s.forecast.Count = 3 }, nil, trace.NeedsApproval, drafts.CodeDrift},
		{"another note would be erased", func(s *noteState) { s.forecast.Identity = "other" }, nil, trace.NeedsApproval, drafts.CodeDrift},
		{"it can't be undone any more", func(s *noteState) { s.forecast.Reversible = false }, nil, trace.NeedsApproval, drafts.CodeDrift},
		{"policy", func(s *noteState) { s.policy = strings.Repeat("a", 64) }, nil, trace.NeedsApproval, drafts.CodeDrift},
		{"the note is gone", func(s *noteState) {
			s.fault = tool.NewError(tool.ValidationError, "not_there", message.Verbatim("it is not there"))
		}, nil, trace.Failed, "not_there"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, t.TempDir(), nil)
			made, err := plan.New(plan.Content{
				Origin: plan.UserGoal, Language: "en", Domain: "mixed", Summary: message.Verbatim("notes"), Inputs: plan.Inputs{RawText: "notes"}, GoalAchievedBy: "a2",
				Actions: []plan.Action{
					{ActionID: "a1", Tool: "note.write", Args: map[string]any{}, Confidence: 1, RiskLevel: plan.Low, Preview: message.Verbatim("write")},
					{ActionID: "a2", Tool: "note.erase", Args: map[string]any{}, Confidence: 1, RiskLevel: plan.High, Preview: message.Verbatim("erase"), DependsOn: []string{"a1"}},
				},
			})
			must.Succeed(t, err)
			report, err := p.Start(t.Context(), Request{Origin: plan.UserGoal, Plan: &Plan{Plan: made}, Approve: func(context.Context, drafts.View) (drafts.Answer, error) {
				tt.change(&p.state)
				return drafts.Answer{Yes: true}, nil
			}})
			must.Succeed(t, err)
			code := ""
			if report.Error != nil {
				code = report.Error.Code
			}
			if report.Status != tt.status || code != tt.code || !slices.Equal(p.calls.names, tt.calls) {
				t.Errorf("%s (%s) after calls of %v, want %s (%s) after %v", report.Status, code, p.calls.names, tt.status, tt.code, tt.calls)
			}
		})
	}
}
