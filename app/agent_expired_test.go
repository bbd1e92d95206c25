package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"errand/app/agent"
	"errand/app/drafts"
	"errand/app/i18n"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/llm"
	"errand/host/llm/llmtest"
	"errand/host/trace"
	"errand/policy/approval"
)

// TestExpiredDraftOfAgent checks that an expired draft of a model's calls is never applied, and that the
// conversation goes on with the same calls in a new draft when the run is resumed.
func TestExpiredDraftOfAgent(t *testing.T) {
	args := map[string]any{"content": "oats"}
	models := llmtest.Start(t, llmtest.Conversation(
		llmtest.Answer{Text: "Saving.", Calls: []llm.Call{{Name: "files.create_file", Args: args}}}, llmtest.Answer{Text: "Saved."},
	))
	a, home := opened(t, Options{}, "ERRAND_AGENT_INTERNAL_ENABLED=true", "ERRAND_AGENT_INTERNAL_PROVIDERS=ollama", "ERRAND_LLM_OLLAMA_BASE_URL="+models.URL, "ERRAND_AGENT_INTERNAL_ALLOWED_TOOLS=files.create_file")
	c := &clock{at: time.Now()}
	a.now = c.now
	path := filepath.Join(home, "Documents", "list.txt")
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
	args["path"] = path
	first, err := a.ModelAgent.Ask(t.Context(), runs.Request{Words: "save my list"}, agent.TaskOptions{})
	if err != nil || first.Status != trace.NeedsApproval {
		t.Fatalf("%+v, %v", first, err)
	}
	c.pass(approval.TTL + time.Second)
	if _, err := a.Approve(t.Context(), runs.ApproveRequest{ID: first.DraftID}); codeOf(err) != drafts.CodeDraftExpired || there(path) {
		t.Fatalf("approved late: %v", err)
	}
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: first.RunID})
	if err != nil || again.RunID != first.RunID || again.Status != trace.NeedsApproval || again.DraftID == first.DraftID || again.Draft.Actions[0].ActionID != first.Draft.Actions[0].ActionID {
		t.Fatalf("resumed: %+v, %v", again, err)
	}
	if n := len(models.Received()); n != 1 || there(path) {
		t.Errorf("the model was asked %d times for one turn", n)
	}
	done, err := a.Approve(t.Context(), runs.ApproveRequest{ID: again.DraftID})
	if err != nil || done.Status != trace.Done || i18n.English().Text(done.Answer) != "Saved." {
		t.Fatalf("approved: %+v, %v", done, err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "oats" || len(models.Received()) != 2 {
		t.Errorf("%q, %v, %d requests", b, err, len(models.Received()))
	}
}
