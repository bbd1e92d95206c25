package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// browses is the conversation of a model that searches the demo's pages, opens a result, reads it,
// saves what it read and appends a line, and answers.
func browses(folder string) []llmtest.Answer {
	call := func(name string, args map[string]any) llm.Call { return llm.Call{Name: name, Args: args} }
	return []llmtest.Answer{
		{Text: "Searching.", Calls: []llm.Call{call("browser.search", map[string]any{"engine": "youtube", "query": "nvidia"})}},
		{Calls: []llm.Call{call("browser.open", map[string]any{"url": "https://github.com/nvidia/cuda"})}},
		{Calls: []llm.Call{call("browser.read_text", map[string]any{})}},
		{Calls: []llm.Call{created(folder+"/list.txt", "nvidia\n"), reads(folder + "/notes.txt")}},
		{Calls: []llm.Call{call("files.append", map[string]any{"path": folder + "/list.txt", "text": "cuda\n"})}},
		{Text: "Saved what I read."},
	}
}

const browsingTools = "ERRAND_AGENT_INTERNAL_ALLOWED_TOOLS=browser.search,browser.open,browser.read_text,files.read,files.create_file,files.append"

// TestAgentOnDemoSite does a bounded task by each of the three protocols, in the shorter tier by one:
// search, open, read, save with an approval, answer.
func TestAgentOnDemoSite(t *testing.T) {
	needBrowser(t)
	for _, provider := range []string{"openai", "anthropic", "ollama"}[:tier.Size(1, 3)] {
		t.Run(provider, func(t *testing.T) {
			u := withAgent(t, browses, browsingTools)
			u.env = append(u.env, "ERRAND_LLM_OPENAI_BASE_URL="+u.models.BaseURL("openai"), "ERRAND_LLM_ANTHROPIC_BASE_URL="+u.models.URL, "OPENAI_API_KEY=sk-own-Hunter22Hunter22", "ANTHROPIC_API_KEY=sk-ant-Hunter22Hunter22")
			code, r := u.does(t, "ask", "--demo", "--provider", provider, "find out about nvidia and save it")
			if code != int(print.NeedsApproval) || r.Draft == nil || len(r.Draft.Actions) != 2 {
				t.Fatalf("exit %d, %+v", code, r)
			}
			if told := u.told(); !strings.Contains(told, "nvidia/cuda") || !strings.Contains(told, "untrusted from=") {
				t.Errorf("the model got %s", told)
			}
			code, again := u.does(t, "approve", r.DraftID)
			if code != int(print.NeedsApproval) || again.RunID != r.RunID {
				t.Fatalf("exit %d, %+v", code, again)
			}
			code, last := u.does(t, "approve", again.DraftID)
			if code != int(print.Done) || last.RunID != r.RunID || last.StopReason != "completed" || last.Answer != "Saved what I read." {
				t.Fatalf("exit %d, %+v", code, last)
			}
			if b, err := os.ReadFile(u.path("list.txt")); err != nil || string(b) != "nvidia\ncuda\n" {
				t.Errorf("the file has %q, %v", b, err)
			}
			if n := len(u.models.Received()); n != 6 {
				t.Errorf("the model was asked %d times, want 6", n)
			}
			u.replays(t, r.RunID)
		})
	}
}

// TestAgentKilled kills the program with SIGKILL at random moments of the same task, and resumes
// the run. Every effect is there once, and the model is never asked for a turn that is recorded.
func TestAgentKilled(t *testing.T) {
	needBrowser(t)
	moments := tier.Size(3, 20)
	whole := time.Duration(0)
	for moment := range moments + 1 {
		u := withAgent(t, browses, browsingTools, "ERRAND_AS_PROGRAM=1", "PATH="+os.Getenv("PATH"), "GORACE="+raceOptions)
		killed := exec.CommandContext(t.Context(), os.Args[0], "ask", "--demo", "--yes", "--json", "find out about nvidia and save it")
		killed.Env = u.env
		var out bytes.Buffer
		killed.Stdout, killed.Stderr = &out, &out
		began := time.Now()
		must.Succeed(t, killed.Start())
		at := time.Hour // the first one measures
		if moment > 0 {
			at = rand.N(whole)
		}
		kill := time.AfterFunc(at, func() { _ = killed.Process.Kill() })
		err := killed.Wait()
		kill.Stop()
		if moment == 0 {
			whole = time.Since(began)
			must.Succeed(t, err)
		} else if err != nil {
			u.finishKilled(t)
		}
		if b, err := os.ReadFile(u.path("list.txt")); err != nil || string(b) != "nvidia\ncuda\n" {
			t.Errorf("killed after %s of %s: the file has %q, %v\n%s", at, whole, b, err, out.String())
		}
		turns := map[int]int{}
		for _, r := range u.models.Received() {
			turns[r.Turn()]++
		}
		for turn, n := range turns {
			if n > 2 { // the program may die between the request and the record
				t.Errorf("killed after %s: the model was asked for turn %d %d times", at, turn, n)
			}
		}
	}
}

// finishKilled resumes the killed run until it ends, or starts the task again if it was killed before its
// record. It answers what no tool can know: whether the line was appended.
func (u agentUser) finishKilled(t *testing.T) {
	t.Helper()
	for range 5 {
		var list struct {
			Runs []struct {
				RunID  string `json:"run_id"`
				Status string `json:"status"`
			}
		}
		var out bytes.Buffer
		Main(t.Context(), System{Args: []string{"runs", "--json"}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		must.Succeed(t, json.Unmarshal(out.Bytes(), &list))
		switch {
		case len(list.Runs) == 0:
			u.does(t, "ask", "--demo", "--yes", "find out about nvidia and save it")
		case list.Runs[0].Status == "done":
			return
		default:
			_, r := u.does(t, "resume", "--yes", list.Runs[0].RunID)
			if r.Error != nil && r.Error.Code == "outcome_unknown" {
				u.answerUnknown(t, list.Runs[0].RunID)
			}
		}
	}
	t.Error("the run did not end")
}

// answerUnknown tells the program whether the calls of unknown outcome had their effect.
func (u agentUser) answerUnknown(t *testing.T, runID string) {
	t.Helper()
	b, err := os.ReadFile(u.path("list.txt"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for id, is := range map[string]bool{"t4.1": len(b) > 0, "t5.1": strings.Contains(string(b), "cuda")} {
		said := map[bool]string{true: "done", false: "not-done"}[is]
		var out bytes.Buffer
		Main(t.Context(), System{Args: []string{"answer", runID, id + "=" + said}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	}
}
