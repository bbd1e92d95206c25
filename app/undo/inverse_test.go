package undo

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/plan"
)

func TestInversesDepend(t *testing.T) {
	step := func(id, path string) trace.Step {
		args := map[string]any{"path": path}
		return trace.Step{
			StepID: id, ToolName: "files.delete_folder", Status: trace.Done, EffectKey: id, Args: args,
			Undo: &tool.Inverse{Tool: "files.restore", Args: map[string]any{"path": path, "trashed": id}},
		}
	}
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	planned := `{"plan":{"actions":[{"action_id":"a1"},{"action_id":"a2","depends_on":["a1"]},{"action_id":"a3","depends_on":["a2"]}]}}`
	for name, tt := range map[string]struct {
		result string
		steps  []trace.Step
		by     map[string]string
		want   [][]string // of the inverses, the last step's first
	}{
		"apart":                  {`{}`, []trace.Step{step("a1", at("A")), step("a2", at("AB"))}, nil, [][]string{nil, nil}},
		"within":                 {`{}`, []trace.Step{step("a1", at("A/x")), step("a2", at("A"))}, nil, [][]string{nil, {"a1"}}},
		"around":                 {`{}`, []trace.Step{step("a1", at("A")), step("a2", at("A/x")), step("a3", at("B"))}, nil, [][]string{nil, nil, {"a2"}}},
		"equal":                  {`{}`, []trace.Step{step("a1", at("A")), step("a2", at("A"))}, nil, [][]string{nil, {"a1"}}},
		"planned":                {planned, []trace.Step{step("a1", at("A")), step("a2", at("B"))}, nil, [][]string{nil, {"a1"}}},
		"planned by way of some": {planned, []trace.Step{step("a1", at("A")), step("a3", at("C"))}, nil, [][]string{nil, {"a1"}}},
		"undone":                 {planned, []trace.Step{step("a1", at("A")), step("a2", at("B"))}, map[string]string{"a2": "u1"}, [][]string{nil}},
		"a circle":               {`{"plan":{"actions":[{"action_id":"a1","depends_on":["a1"]}]}}`, []trace.Step{step("a1", at("A")), step("a2", at("B"))}, nil, [][]string{nil, nil}},
		"no record of it":        {`[`, []trace.Step{step("a1", at("A")), step("a2", at("B"))}, nil, [][]string{nil, nil}},
	} {
		rec := trace.Record{Run: trace.Run{RunID: "r1", Result: json.RawMessage(tt.result)}, Steps: tt.steps}
		got := invert(rec, attempts{undoneBy: tt.by}, nil).actions
		same := slices.EqualFunc(got, tt.want, func(a plan.Action, want []string) bool { return slices.Equal(a.DependsOn, want) })
		if !same {
			t.Errorf("%s: %+v, want dependencies %v", name, got, tt.want)
		}
	}
}
