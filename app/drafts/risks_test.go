package drafts

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestForecastRisks: what a plan is shown to risk follows the forecasts of its calls.
func TestForecastRisks(t *testing.T) {
	deleter := tool.Spec{Name: "files.delete_folder", CanAchieve: []string{"delete_folder"}, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true}
	maker := tool.Spec{Name: "files.create_folder", SideEffectClass: tool.Write, Effect: tool.EffectFile}
	foreign := tool.Spec{Name: "trick.tidy", CanAchieve: []string{"create_folder"}, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true, MayDestroy: true}
	reader := tool.Spec{Name: "files.delete_listing", SideEffectClass: tool.Read, Effect: tool.EffectRead}
	static := []plan.Risk{{Kind: plan.Bulk}, {Kind: plan.Destructive, Details: message.New("plan.risk_deletes", "items", []string{"/a"})}}
	remove := plan.Action{ActionID: "a1", Tool: deleter.Name, Args: map[string]any{"path": "/a", "recursive": true}, RiskLevel: plan.High, Preview: message.New("plan.delete_folder", "path", "/a")}
	tests := []struct {
		name     string
		risks    []plan.Risk
		level    plan.RiskLevel // of the action
		spec     tool.Spec
		forecast *tool.Forecast
		want     plan.RiskLevel
		kinds    []plan.RiskKind
		preview  string
	}{
		{"it goes to the trash whole", static, plan.High, deleter, &tool.Forecast{Destroys: []string{"/a"}, Count: 5, Reversible: true}, plan.Medium, []plan.RiskKind{plan.Bulk}, "Delete the folder /a and the 4 things in it"},
		{"it is deleted for good", static, plan.High, deleter, &tool.Forecast{Destroys: []string{"/a"}, Count: 2}, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a and the 1 thing in it"},
		{"nothing is known of it", static, plan.High, deleter, nil, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a"},
		{"nothing is known of it, and the plan was not flagged", static[:1], plan.High, deleter, nil, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a"},
		{"there is nothing to delete", static, plan.High, deleter, &tool.Forecast{Reversible: true}, plan.High, []plan.RiskKind{plan.Bulk}, "Delete the folder /a"},
		{"it destroys more than its tool says", static[:1], plan.Medium, maker, &tool.Forecast{Destroys: []string{"/a"}, Count: 1}, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a"},
		{"it is made", static[:1], plan.Medium, maker, &tool.Forecast{Reversible: true}, plan.Medium, []plan.RiskKind{plan.Bulk}, "Delete the folder /a"},
		{"a plugin that says nothing of it", static[:1], plan.Medium, foreign, nil, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a"},
		{"a plugin that says that it can be undone", static[:1], plan.Low, foreign, &tool.Forecast{Reversible: true}, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a"},
		{"a deletion by its name, graded too low", static[:1], plan.Medium, tool.Spec{Name: "archive.remove_extracted", SideEffectClass: tool.Write, Effect: tool.EffectFile}, nil, plan.High, []plan.RiskKind{plan.Bulk, plan.Destructive}, "Delete the folder /a"},
		{"a call that only reads", static[:1], plan.Low, reader, nil, plan.Low, []plan.RiskKind{plan.Bulk}, "Delete the folder /a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, v := remove, run.Verdict{ActionID: "a1", Tool: tt.spec.Name, Spec: tt.spec, Forecast: tt.forecast}
			a.RiskLevel = tt.level
			got := Forecast(a, v)
			if text := i18n.English().Text(got.Preview); got.RiskLevel != tt.want || text != tt.preview {
				t.Errorf("%s %q, want %s %q", got.RiskLevel, text, tt.want, tt.preview)
			}
			var kinds []plan.RiskKind
			for _, r := range ForecastRisks(tt.risks, []plan.Action{a}, []run.Verdict{v}) {
				kinds = append(kinds, r.Kind)
			}
			if len(kinds) != len(tt.kinds) || kinds[len(kinds)-1] != tt.kinds[len(kinds)-1] {
				t.Errorf("risks %v, want %v", kinds, tt.kinds)
			}
		})
	}
}

// TestActionOfPlugin: what a plugin says of its undo is shown as a claim.
func TestActionOfPlugin(t *testing.T) {
	for _, tt := range []struct {
		name                              string
		says, mayDestroy                  bool
		reversible, destructive, isAClaim bool
	}{
		{"bundled", true, false, true, false, false},
		{"bundled, without an undo", false, false, false, false, false},
		{"another plugin", false, true, false, true, false},
		{"another plugin that says that it can be undone", true, true, false, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := tool.Spec{Name: "trick.rev", SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: tt.says, MayDestroy: tt.mayDestroy}
			c := plan.Content{
				Origin: plan.UserGoal, Language: "en", Domain: "mixed", Summary: message.Verbatim("s"), Inputs: plan.Inputs{RawText: "s"}, GoalAchievedBy: "a1",
				Actions: []plan.Action{{ActionID: "a1", Tool: spec.Name, Args: map[string]any{}, Confidence: 1, RiskLevel: plan.Low, Preview: message.Verbatim("s"), IdempotencyScope: "s"}},
			}
			made, err := plan.New(c)
			must.Succeed(t, err)
			a := ActionsOf(run.Prepared{Plan: made, Verdicts: []run.Verdict{{ActionID: "a1", Tool: spec.Name, Spec: spec}}})[0]
			isAClaim := strings.Contains(i18n.English().Text(a.Note), "The plugin says that it can be undone")
			if a.Reversible != tt.reversible || a.Destructive != tt.destructive || isAClaim != tt.isAClaim {
				t.Errorf("reversible %v, destructive %v, note %q", a.Reversible, a.Destructive, i18n.English().Text(a.Note))
			}
		})
	}
}
