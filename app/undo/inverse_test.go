package undo

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"errand/host/tool"
	"errand/host/trace"
	"errand/planner/message"
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
		got := invert(rec, attempts{undoneBy: tt.by}, nil, nil).actions
		same := slices.EqualFunc(got, tt.want, func(a plan.Action, want []string) bool { return slices.Equal(a.DependsOn, want) })
		if !same {
			t.Errorf("%s: %+v, want dependencies %v", name, got, tt.want)
		}
	}
}

// TestIrreversibleSteps checks which steps an undo covers, what it says about the others,
// and why it has nothing to propose.
func TestIrreversibleSteps(t *testing.T) {
	specs := []tool.Spec{
		{Name: "files.made", Reversible: true},
		{Name: "files.sent"},
		{Name: "clock.read", SideEffectClass: tool.Read},
		{Name: "plugin.claims", Reversible: true, MayDestroy: true},
		{Name: "plugin.admits", MayDestroy: true},
	}
	inverse := &tool.Inverse{Tool: "files.delete_file", Args: map[string]any{"path": "/a"}}
	secret := &tool.Inverse{Tool: "files.delete_file", Args: map[string]any{"path": "[redacted:own:12ab]"}}
	step := func(name string, undo *tool.Inverse) trace.Step {
		s := trace.Step{ToolName: name, Status: trace.Done, EffectKey: "key", Undo: undo}
		if name == "clock.read" {
			s.EffectKey = ""
		}
		return s
	}
	with := func(s trace.Step, change func(*trace.Step)) trace.Step { change(&s); return s }
	failed := with(step("files.made", nil), func(s *trace.Step) { s.Status = trace.Failed })
	withheld := with(step("files.made", nil), func(s *trace.Step) { s.PolicyFlags = []string{trace.FlagUndoWithheld} })
	none := []string(nil)
	for name, tt := range map[string]struct {
		steps        []trace.Step
		undone       bool // the first step
		actions      int
		irreversible []string // reasons, the last step's first
		fault        string   // message; empty: a plan
	}{
		"built-in":                        {[]trace.Step{step("files.made", inverse)}, false, 1, none, ""},
		"built-in without inverse":        {[]trace.Step{step("files.made", nil)}, false, 0, []string{reasonNotRecorded}, "undo.nothing_recorded"},
		"built-in without a way back":     {[]trace.Step{step("files.sent", nil)}, false, 0, []string{reasonNoInverse}, "undo.nothing_reversible"},
		"plugin with inverse":             {[]trace.Step{step("plugin.claims", inverse)}, false, 1, none, ""},
		"plugin claims and gives nothing": {[]trace.Step{step("plugin.claims", nil)}, false, 0, []string{reasonNoInverse}, "undo.nothing_reversible"},
		"plugin without a claim":          {[]trace.Step{step("plugin.admits", nil)}, false, 0, []string{reasonNoInverse}, "undo.nothing_reversible"},
		"plugin that was removed":         {[]trace.Step{step("plugin.gone", nil)}, false, 0, []string{reasonNoInverse}, "undo.nothing_reversible"},
		"read":                            {[]trace.Step{step("clock.read", nil)}, false, 0, none, "undo.nothing_changed"},
		"failed":                          {[]trace.Step{failed}, false, 0, none, "undo.nothing_changed"},
		"no step":                         {nil, false, 0, none, "undo.nothing_changed"},
		"inverse withheld":                {[]trace.Step{withheld}, false, 0, []string{reasonSecret}, "undo.nothing_reversible"},
		"inverse with a secret":           {[]trace.Step{step("files.made", secret)}, false, 0, []string{reasonSecret}, "undo.nothing_reversible"},
		"none has an inverse":             {[]trace.Step{step("plugin.claims", nil), step("files.made", nil)}, false, 0, []string{reasonNotRecorded, reasonNoInverse}, "undo.nothing_reversible"},
		"partly": {
			[]trace.Step{step("files.made", inverse), step("clock.read", nil), failed, step("plugin.claims", nil), step("files.made", nil)},
			false, 1,
			[]string{reasonNotRecorded, reasonNoInverse},
			"",
		},
		"undone":            {[]trace.Step{step("files.made", inverse)}, true, 0, none, "undo.already_undone"},
		"undone in part":    {[]trace.Step{step("files.made", inverse), step("files.made", nil)}, true, 0, []string{reasonNotRecorded}, "undo.already_undone_partly"},
		"undone and a rest": {[]trace.Step{step("files.made", inverse), step("files.made", inverse)}, true, 1, none, ""},
	} {
		rec := trace.Record{Run: trace.Run{RunID: "r1"}}
		for i, s := range tt.steps {
			s.StepID = fmt.Sprintf("a%d", i+1)
			rec.Steps = append(rec.Steps, s)
		}
		past := attempts{undoneBy: map[string]string{}}
		if tt.undone {
			past.undoneBy["a1"] = "u1"
		}
		back := invert(rec, past, specs, nil)
		var reasons []string
		for _, s := range back.irreversible {
			reasons = append(reasons, s.Reason.Code)
		}
		if len(back.actions) != tt.actions || !slices.Equal(reasons, tt.irreversible) {
			t.Errorf("%s: %d actions, irreversible %v; want %d, %v", name, len(back.actions), reasons, tt.actions, tt.irreversible)
		}
		var said message.Message
		if _, fault := back.plan(plan.UserGoal, rec, past); fault != nil {
			said = fault.Message
		}
		if said.Code != tt.fault {
			t.Errorf("%s: %q, want %q", name, said.Code, tt.fault)
		}
	}
}
