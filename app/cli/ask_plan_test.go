package cli

import (
	"os"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// submitted is a call with a plan that reads the notes, saves a list, and adds a line to it.
func submitted(u agentUser, first string) llmtest.Answer {
	action := func(id, tool string, after []any, args map[string]any) any {
		return map[string]any{"id": id, "tool": tool, "args": args, "depends_on": after}
	}
	return llmtest.Answer{Calls: []llm.Call{{Name: "submit_plan", Args: map[string]any{"actions": []any{
		action("r", first, []any{}, map[string]any{"path": u.path("notes.txt")}),
		action("c", "files.create_file", []any{"r"}, map[string]any{"path": u.path("list.txt"), "content": "oats\n"}),
		action("a", "files.append", []any{"c"}, map[string]any{"path": u.path("list.txt"), "text": "milk\n"}),
	}}}}}
}

// TestAskPlan has a model make a whole plan: it becomes one draft, of which the user sees all actions, and
// runs in its order after one approval. A bad plan is handed back once, and then refused.
func TestAskPlan(t *testing.T) {
	for _, tt := range []struct {
		name, typed string
		first       []string // the tool of the first action, in each answer
		exit        print.Exit
		list        string
		shown       []string
	}{
		{"approved", "y\n", []string{"files.read"}, print.Done, "oats\nmilk\n", []string{"t1.1", "t1.2", "t1.3", "it runs after t1.1, which reads untrusted content (files.read, ", "/notes.txt)", "Saved."}},
		{"rejected", "n\n", []string{"files.read"}, print.Cancelled, "", []string{"t1.3"}},
		{"handed back", "y\n", []string{"files.delete_file", "files.read"}, print.Done, "oats\nmilk\n", []string{"Saved."}},
		{"bad twice", "y\n", []string{"files.delete_file", "files.delete_file"}, print.Failed, "", []string{"the model made no valid plan", "/actions/0/tool"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := withAgent(t, func(string) []llmtest.Answer { return []llmtest.Answer{{}} })
			var answers []llmtest.Answer
			for _, first := range tt.first {
				answers = append(answers, submitted(u, first))
			}
			models := llmtest.Start(t, llmtest.Script(append(answers, llmtest.Answer{Text: "Saved."})...))
			u.env = append(u.env, "ERRAND_LLM_OLLAMA_BASE_URL="+models.URL)
			code, shown := u.types(t, tt.typed, "ask", "--plan", "save my list")
			if code != int(tt.exit) {
				t.Errorf("exit %d, want %d:\n%s", code, tt.exit, shown)
			}
			for _, want := range tt.shown {
				if !strings.Contains(shown, want) {
					t.Errorf("%q is not shown:\n%s", want, shown)
				}
			}
			if strings.Count(shown, "[y/N]") > 1 {
				t.Errorf("it asks more than once:\n%s", shown)
			}
			if b, _ := os.ReadFile(u.path("list.txt")); string(b) != tt.list {
				t.Errorf("the file has %q, want %q:\n%s", b, tt.list, shown)
			}
			if n := len(models.Received()); tt.exit == print.Done && n != len(tt.first)+1 {
				t.Errorf("the model was asked %d times", n)
			}
			must.Succeed(t, os.RemoveAll(u.path("list.txt")))
			_, report := u.types(t, "", "show", "last", "--json")
			if want := len(tt.first); strings.Count(report, `"kind": "model"`) < want {
				t.Errorf("the record has not all requests: %s", report)
			}
		})
	}
}
