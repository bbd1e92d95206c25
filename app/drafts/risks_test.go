package drafts

import (
	"testing"

	"errand/app/i18n"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestForecastRisks: what a plan is shown to risk follows the forecasts of its calls.
func TestForecastRisks(t *testing.T) {
	deleter := tool.Spec{Name: "files.delete_folder", CanAchieve: []string{"delete_folder"}, SideEffectClass: tool.Write, Effect: tool.EffectFile, Reversible: true}
	maker := tool.Spec{Name: "files.create_folder", SideEffectClass: tool.Write, Effect: tool.EffectFile}
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
