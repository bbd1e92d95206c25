package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/agent"
	"errand/app/runs"
	"errand/build/must"
	"errand/host/llm"
	"errand/host/llm/llmtest"
	"errand/host/trace"
)

// site serves pages that a task may read, and counts the requests for each.
type site struct {
	*httptest.Server
	requests map[string]int
}

func serve(t *testing.T, elsewhere string) *site {
	s := &site{requests: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests[r.URL.Path]++
		if r.URL.Path == "/away" {
			http.Redirect(w, r, elsewhere+"/stolen", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>Opening hours</title><p>The library opens at nine.")
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) host() string { return strings.TrimPrefix(s.URL, "http://") }

// reading are settings for tasks that read the pages of two sites.
func reading(sites ...*site) string {
	var domains, private []string
	for _, s := range sites {
		domains, private = append(domains, `, "`+s.URL+`"`), append(private, `"`+s.host()+`"`)
	}
	return fmt.Sprintf("[policy]\nallowed_domains = [\"@catalogue\"%s]\nallow_private = [%s]\n[agent.internal]\nenabled = true\nproviders = [\"openai\"]\n"+
		"allowed_tools = [\"hash.sha256\", \"http.fetch\", \"browser.open\", \"browser.read_text\", \"browser.screenshot\", \"browser.pdf\"]\n",
		strings.Join(domains, ""), strings.Join(private, ", "))
}

// task creates a task with further fields, and waits for its end.
func (w *world) task(fields string) jobAnswer {
	w.t.Helper()
	status, answer := w.ask(w.token, "POST", "/api/wraith", `{"prompt":"when does the library open?"`+fields+`}`)
	var got jobAnswer
	must.Succeed(w.t, json.Unmarshal([]byte(answer), &got))
	if status != http.StatusAccepted {
		w.t.Fatalf("%d %s", status, answer)
	}
	w.awaitEnd(got.JobID)
	return w.job(got.JobID)
}

func fetches(url string) llmtest.Answer {
	return llmtest.Answer{Calls: []llm.Call{{Name: "http.fetch", Args: map[string]any{"url": url}}}}
}

// TestNarrowTask checks that a task does no more than its request allows, though the configuration would
// allow it.
func TestNarrowTask(t *testing.T) {
	const page, forbidden = "https://github.com/nvidia/cuda", "https://wikipedia.org/"
	opens := llmtest.Answer{Calls: []llm.Call{{Name: "browser.open", Args: map[string]any{"url": page}}}}
	eleven := llmtest.Answer{}
	for i := range 11 {
		eleven.Calls = append(eleven.Calls, llm.Call{ID: fmt.Sprint("c", i), Name: "http.fetch", Args: map[string]any{"url": fmt.Sprintf("%s?%d", page, i)}})
	}
	tests := []struct {
		name, fields  string
		answers       []llmtest.Answer
		stop, failure string   // of the run, and of its last step
		lacks         []string // tools that the model is not offered
	}{
		{"within its limits", `,"max_urls":2,"allowed_domains":["github.com"]`, []llmtest.Answer{fetches(page), fetches(page + "?2")}, "completed", "", []string{"browser_screenshot", "browser_pdf"}},
		{"a page too many", `,"max_urls":1`, []llmtest.Answer{fetches(page), fetches(page + "?2")}, "policy_denied", "max_urls", nil},
		{"eleven pages", "", []llmtest.Answer{eleven}, "policy_denied", "max_urls", nil},
		{"another host", `,"allowed_domains":["github.com"]`, []llmtest.Answer{fetches(forbidden)}, "policy_denied", "agent.host_of_task", nil},
		{"another tool", `,"allowed_tools":["hash.sha256"]`, []llmtest.Answer{fetches(page)}, "policy_denied", "agent.not_in_task", []string{"http_fetch"}},
		{"no scripts", `,"javascript":false,"screenshot":true`, []llmtest.Answer{opens}, "policy_denied", "agent.not_in_task", []string{"browser_open", "browser_screenshot"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := openWeb(t, nil, true, reading(), append(tt.answers, llmtest.Answer{Text: "At nine."})...)
			w.endsTask(tt.fields, tt.stop, tt.failure)
			offered := string(w.model.Received()[0].Body)
			for _, name := range tt.lacks {
				if strings.Contains(offered, `"`+name+`"`) {
					t.Errorf("the model is offered %s", name)
				}
			}
		})
	}
}

// endsTask has a task done, and checks how its run and its last step end.
func (w *world) endsTask(fields, stop, failure string) {
	w.t.Helper()
	j := w.task(fields)
	_, result := w.ask(w.token, "GET", "/api/jobs/"+j.JobID+"/result", "")
	if j.StopReason != stop || failure != "" && !strings.Contains(result, `"error_code":"`+failure+`"`) {
		w.t.Errorf("the job is %+v, want %s with %s: %s", j, stop, failure, result)
	}
}

// TestNarrowBrowser checks with a browser that a page leads a task to no other host, though policy allows
// the other one.
func TestNarrowBrowser(t *testing.T) {
	other := serve(t, "")
	first := serve(t, other.URL)
	opens := llmtest.Answer{Calls: []llm.Call{{Name: "browser.open", Args: map[string]any{"url": first.URL + "/away"}}}}
	w := open(t, nil, reading(first, other), opens, llmtest.Answer{Text: "At nine."})
	w.endsTask(`,"allowed_domains":["`+first.URL+`"]`, "policy_denied", "navigation_denied")
	if first.requests["/away"] != 1 || len(other.requests) > 0 {
		t.Errorf("requests %v, %v", first.requests, other.requests)
	}
}

// TestNarrowPrivateAddress checks that a task with hosts of its own reaches no address that allow_private
// opens for others.
func TestNarrowPrivateAddress(t *testing.T) {
	s := serve(t, "")
	opens := llmtest.Answer{Calls: []llm.Call{{Name: "browser.open", Args: map[string]any{"url": s.URL + "/"}}}}
	settings := strings.NewReplacer(`"@catalogue"`, `"@catalogue", "http://127.0.0.1:1"`, `allow_private = [`, `allow_private = ["127.0.0.1:1", `).Replace(reading(s))
	w := open(t, nil, settings, opens, llmtest.Answer{Text: "At nine."})
	w.endsTask(`,"allowed_domains":["github.com","http://127.0.0.1:1"]`, "policy_denied", "agent.host_of_task")
	if len(s.requests) > 0 {
		t.Errorf("requests %v", s.requests)
	}
}

// TestNarrowTaskApproved checks that the limits of a task hold after its draft was approved in another
// program, and that the replay of its run shows no difference.
func TestNarrowTaskApproved(t *testing.T) {
	args := map[string]any{"content": "nine"}
	w := openWeb(t, nil, true, strings.Replace(reading(), `"http.fetch"`, `"http.fetch", "files.create_file"`, 1),
		llmtest.Answer{Calls: []llm.Call{{Name: "files.create_file", Args: args}}}, fetches("https://github.com/nvidia/cuda"))
	args["path"] = filepath.Join(w.home, "Documents", "hours.txt")
	_, answer := w.ask(w.token, "POST", "/api/wraith", `{"prompt":"note when the library opens","allowed_tools":["files.create_file"]}`)
	var created jobAnswer
	must.Succeed(t, json.Unmarshal([]byte(answer), &created))
	other := w.program()
	report, err := other.Approve(t.Context(), runs.ApproveRequest{ID: w.await(created.JobID, "waiting").DraftID})
	if err != nil || report.StopReason != trace.StopPolicyDenied || !w.has("hours.txt") {
		t.Errorf("%+v, %v", report, err)
	}
	if j := w.await(created.JobID, "failed"); j.StopReason != "policy_denied" || j.Error.Code != agent.RuleTaskTool {
		t.Errorf("the job is %+v", j)
	}
	replayed, err := other.Replayer.Replay(t.Context(), created.JobID)
	if err != nil || !replayed.IsSame {
		t.Errorf("the replay: %+v, %v", replayed.Difference, err)
	}
}

// TestNarrowTaskFields checks which values of the fields are refused, and how.
func TestNarrowTaskFields(t *testing.T) {
	w := open(t, nil, reading(serve(t, "")))
	for _, tt := range []struct{ name, path, body, code, says string }{
		{"no pages", "/api/wraith", `{"prompt":"x","max_urls":0}`, "bad_request", "max_urls"},
		{"too many pages", "/api/wraith", `{"prompt":"x","max_urls":1001}`, "bad_request", "max_urls"},
		{"pages as text", "/api/wraith", `{"prompt":"x","max_urls":"5"}`, "bad_json", "max_urls"},
		{"no tools", "/api/wraith", `{"prompt":"x","allowed_tools":[]}`, "bad_request", "allowed_tools"},
		{"no hosts", "/api/jobs/create", `{"session_id":"s","job_type":"agent_run","input_data":{"task":"x","allowed_domains":[]}}`, "bad_request", "allowed_domains"},
		{"a host that policy does not allow", "/api/wraith", `{"prompt":"x","allowed_domains":["github.com","evil.example"]}`, "agent_config", "evil.example"},
		{"all hosts", "/api/wraith", `{"prompt":"x","allowed_domains":["*"]}`, "agent_config", "*"},
		{"all hosts of a domain", "/api/wraith", `{"prompt":"x","allowed_domains":["*.example"]}`, "agent_config", "*.example"},
		{"a private address", "/api/wraith", `{"prompt":"x","allowed_domains":["http://169.254.169.254"]}`, "agent_config", "169.254.169.254"},
		{"a denial", "/api/wraith", `{"prompt":"x","allowed_domains":["!github.com"]}`, "agent_config", "!github.com"},
		{"no pattern", "/api/wraith", `{"prompt":"x","allowed_domains":["git hub"]}`, "agent_config", "git hub"},
		{"the browser without scripts", "/api/wraith", `{"prompt":"x","javascript":false,"allowed_tools":["browser.open"]}`, "agent_config", "javascript"},
		{"a picture without screenshots", "/api/wraith", `{"prompt":"x","allowed_tools":["browser.screenshot"]}`, "agent_config", "screenshot"},
		{"pages of a goal", "/api/jobs/create", `{"session_id":"s","job_type":"goal_run","input_data":{"goal":"what time is it","max_urls":3}}`, "bad_request", "max_urls"},
		{"hosts of a goal", "/api/jobs/create", `{"session_id":"s","job_type":"goal_run","input_data":{"goal":"what time is it","allowed_domains":["github.com"]}}`, "bad_request", "allowed_domains"},
		{"a host of a task that policy does not allow", "/api/jobs/create", `{"session_id":"s","job_type":"agent_run","input_data":{"task":"x","allowed_domains":["evil.example"]}}`, "agent_config", "evil.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, body := w.ask(w.token, "POST", tt.path, tt.body)
			if status != http.StatusBadRequest || failure(t, body) != tt.code || !strings.Contains(body, tt.says) {
				t.Errorf("%d %s, want %s about %s", status, body, tt.code, tt.says)
			}
		})
	}
}
