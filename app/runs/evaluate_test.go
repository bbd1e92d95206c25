package runs

import (
	"context"
	"encoding/json"
	"testing"

	"errand/app/drafts"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
	"errand/planner/plan"
	"errand/policy"
)

// TestEvaluatedOnce counts the decisions about an action and the look-ups of its name: one before
// the run, and one right before its call, even if the user is asked in between. A stored draft is
// compared with the present state without looking up a name.
func TestEvaluatedOnce(t *testing.T) {
	yes := func(context.Context, drafts.View) (drafts.Answer, error) { return drafts.Answer{Yes: true}, nil }
	tests := []struct {
		name, tool string
		request    Request
		later      bool // the draft waits and is approved later
		decisions  int32
		lookUps    int32
	}{
		{"allowed", "note.read", Request{}, false, 2, 2},
		{"approved in advance", "note.write", Request{Yes: true}, false, 2, 2},
		{"approved when asked", "note.write", Request{Approve: yes}, false, 2, 2},
		{"approved later", "note.write", Request{}, true, 2, 1},
		{"rehearsed", "note.read", Request{DryRun: true}, false, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, t.TempDir(), nil)
			made, err := plan.New(plan.Content{
				Origin: plan.UserGoal, Language: "en", Domain: "mixed", Summary: message.Verbatim("a note"),
				Inputs: plan.Inputs{RawText: "a note"}, GoalAchievedBy: "a1",
				Actions: []plan.Action{{ActionID: "a1", Tool: tt.tool, Args: map[string]any{}, Confidence: 1, RiskLevel: plan.Low, Preview: message.Verbatim("a note")}},
			})
			must.Succeed(t, err)
			tt.request.Origin, tt.request.Plan = plan.UserGoal, &Plan{Plan: made}
			report, err := p.Start(t.Context(), tt.request)
			if tt.later && err == nil && report.Status == trace.NeedsApproval {
				p.decisions.Store(0)
				p.lookUps.Store(0)
				report, err = p.Approve(t.Context(), ApproveRequest{ID: report.DraftID})
			}
			if err != nil || report.Status != trace.Done {
				t.Fatalf("%s: %v, %v", report.Status, report.Error, err)
			}
			if d, l := p.decisions.Load(), p.lookUps.Load(); d != tt.decisions || l != tt.lookUps {
				t.Errorf("%d decisions and %d look-ups; want %d and %d", d, l, tt.decisions, tt.lookUps)
			}
		})
	}
}

// TestVerdictJSON checks that the JSON of reports has no internal fields.
func TestVerdictJSON(t *testing.T) {
	b, err := json.Marshal(Verdict{
		ActionID: "a1", Tool: "files.delete", Decision: policy.Decision{Rule: "list"}, ArgsHash: "ab", Effect: tool.EffectFile,
		Spec: tool.Spec{Name: "files.delete"}, Forecast: &tool.Forecast{Count: 1, Identity: "inode"},
	})
	must.Succeed(t, err)
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil || len(keys) != 4 {
		t.Errorf("%s, %v; want action_id, tool, decision and forecast", b, err)
	}
	var forecast tool.Forecast
	if err := json.Unmarshal(keys["forecast"], &forecast); err != nil || forecast.Identity != "" || forecast.Count != 1 {
		t.Errorf("forecast %s, %v", keys["forecast"], err)
	}
}
