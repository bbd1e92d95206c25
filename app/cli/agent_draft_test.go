package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// agentUser is a user whose agent may read, create and append to files, with a model that
// follows a script.
type agentUser struct {
	sitting
	models *llmtest.Server
}

func (u agentUser) path(name string) string { return filepath.Join(u.home, "Documents", name) }

// withAgent returns a user whose model answers the turns of a conversation. answers gets the
// folder of the user's documents.
func withAgent(t *testing.T, answers func(folder string) []llmtest.Answer, env ...string) agentUser {
	t.Helper()
	u := agentUser{sitting: sit(t)}
	must.Succeed(t, os.WriteFile(u.path("notes.txt"), []byte("buy oats"), 0o600))
	u.models = llmtest.Start(t, llmtest.Conversation(answers(filepath.Join(u.home, "Documents"))...))
	u.env = append(u.env,
		"ERRAND_AGENT_INTERNAL_ENABLED=true", "ERRAND_AGENT_INTERNAL_PROVIDERS=ollama", "ERRAND_LLM_OLLAMA_BASE_URL="+u.models.URL,
		"ERRAND_AGENT_INTERNAL_ALLOWED_TOOLS=files.read,files.create_file,files.append,system.calculate",
	)
	u.env = append(u.env, env...)
	return u
}

// agentReport is what `errand ask --json` says, and the other commands that continue its run.
type agentReport struct {
	RunID      string `json:"run_id"`
	Status     string `json:"status"`
	StopReason string `json:"stop_reason"`
	DraftID    string `json:"draft_id"`
	Revision   string `json:"revision"` // of a draft
	Answer     any    `json:"answer"`
	Draft      *struct {
		Actions []struct {
			ActionID string `json:"action_id"`
			Tool     string `json:"tool"`
		} `json:"actions"`
	} `json:"draft"`
	Error *struct {
		Code string `json:"code"`
	} `json:"error"`
}

// does runs a command with --json, as a program does.
func (u agentUser) does(t *testing.T, args ...string) (int, agentReport) {
	t.Helper()
	var out, errs bytes.Buffer
	code := Main(t.Context(), System{Args: append(args, "--json"), Env: u.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
	var r agentReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%q: %v in %s%s", args, err, out.String(), errs.String())
	}
	return code, r
}

// told is the last request that the model got.
func (u agentUser) told() string {
	got := u.models.Received()
	return string(got[len(got)-1].Body)
}

func created(path, content string) llm.Call {
	return llm.Call{Name: "files.create_file", Args: map[string]any{"path": path, "content": content}}
}

func reads(path string) llm.Call {
	return llm.Call{Name: "files.read", Args: map[string]any{"path": path}}
}

// saves is the conversation of a model that reads and saves in one turn, appends in the next, and
// answers.
func saves(folder string) []llmtest.Answer {
	return []llmtest.Answer{
		{Text: "Saving.", Calls: []llm.Call{reads(folder + "/notes.txt"), created(folder+"/list.txt", "oats\n")}},
		{Calls: []llm.Call{{Name: "files.append", Args: map[string]any{"path": folder + "/list.txt", "text": "milk\n"}}}},
		{Text: "Saved."},
	}
}

// TestAgentDraft checks that the calls of a turn become a draft, that the run goes on after its
// approval, here or by another program, and what a rejection does.
func TestAgentDraft(t *testing.T) {
	const goesOn = "ERRAND_AGENT_INTERNAL_ON_DENIED=continue"
	for _, tt := range []struct {
		name, typed string
		env         []string
		exit        print.Exit
		list        string // the file; empty: there is none
		told        string
	}{
		{"approved twice", "y\ny\n", nil, print.Done, "oats\nmilk\n", `\"buy oats`},
		{"rejected", "n\n", nil, print.Cancelled, "", ""},
		{"the second one is rejected", "y\nn\n", nil, print.Cancelled, "oats\n", ""},
		{"rejected, and the model is told", "n\nn\n", []string{goesOn}, print.Done, "", `\"code\":\"rejected\"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := withAgent(t, saves, tt.env...)
			code, shown := u.types(t, tt.typed, "ask", "save my list")
			if code != int(tt.exit) {
				t.Errorf("exit %d, want %d:\n%s", code, tt.exit, shown)
			}
			if b, _ := os.ReadFile(u.path("list.txt")); string(b) != tt.list {
				t.Errorf("the file has %q, want %q:\n%s", b, tt.list, shown)
			}
			if !strings.Contains(u.told(), tt.told) {
				t.Errorf("the model got %s", u.told())
			}
			if strings.Contains(shown, "Saved.") != (tt.exit == print.Done) {
				t.Errorf("shown:\n%s", shown)
			}
		})
	}
}

// TestAgentDraftWaits checks that without a terminal each draft waits, has exactly the calls of its
// turn, and that `errand approve` continues the run.
func TestAgentDraftWaits(t *testing.T) {
	u := withAgent(t, saves)
	code, first := u.does(t, "ask", "save my list")
	if code != int(print.NeedsApproval) || first.StopReason != "awaiting_approval" || first.Draft == nil || len(first.Draft.Actions) != 2 || first.Draft.Actions[1].ActionID != "t1.2" {
		t.Fatalf("exit %d, %+v", code, first)
	}
	if u.has("list.txt") {
		t.Error("it was saved without an approval")
	}
	code, second := u.does(t, "approve", first.DraftID)
	if code != int(print.NeedsApproval) || second.RunID != first.RunID || second.DraftID == first.DraftID || len(second.Draft.Actions) != 1 || second.Draft.Actions[0].Tool != "files.append" {
		t.Fatalf("exit %d, %+v", code, second)
	}
	if told := u.told(); !strings.Contains(told, "buy oats") || strings.Count(told, `"role":"tool"`) != 2 {
		t.Errorf("the model got %s", told)
	}
	code, last := u.does(t, "approve", second.DraftID)
	if code != int(print.Done) || last.RunID != first.RunID || last.StopReason != "completed" {
		t.Fatalf("exit %d, %+v", code, last)
	}
	if told := u.told(); strings.Count(told, `"role":"tool"`) != 3 || strings.Contains(told, "no_result") {
		t.Errorf("the model got %s", told)
	}
	if b, err := os.ReadFile(u.path("list.txt")); err != nil || string(b) != "oats\nmilk\n" {
		t.Errorf("the file has %q, %v", b, err)
	}
	if n := len(u.models.Received()); n != 3 {
		t.Errorf("the model was asked %d times, want 3", n)
	}
	u.replays(t, first.RunID)
}

// replays checks that the record of a run tells the same offline. Its replay asks no model.
func (u agentUser) replays(t *testing.T, runID string) {
	t.Helper()
	before := len(u.models.Received())
	var out bytes.Buffer
	code := Main(t.Context(), System{Args: []string{"replay", runID, "--json"}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	var got struct {
		Same        bool                `json:"same"`
		Compared    struct{ Steps int } `json:"compared"`
		NotCompared []any               `json:"not_compared"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != int(print.Done) || !got.Same || got.Compared.Steps == 0 && len(got.NotCompared) < 3 {
		t.Errorf("replay: exit %d, %v:\n%s", code, err, out.String())
	}
	if n := len(u.models.Received()); n != before {
		t.Errorf("the replay asked the model %d times", n-before)
	}
}

// TestAgentDraftChanges checks what the model is told after the user changed a draft, left a call
// out, or rejected it by a command.
func TestAgentDraftChanges(t *testing.T) {
	two := func(folder string) []llmtest.Answer {
		return []llmtest.Answer{
			{Calls: []llm.Call{created(folder+"/a.txt", "a"), created(folder+"/b.txt", "b"), reads(folder + "/notes.txt")}},
			{Text: "Saved."},
		}
	}
	const goesOn = "ERRAND_AGENT_INTERNAL_ON_DENIED=continue"
	for _, tt := range []struct {
		name     string
		env      []string
		commands string // with DRAFT, RUN and SEEN, the revision of an edit; the last one continues the run
		exit     print.Exit
		files    string // that are there
		told     []string
	}{
		{"other arguments", nil, "edit DRAFT t1.1 content=other; approve DRAFT --seen SEEN", print.Done, "a.txt b.txt", []string{`\"args_used\":{\"content\":\"other\"`, "buy oats"}},
		{"a call is left out", nil, "edit DRAFT --drop t1.2; approve DRAFT --seen SEEN", print.Done, "a.txt", []string{`\"code\":\"rejected\"`, "buy oats"}},
		{"a call is rejected", nil, "reject DRAFT t1.1; approve DRAFT", print.Done, "b.txt", []string{`\"code\":\"rejected\"`, "buy oats"}},
		{"all are rejected", nil, "reject DRAFT; resume RUN", print.Denied, "", nil},
		{"all are rejected, and the model is told", []string{goesOn}, "reject DRAFT; resume RUN", print.Done, "", []string{`\"code\":\"rejected\"`, "buy oats"}},
		{"only some are approved", nil, "approve DRAFT t1.1", print.NeedsApproval, "a.txt", nil},
		{"the rest later", nil, "approve DRAFT t1.1; approve DRAFT", print.Done, "a.txt b.txt", []string{"buy oats"}},
		{"resumed while it waits", nil, "resume RUN", print.NeedsApproval, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := withAgent(t, two, tt.env...)
			_, r := u.does(t, "ask", "save both")
			code, seen := -1, ""
			for command := range strings.SplitSeq(tt.commands, "; ") {
				var done agentReport
				code, done = u.does(t, strings.Fields(strings.NewReplacer("DRAFT", r.DraftID, "RUN", r.RunID, "SEEN", seen).Replace(command))...)
				seen = done.Revision
			}
			if code != int(tt.exit) {
				t.Errorf("exit %d, want %d", code, tt.exit)
			}
			var files []string
			for _, name := range []string{"a.txt", "b.txt"} {
				if u.has(name) {
					files = append(files, name)
				}
			}
			if got := strings.Join(files, " "); got != tt.files {
				t.Errorf("files %q, want %q", got, tt.files)
			}
			if n := len(u.models.Received()); n != 1+min(len(tt.told), 1) {
				t.Errorf("the model was asked %d times", n)
			}
			u.replays(t, r.RunID)
			for _, text := range tt.told {
				if !strings.Contains(u.told(), text) {
					t.Errorf("the model was not told %s: %s", text, u.told())
				}
			}
		})
	}
}
