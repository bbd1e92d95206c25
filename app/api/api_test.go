package api_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"errand/app/api"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/poll"
	host "errand/host/jobs"
	"errand/host/llm"
	"errand/host/llm/llmtest"
)

const settings = `
[policy]
allowed_domains = ["@catalogue", "http://RECEIVER"]
allow_private = ["RECEIVER"]
[jobs]
queue = 3
[agent.internal]
enabled = true
providers = ["openai"]
allowed_tools = ["hash.sha256", "hash.md5"]
`

// TestDocument shows every answer and every field of openapi.json.
func TestDocument(t *testing.T) {
	doc := readDocument(t)
	w := open(t, doc, settings,
		llmtest.Answer{Calls: []llm.Call{{ID: "c1", Name: "hash.sha256", Args: map[string]any{"input": "abc"}}}},
		llmtest.Answer{Calls: []llm.Call{{ID: "c2", Name: "hash.sha256", Args: map[string]any{"inp": 1}}}},
		llmtest.Answer{Text: "It is ba78."},
	)
	w.receiver.refuse = 1
	// A task, from the request to the callback.
	status, body := w.ask(w.token, "POST", "/api/wraith", `{"prompt":"hash abc","callback_url":"`+w.receiver.URL+`/done","max_steps":5,"max_wall_time_ms":60000,"allowed_tools":["hash.sha256"]}`)
	var accepted struct {
		JobID     string `json:"job_id"`
		SessionID string `json:"session_id"`
	}
	must.Succeed(t, json.Unmarshal([]byte(body), &accepted))
	if status != http.StatusAccepted || accepted.SessionID == "" {
		t.Fatalf("%d %s", status, body)
	}
	j := w.await(accepted.JobID, "done")
	if j.Answer != "It is ba78." || j.RunID != accepted.JobID || j.Steps != 2 || j.StopReason != "completed" {
		t.Errorf("the job ended as %+v", j)
	}
	t.Run("S3-H37 states of a task", func(t *testing.T) {
		var states []string
		for _, s := range j.Transitions {
			states = append(states, s.State)
		}
		if got := strings.Join(states, " "); got != "INIT PLAN EXECUTE_TOOL OBSERVE PLAN EXECUTE_TOOL OBSERVE PLAN RESPOND STOP" {
			t.Errorf("states %s", got)
		}
	})
	poll.Await(t, "the callback", func() bool { return w.job(j.JobID).Callback.Status == host.DeliveryDelivered })
	if c := w.job(j.JobID).Callback; c.Attempts != 2 || c.Error != "" {
		t.Errorf("delivered as %+v", c)
	}
	if !isSigned("signing-all", w.receiver.headers[0].Get("X-Errand-Signature"), w.receiver.bodies[0]) || w.receiver.headers[0].Get("X-Errand-Delivery") != j.JobID {
		t.Errorf("headers %v", w.receiver.headers[0])
	}
	data, _ := w.receiver.got[0]["data"].(map[string]any)
	if w.receiver.got[0]["status"] != "completed" || data["response"] != "It is ba78." || data["run_id"] != j.JobID {
		t.Errorf("received %v", w.receiver.got[0])
	}
	if status, body := w.ask(w.token, "GET", "/api/jobs/"+j.JobID+"/result", ""); status != http.StatusOK || !strings.Contains(body, "ba7816bf") || !strings.Contains(body, `"error_code":"`) {
		t.Errorf("the result is %d %s", status, body)
	}
	if status, body := w.ask(w.token, "GET", "/api/sessions/"+j.SessionID+"/status", ""); status != http.StatusOK || !strings.Contains(body, `"agent":{"status":"complete"`) {
		t.Errorf("the session is %d %s", status, body)
	}
	// A goal that waits for the user.
	waiting := w.goal("create a folder called Reports in Documents")
	if j := w.await(waiting, "waiting"); j.DraftID == "" || j.Error == nil || !strings.HasPrefix(j.Error.Hint, "errand approve ") || w.has("Reports") {
		t.Errorf("waits as %+v", j)
	}
	w.ask(w.token, "GET", "/api/sessions/s/status", "")
	if status, body := w.ask(w.token, "GET", "/api/jobs/"+waiting+"/result", ""); status != http.StatusConflict || failure(t, body) != "job_not_ended" {
		t.Errorf("the result is %d %s", status, body)
	}
	if status, _ := w.ask(w.token, "POST", "/api/jobs/"+waiting+"/cancel", ""); status != http.StatusAccepted {
		t.Errorf("cancel: %d", status)
	}
	w.await(waiting, "cancelled")
	if status, body := w.ask(w.token, "POST", "/api/jobs/"+waiting+"/cancel", ""); status != http.StatusConflict || failure(t, body) != host.CodeEnded {
		t.Errorf("cancel again: %d %s", status, body)
	}
	followed(t, w, doc)
	refused(t, w)
	doc.complete(t)
}

// followed reads the events of a job.
func followed(t *testing.T, w *world, doc *document) {
	id := w.goal("what time is it")
	w.await(id, "done")
	_, body := w.ask(w.token, "GET", "/api/jobs/"+id+"/events", "")
	var names []string
	name := ""
	for s := bufio.NewScanner(strings.NewReader(body)); s.Scan(); {
		if n, ok := strings.CutPrefix(s.Text(), "event: "); ok {
			name = n
			names = append(names, n)
		}
		if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
			doc.checkEvent(t, map[string]string{"step": "Step", "end": "Job", "status": "Job"}[name], []byte(data))
		}
	}
	if strings.Join(names, " ") != "step end" || !strings.Contains(body, "id: 1\nevent: step\n") {
		t.Errorf("events %q in\n%s", names, body)
	}
	if _, body := w.ask(w.token, "GET", "/api/jobs/"+id+"/events", "", "Last-Event-ID", "1"); strings.Contains(body, "event: step") {
		t.Errorf("a step comes again:\n%s", body)
	}
}

// refused asks for what the API refuses.
func refused(t *testing.T, w *world) {
	foreign := w.newToken("other", host.ScopeRead)
	mine := w.goal("what time is it")
	w.await(mine, "done")
	const create, wraith = "/api/jobs/create", "/api/wraith"
	goal := `{"session_id":"s","job_type":"goal_run","input_data":{"goal":"what time is it"}}`
	everywhere := [][2]string{
		{"POST", wraith},
		{"POST", create},
		{"GET", "/api/jobs"},
		{"GET", "/api/jobs/" + mine},
		{"GET", "/api/jobs/" + mine + "/result"},
		{"GET", "/api/jobs/" + mine + "/events"},
		{"POST", "/api/jobs/" + mine + "/cancel"},
		{"GET", "/api/sessions/s/status"},
		{"GET", "/api/openapi.json"},
	}
	for _, r := range everywhere {
		for name, token := range map[string]string{"none": "", "unknown": host.NewSecret(), "a hash": host.HashSecret(w.token), "a prefix": w.token[:20]} {
			if status, body := w.ask(token, r[0], r[1], goal); status != http.StatusUnauthorized {
				t.Errorf("%s with the token %s: %d %s", r[1], name, status, body)
			}
		}
		w.broken.err.Store(&errDatabase)
		if status, body := w.ask(w.token, r[0], r[1], goal); status != http.StatusServiceUnavailable {
			t.Errorf("%s without a database: %d %s", r[1], status, body)
		}
		w.broken.err.Store(nil)
		w.broken.panics.Store(true)
		if status, body := w.ask(w.token, r[0], r[1], goal); status != http.StatusInternalServerError || strings.Contains(body, w.token) {
			t.Errorf("%s that panics: %d %s", r[1], status, body)
		}
		w.broken.panics.Store(false)
		if r[0] == "POST" {
			if status, body := w.ask(foreign, r[0], r[1], goal); status != http.StatusForbidden || failure(t, body) != "scope_missing" {
				t.Errorf("%s without the scope: %d %s", r[1], status, body)
			}
		}
	}
	blocked := w.goal("create a folder called Blocked in Documents")
	w.await(blocked, "waiting")
	big := `{"prompt":"` + strings.Repeat("x", 1<<20) + `"}`
	tests := []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     string
	}{
		{"no JSON", "POST", create, goal, []string{"Content-Type", "text/plain"}, 415, "no_json"},
		{"no JSON", "POST", wraith, goal, []string{"Content-Type", "text/plain"}, 415, "no_json"},
		{"a body that is too large", "POST", create, big, nil, 413, "too_large"},
		{"a body that is too large", "POST", wraith, big, nil, 413, "too_large"},
		{"broken JSON", "POST", create, `{`, nil, 400, "bad_json"},
		{"two values", "POST", create, goal + goal, nil, 400, "bad_json"},
		{"an unknown field", "POST", wraith, `{"prompt":"x","max_step":1}`, nil, 400, "bad_json"},
		{"no session", "POST", create, `{"job_type":"goal_run","input_data":{"goal":"what time is it"}}`, nil, 400, "bad_request"},
		{"a session with a slash", "POST", create, strings.Replace(goal, `"s"`, `"../s"`, 1), nil, 400, "bad_request"},
		{"an unknown type", "POST", create, strings.Replace(goal, "goal_run", "crawl", 1), nil, 400, "bad_request"},
		{"no goal", "POST", create, strings.Replace(goal, "what time is it", "", 1), nil, 400, "goal_empty"},
		{"a goal for a task", "POST", create, strings.Replace(goal, "goal_run", "agent_run", 1), nil, 400, "bad_request"},
		{"two tasks", "POST", wraith, `{"prompt":"x","task":"y"}`, nil, 400, "bad_request"},
		{"more steps than the user allows", "POST", wraith, `{"prompt":"x","max_steps":1000}`, nil, 400, "agent_config"},
		{"a tool that the user doesn't allow", "POST", wraith, `{"prompt":"x","allowed_tools":["files.delete_file"]}`, nil, 400, "agent_config"},
		{"more time than the user allows", "POST", wraith, `{"prompt":"x","max_wall_time_ms":86400000}`, nil, 400, "bad_request"},
		{"steps of a goal", "POST", create, strings.Replace(goal, `"goal":`, `"max_steps":1,"goal":`, 1), nil, 400, "bad_request"},
		{"a callback to a private address", "POST", create, strings.Replace(goal, `"goal":`, `"callback_url":"http://169.254.169.254/","goal":`, 1), nil, 403, "callback_denied"},
		{"a callback to an unlisted host", "POST", wraith, `{"prompt":"x","callback_url":"https://evil.example/"}`, nil, 403, "callback_denied"},
		{"a callback with a password", "POST", create, strings.Replace(goal, `"goal":`, `"callback_url":"https://ann:hunter2Xq9@github.com/","goal":`, 1), nil, 400, "bad_request"},
		{"an unknown parameter", "GET", "/api/jobs?stat=done", "", nil, 400, "bad_request"},
		{"a parameter that is there twice", "GET", "/api/jobs?status=done&status=failed", "", nil, 400, "bad_request"},
		{"a wrong escape", "GET", "/api/jobs?status=%zz", "", nil, 400, "bad_request"},
		{"a bad page", "GET", "/api/jobs?limit=1000", "", nil, 400, "bad_request"},
		{"an unknown status", "GET", "/api/jobs?status=lost", "", nil, 400, "bad_request"},
		{"an unknown job", "GET", "/api/jobs/none", "", nil, 404, host.CodeNotFound},
		{"the result of an unknown job", "GET", "/api/jobs/none/result", "", nil, 404, host.CodeNotFound},
		{"the events of an unknown job", "GET", "/api/jobs/none/events", "", nil, 404, host.CodeNotFound},
		{"an unknown job to cancel", "POST", "/api/jobs/none/cancel", "", nil, 404, host.CodeNotFound},
		{"an unknown session", "GET", "/api/sessions/none/status", "", nil, 404, "session_not_found"},
		{"a bad event", "GET", "/api/jobs/" + mine + "/events", "", []string{"Last-Event-ID", "x"}, 400, "bad_request"},
	}
	for _, tt := range tests {
		status, body := w.ask(w.token, tt.method, tt.path, tt.body, tt.headers...)
		if status != tt.status || failure(t, body) != tt.code || strings.Contains(body, "hunter2Xq9") {
			t.Errorf("%s: %d %s, want %d %s", tt.name, status, body, tt.status, tt.code)
		}
	}
	if status, body := w.ask(w.token, "GET", "/api/jobs?limit=1", ""); status != http.StatusOK || !strings.Contains(body, `"next":"`) {
		t.Errorf("a page: %d %s", status, body)
	}
	if status, body := w.ask(w.token, "GET", "/api/openapi.json", ""); status != http.StatusOK || body != string(api.Document) {
		t.Errorf("the document: %d", status)
	}
	// The same key is the same job.
	again := strings.Replace(goal, `"s"`, `"keys"`, 1)
	first, second := w.create(again, "Idempotency-Key", "k"), w.create(again, "Idempotency-Key", "k")
	if first != second {
		t.Error("one key made two jobs")
	}
	if status, body := w.ask(w.token, "POST", create, goal, "Idempotency-Key", "k"); status != http.StatusConflict || failure(t, body) != host.CodeKeyReused {
		t.Errorf("the key of another request: %d %s", status, body)
	}
	if status, body := w.ask(w.token, "POST", wraith, `{"prompt":"x"}`, "Idempotency-Key", "k"); status != http.StatusConflict || failure(t, body) != host.CodeKeyReused {
		t.Errorf("the key of another request: %d %s", status, body)
	}
	w.await(first, "done")
	full(t, w, blocked)
}

// full fills the queue and the streams.
func full(t *testing.T, w *world, waiting string) {
	streams := make(chan struct{})
	for range 32 {
		go func() {
			r, err := http.NewRequestWithContext(t.Context(), "GET", w.base+"/api/jobs/"+waiting+"/events", nil)
			if err == nil {
				r.Header.Set("Authorization", "Bearer "+w.token)
				if response, err := http.DefaultClient.Do(r); err == nil {
					streams <- struct{}{}
					<-t.Context().Done()
					_ = response.Body.Close()
				}
			}
		}()
	}
	for range 32 {
		<-streams
	}
	if status, body := w.ask(w.token, "GET", "/api/jobs/"+waiting+"/events", ""); status != http.StatusTooManyRequests || failure(t, body) != "too_many_streams" {
		t.Errorf("one stream more: %d %s", status, body)
	}
	goal := `{"session_id":"full","job_type":"goal_run","input_data":{"goal":"what time is it"}}`
	for path, body := range map[string]string{"/api/jobs/create": goal, "/api/wraith": `{"prompt":"x"}`} {
		found := poll.WaitUntil(func() bool {
			for range 8 { // they come faster than they are done
				if status, answer := w.ask(w.token, "POST", path, body); status == http.StatusTooManyRequests {
					return failure(t, answer) == host.CodeQueueFull && strings.Contains(answer, "retry_after_ms")
				}
			}
			return false
		})
		if !found {
			t.Errorf("%s takes any number of jobs", path)
		}
	}
}

// TestApproval checks that a job which changes something waits, that what the user decides in another
// program ends it, and that the answer has no secrets.
func TestApproval(t *testing.T) {
	w := open(t, nil, settings)
	approved := w.goal("create a folder called Reports in Documents")
	draft := w.await(approved, "waiting").DraftID
	other := w.program() // such as the command line
	if _, err := other.Approve(t.Context(), runs.ApproveRequest{ID: draft}); err != nil {
		t.Fatal(err)
	}
	if j := w.await(approved, "done"); !w.has("Reports") || !strings.Contains(j.Answer, "Reports") || j.Steps != 1 {
		t.Errorf("approved: %+v", j)
	}
	rejected := w.goal("create a folder called Never in Documents")
	_, err := other.Reject(t.Context(), w.await(rejected, "waiting").DraftID)
	must.Succeed(t, err)
	if w.await(rejected, "cancelled"); w.has("Never") {
		t.Error("a rejected job has its effect")
	}
	later := w.goal("create a folder called Later in Documents")
	_, err = other.Approve(t.Context(), runs.ApproveRequest{ID: w.await(later, "waiting").DraftID, ApplyLater: true})
	must.Succeed(t, err)
	if w.await(later, "done"); !w.has("Later") {
		t.Error("a job that was approved to be applied later has no effect")
	}
	// Words with a secret.
	const secret = "ghp_aB3dE6aB3dE6aB3dE6aB3dE6aB3dE6aB3dE6"
	id := w.goal("create a file called notes.txt in Documents with the text " + secret)
	if !poll.WaitUntil(func() bool { return w.job(id).Status != "queued" && w.job(id).Status != "running" }) {
		t.Fatal("the job with a secret hangs")
	}
	for _, path := range []string{"/api/jobs/" + id, "/api/jobs", "/api/sessions/s/status"} {
		if _, body := w.ask(w.token, "GET", path, ""); strings.Contains(body, secret) {
			t.Errorf("%s has the secret: %s", path, body)
		}
	}
	if w.job(id).Status == "waiting" {
		w.ask(w.token, "POST", "/api/jobs/"+id+"/cancel", "")
		w.await(id, "cancelled")
	}
	if _, body := w.ask(w.token, "GET", "/api/jobs/"+id+"/result", ""); strings.Contains(body, secret) {
		t.Errorf("the result has the secret: %s", body)
	}
	w.token = w.newToken("run", host.ScopeRun)
	if status, body := w.ask(w.token, "GET", "/api/jobs/"+id, ""); status != http.StatusNotFound {
		t.Errorf("another client's job: %d %s", status, body)
	}
	if _, body := w.ask(w.token, "GET", "/api/jobs", ""); body != `{"jobs":[]}` {
		t.Errorf("other clients' jobs: %s", body)
	}
}

// TestForgottenJob checks that forgetting the run of a job forgets its words and its answer, and that
// pruning the record removes ended jobs.
func TestForgottenJob(t *testing.T) {
	w := open(t, nil, settings)
	ended, waiting, old := w.goal("what is 6 * 7"), w.goal("create a folder called Reports in Documents"), w.goal("what is 6 * 8")
	w.await(ended, "done")
	w.await(waiting, "waiting")
	w.await(old, "done")
	other := w.program()
	for _, id := range []string{ended, waiting} {
		_, err := other.History.Forget(t.Context(), id)
		must.Succeed(t, err)
		if status, body := w.ask(w.token, "GET", "/api/jobs/"+id, ""); status != http.StatusNotFound {
			t.Errorf("a forgotten job: %d %s", status, body)
		}
	}
	if report, err := other.History.Prune(t.Context(), 0, false); err != nil || report.Jobs != 1 {
		t.Errorf("pruned %+v, %v", report, err)
	}
	if _, body := w.ask(w.token, "GET", "/api/jobs", ""); body != `{"jobs":[]}` {
		t.Errorf("jobs are left: %s", body)
	}
}

// TestDisabledAgent checks that tasks are refused while the agent is off, and goals are not.
func TestDisabledAgent(t *testing.T) {
	t.Run("S3-T06 a task while the agent is off", func(t *testing.T) {
		w := open(t, nil, "")
		status, body := w.ask(w.token, "POST", "/api/wraith", `{"prompt":"hash abc"}`)
		if status != http.StatusConflict || failure(t, body) != "agent_disabled" {
			t.Errorf("%d %s", status, body)
		}
		w.await(w.goal("what time is it"), "done")
		if len(w.model.Received()) > 0 {
			t.Error("a model was asked")
		}
	})
}

// queueFile is the database of jobs. Its log has older pages until SQLite reuses them.
const queueFile = "jobs.db"

// TestSecretsAtRest checks that neither tokens nor the words of ended jobs are on the disk.
func TestSecretsAtRest(t *testing.T) {
	w := open(t, nil, "")
	const secret = "ghp_aB3dE6aB3dE6aB3dE6aB3dE6aB3dE6aB3dE6"
	words := "what is " + secret + " for"
	id := w.goal(words)
	if !poll.WaitUntil(func() bool { return host.Status(w.job(id).Status).IsFinal() }) {
		t.Fatal("the job hangs")
	}
	found := 0
	must.Succeed(t, filepath.WalkDir(w.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), "jobs.db") {
			return err
		}
		found++
		b := must.ReadFile(t, path)
		if strings.Contains(string(b), w.token) {
			t.Errorf("%s has the token", d.Name())
		}
		if d.Name() == queueFile && strings.Contains(string(b), secret) {
			t.Errorf("%s has the words of an ended job", d.Name())
		}
		return nil
	}))
	if found == 0 || !regexp.MustCompile(`^errand_[\w-]{43}$`).MatchString(w.token) {
		t.Errorf("%d files, token %s", found, w.token)
	}
	j, err := w.queue.Job(t.Context(), id)
	if err != nil || strings.Contains(string(j.Input)+string(j.Outcome), secret) {
		t.Errorf("the ended job has its words: %+v, %v", j, err)
	}
}
