package drafts

import (
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/run"
	"errand/host/tool"
	"errand/planner/message"
	"errand/planner/plan"
)

// TestScopeOfAction: a draft says so if a call may change more than its arguments name.
func TestScopeOfAction(t *testing.T) {
	folders := []string{"/home/ann/Documents", "ro:/home/ann/Desktop", "/home/ann/Downloads"}
	const anything = "It may change anything in /home/ann/Documents and /home/ann/Downloads."
	for _, tt := range []struct {
		name          string
		class         tool.SideEffectClass
		writes, paths []string
		preview, want string
	}{
		{"named paths", tool.Write, []string{"path"}, folders, "", ""},
		{"anything", tool.Write, []string{tool.AnyPath}, folders, "", anything},
		{"a read", tool.Read, []string{tool.AnyPath}, folders, "", ""},
		{"no folder is granted", tool.Write, []string{tool.AnyPath}, nil, "", ""},
		{"only read-only folders", tool.Write, []string{tool.AnyPath}, []string{"ro:/home/ann/Desktop"}, "", ""},
		{"a tool without folders", tool.Write, nil, nil, "", ""},
		{"a proposer's own words come after it", tool.Write, []string{tool.AnyPath}, folders, "Only sorts.", anything + " Only sorts."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			effect := tool.EffectFile
			if tt.class == tool.Read {
				effect = tool.EffectRead
			}
			action := plan.Action{ActionID: "a1", Tool: "sort.all", Args: map[string]any{}, Preview: message.Verbatim(tt.preview)}
			p, err := plan.New(plan.Content{Origin: plan.UserGoal, Language: "en", Inputs: plan.Inputs{RawText: "sort"}, GoalAchievedBy: "a1", Actions: []plan.Action{action}})
			must.Succeed(t, err)
			got := ActionsOf(run.Prepared{Plan: p, Verdicts: []run.Verdict{{ActionID: "a1", Tool: "sort.all", Spec: tool.Spec{SideEffectClass: tt.class, Effect: effect, Writes: tt.writes, Paths: tt.paths}}}})
			if note := i18n.English().Text(got[0].Note); note != tt.want {
				t.Errorf("note %q, want %q", note, tt.want)
			}
		})
	}
}
