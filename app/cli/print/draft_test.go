package print

import (
	"bytes"
	"strings"
	"testing"

	"errand/app/drafts"
	"errand/planner/plan"
	"errand/policy/approval"
)

// TestArgument checks that arguments are printed as text or JSON, never in Go's format.
func TestArgument(t *testing.T) {
	tests := map[string]any{
		"plain <text>":         "plain <text>",
		`""`:                   "",
		"true":                 true,
		"12345678":             12345678.0,
		`["a","b <c>"]`:        []any{"a", "b <c>"},
		`{"k":{"deep":[1,2]}}`: map[string]any{"k": map[string]any{"deep": []any{1.0, 2.0}}},
		"null":                 nil,
	}
	for want, v := range tests {
		if got := Argument(v); got != want {
			t.Errorf("%#v is shown as %s, want %s", v, got, want)
		}
	}
}

// TestPrintDraftBody checks that a draft shows what an action deletes and whether that can be
// undone, without internal arguments of an undo that Errand made.
func TestPrintDraftBody(t *testing.T) {
	for _, reversible := range []bool{true, false} {
		var b bytes.Buffer
		(&Console{}).PrintDraftBody(&b, drafts.View{Undoes: "r1", Actions: []drafts.Action{{Action: approval.Action{
			Action: plan.Action{
				ActionID: "a1", Tool: "files.delete_folder", Args: map[string]any{"path": "/a", "if_unchanged": "folder ino=1", "recursive": true},
			},
			Reversible: reversible, Destroys: []string{"/a"}, Count: 3,
		}}}})
		want := "      destroys /a\n"
		if reversible {
			want = "      deletes /a (you can undo this)\n"
		}
		for _, line := range []string{want, "      path: /a\n", "      recursive: true\n", "and 2 more"} {
			if !strings.Contains(b.String(), line) {
				t.Errorf("no %q in\n%s", line, b.String())
			}
		}
		if strings.Contains(b.String(), "ino=1") {
			t.Errorf("an internal argument is in\n%s", b.String())
		}
	}
}

// TestPrintDraftOfOthers checks that a draft which is not an undo shows every argument: those that
// Errand writes itself into an undo may come from a recipe or from the user.
func TestPrintDraftOfOthers(t *testing.T) {
	for tool, args := range map[string]map[string]any{
		"files.delete_file":   {"path": "/a", "made": "/a/x1", "if_unchanged": "file ino=1"},
		"files.delete_folder": {"path": "/a", "made": "/b", "trashed": "/c"},
		"files.move":          {"path": "/a", "destination": "/b", "made": "/m", "if_unchanged": "file ino=2"},
		"files.cut_back":      {"path": "/a", "size": 0.0, "modified": "1704067200000000000", "if_unchanged": "file ino=3"},
		"system.set_setting":  {"setting": "search", "value": "bing", "if_value": "google"},
	} {
		var b bytes.Buffer
		(&Console{}).PrintDraftBody(&b, drafts.View{Actions: []drafts.Action{{Action: approval.Action{
			Action: plan.Action{ActionID: "a1", Tool: tool, Args: args},
		}}}})
		for name, value := range args {
			if line := "      " + name + ": " + Argument(value) + "\n"; !strings.Contains(b.String(), line) {
				t.Errorf("%s: no %q in\n%s", tool, line, b.String())
			}
		}
	}
}
