package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"errand/app/cli/print"
	"errand/build/must"
	"errand/host/llm"
	"errand/host/llm/llmtest"
)

// shows is the record of a run as JSON.
func (u agentUser) shows(t *testing.T, runID string) string {
	t.Helper()
	var out bytes.Buffer
	Main(t.Context(), System{Args: []string{"show", runID, "--json"}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
	return out.String()
}

// always is a model that gives one answer to everything.
func always(calls ...llm.Call) func(string) []llmtest.Answer {
	return func(string) []llmtest.Answer { return []llmtest.Answer{{Calls: calls}} }
}

// TestAgentLimits checks by the program, and not its engine alone, how the agent's limits end a
// run.
func TestAgentLimits(t *testing.T) {
	sum := func(n int) llm.Call {
		return llm.Call{Name: "system.calculate", Args: map[string]any{"expression": fmt.Sprintf("1+%d", n)}}
	}
	var sums []llmtest.Answer
	for n := range 20 {
		sums = append(sums, llmtest.Answer{Calls: []llm.Call{sum(n)}})
	}
	failing := func(folder string) (out []llmtest.Answer) {
		for n := range 20 {
			out = append(out, llmtest.Answer{Calls: []llm.Call{reads(fmt.Sprintf("%s/none%d.txt", folder, n))}})
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		answers func(string) []llmtest.Answer
		env     string
		stop    string
		calls   int // that are recorded
	}{
		{"S3-T01 a model that always calls a tool", func(string) []llmtest.Answer { return sums }, "", "max_steps", 12},
		{"S3-T02 a provider that does not answer in time", func(string) []llmtest.Answer { return []llmtest.Answer{{Hang: true}} }, "ERRAND_AGENT_INTERNAL_MAX_WALL_TIME_MS=300", "max_wall_time", 0},
		{"S3-T03 a tool that fails", failing, "", "max_failures", 3},
		{"S3-T04 answers without calls", always(), "", "no_op_loop", 0},
		{"the same call with the same result", always(sum(1)), "", "no_op_loop", 3},
		{"more waiting calls than steps are left", func(folder string) []llmtest.Answer {
			return []llmtest.Answer{{Calls: []llm.Call{sum(1), sum(2), created(folder+"/a.txt", "a")}}}
		}, "ERRAND_AGENT_INTERNAL_MAX_STEPS=2", "max_steps", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := withAgent(t, tt.answers, tt.env)
			code, r := u.does(t, "ask", "count")
			if code != int(print.Failed) || r.StopReason != tt.stop || r.Error == nil || r.DraftID != "" {
				t.Errorf("exit %d, %+v, want %s", code, r, tt.stop)
			}
			if n := strings.Count(u.shows(t, r.RunID), `"step_id": "t`); n < tt.calls {
				t.Errorf("%d steps, want %d", n, tt.calls)
			}
		})
	}
}

// TestAgentOff checks that the agent refuses a task until the user turns it on, and that nothing else changes.
func TestAgentOff(t *testing.T) {
	t.Run("S3-T06 an agent that is off", func(t *testing.T) {
		u := withAgent(t, saves, "ERRAND_AGENT_INTERNAL_ENABLED=false")
		code, r := u.does(t, "ask", "save my list")
		if code != int(print.Failed) || r.Error == nil || r.Error.Code != "agent_disabled" || len(u.models.Received()) != 0 {
			t.Errorf("exit %d, %+v, %d requests", code, r, len(u.models.Received()))
		}
		if code, r := u.does(t, "run", "6 * 7"); code != int(print.Done) {
			t.Errorf("a goal: exit %d, %+v", code, r)
		}
	})
}

// TestAgentProtocols checks what a run makes of each provider's answers, and how it sends the
// results.
func TestAgentProtocols(t *testing.T) {
	both := func(folder string) []llmtest.Answer {
		return []llmtest.Answer{
			{Text: "Reading both.", Calls: []llm.Call{reads(folder + "/notes.txt"), {Name: "system.calculate", Args: map[string]any{"expression": "6*7"}}}},
			{Text: "Read."},
		}
	}
	results := map[string]func(messages []json.RawMessage) string{
		"openai": func(m []json.RawMessage) string {
			return fields(m[len(m)-2], "role", "tool_call_id") + ", " + fields(m[len(m)-1], "role", "tool_call_id")
		},
		"anthropic": func(m []json.RawMessage) string {
			var last struct {
				Role    string
				Content []struct {
					Type string
					ID   string `json:"tool_use_id"`
				}
			}
			must.Succeed(t, json.Unmarshal(m[len(m)-1], &last))
			return fmt.Sprint(last)
		},
		"ollama": func(m []json.RawMessage) string {
			return fields(m[len(m)-2], "role", "tool_name") + ", " + fields(m[len(m)-1], "role", "tool_name")
		},
	}
	for _, tt := range []struct{ name, provider, want string }{
		{"S3-T08 two tool_calls of OpenAI", "openai", "tool t1_1, tool t1_2"},
		{"S3-T09 text and tool_use of Anthropic", "anthropic", "{user [{tool_result t1_1} {tool_result t1_2}]}"},
		{"S3-T10 tool_calls of Ollama without ids", "ollama", "tool files_read, tool system_calculate"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u := withAgent(t, both)
			u.env = append(u.env, "ERRAND_LLM_OPENAI_BASE_URL="+u.models.BaseURL("openai"), "ERRAND_LLM_ANTHROPIC_BASE_URL="+u.models.URL, "OPENAI_API_KEY=sk-own-Hunter22Hunter22", "ANTHROPIC_API_KEY=sk-ant-Hunter22Hunter22")
			code, r := u.does(t, "ask", "--provider", tt.provider, "read both")
			record := u.shows(t, r.RunID)
			if code != int(print.Done) || !strings.Contains(record, `"step_id": "t1.1"`) || !strings.Contains(record, `"step_id": "t1.2"`) {
				t.Fatalf("exit %d, %+v:\n%s", code, r, record)
			}
			var sent struct{ Messages []json.RawMessage }
			must.Succeed(t, json.Unmarshal([]byte(u.told()), &sent))
			if got := results[tt.provider](sent.Messages); got != tt.want {
				t.Errorf("the results are sent as %s, want %s", got, tt.want)
			}
			if !strings.Contains(u.told(), "buy oats") || !strings.Contains(u.told(), "42") {
				t.Errorf("the model got %s", u.told())
			}
			u.replays(t, r.RunID)
		})
	}
	t.Run("S3-H33 text and calls", func(t *testing.T) {
		u := withAgent(t, both)
		_, r := u.does(t, "ask", "read both")
		var out bytes.Buffer
		Main(t.Context(), System{Args: []string{"show", r.RunID, "--verbose"}, Env: u.env, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		if !strings.Contains(out.String(), "Reading both.") || !strings.Contains(out.String(), "t1.2 system.calculate") {
			t.Errorf("the record says\n%s", out.String())
		}
	})
	t.Run("S3-H31 arguments that are no object", func(t *testing.T) {
		u := withAgent(t, func(string) []llmtest.Answer {
			return []llmtest.Answer{{Calls: []llm.Call{{Name: "files.read", Malformed: `["cut`}}}, {Text: "Sorry."}}
		})
		code, r := u.does(t, "ask", "read it")
		if code != int(print.Done) || !strings.Contains(u.told(), `\"class\":\"validation_error\",\"code\":\"malformed_args\"`) || !strings.Contains(u.shows(t, r.RunID), `"error_code": "malformed_args"`) {
			t.Errorf("exit %d, %+v, the model got %s", code, r, u.told())
		}
	})
}

// fields are two fields of a JSON object.
func fields(object json.RawMessage, first, second string) string {
	var m map[string]any
	_ = json.Unmarshal(object, &m)
	return fmt.Sprint(m[first], " ", m[second])
}

// TestAgentProviders checks how a run gets over a provider that fails, and that it stops at one that refuses
// the key.
func TestAgentProviders(t *testing.T) {
	start := func(t *testing.T, first llmtest.Answer) agentUser {
		u := withAgent(t, func(string) []llmtest.Answer { return []llmtest.Answer{{Text: "Here."}} })
		failing := llmtest.Start(t, llmtest.Script(first))
		u.env = append(u.env, "ERRAND_AGENT_INTERNAL_PROVIDERS=openai,ollama", "OPENAI_API_KEY=sk-own-Hunter22Hunter22", "ERRAND_LLM_OPENAI_BASE_URL="+failing.BaseURL("openai"), "ERRAND_LLM_OPENAI_TIMEOUT_MS=1000")
		return u
	}
	t.Run("S3-T13 a provider that times out", func(t *testing.T) {
		u := start(t, llmtest.Answer{Hang: true})
		code, r := u.does(t, "ask", "hello")
		record := u.shows(t, r.RunID)
		if code != int(print.Done) || strings.Count(record, `"provider": "openai"`) != 2 || !strings.Contains(record, `"attempt": 2`) || !strings.Contains(record, `"provider": "ollama"`) {
			t.Errorf("exit %d, %+v:\n%s", code, r, record)
		}
	})
	t.Run("S3-H34 a provider that refuses the key", func(t *testing.T) {
		u := start(t, llmtest.Answer{Status: http.StatusUnauthorized, Body: "{}"})
		code, r := u.does(t, "ask", "hello")
		record := u.shows(t, r.RunID)
		if code != int(print.Failed) || r.Error.Code != "provider_error" || strings.Count(record, `"kind": "model"`) != 1 || !strings.Contains(record, "OPENAI_API_KEY") || len(u.models.Received()) != 0 {
			t.Errorf("exit %d, %+v:\n%s", code, r, record)
		}
		if b, err := os.ReadFile(u.path("notes.txt")); err != nil || string(b) != "buy oats" {
			t.Errorf("notes %q, %v", b, err)
		}
	})
}
