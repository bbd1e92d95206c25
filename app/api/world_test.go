package api_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"errand/app"
	"errand/app/api"
	"errand/app/config"
	"errand/app/i18n"
	"errand/app/jobs"
	"errand/build/must"
	"errand/build/poll"
	host "errand/host/jobs"
	"errand/host/llm/llmtest"
	"errand/host/tool"
)

// world is the API over HTTP, with the real program in a folder of its own.
type world struct {
	t        *testing.T
	home     string
	demo     bool // the web is the pages of the demo
	env      []string
	base     string
	doc      *document // nil: answers are not held against it
	queue    host.Queue
	token    string // with all scopes
	receiver *receiver
	model    *llmtest.Server
	broken   *brokenService
}

// brokenService is a service that can fail.
type brokenService struct {
	api.Service
	err    atomic.Pointer[error]
	panics atomic.Bool
}

func (b *brokenService) FindToken(ctx context.Context, secret string) (host.Token, bool, error) {
	if b.panics.Load() {
		panic("token=" + secret)
	}
	if err := b.err.Load(); err != nil {
		return host.Token{}, false, *err
	}
	return b.Service.FindToken(ctx, secret)
}

// open starts the API. settings are lines of errand.toml.
func open(t *testing.T, doc *document, settings string, answers ...llmtest.Answer) *world {
	t.Helper()
	return openWeb(t, doc, false, settings, answers...)
}

func openWeb(t *testing.T, doc *document, demo bool, settings string, answers ...llmtest.Answer) *world {
	t.Helper()
	w := &world{t: t, home: t.TempDir(), demo: demo, doc: doc, receiver: receive(t), model: llmtest.Start(t, llmtest.Script(answers...))}
	must.Succeed(t, os.MkdirAll(filepath.Join(w.home, "Documents"), 0o700))
	file := filepath.Join(w.home, "errand.toml")
	text := strings.ReplaceAll(settings, "RECEIVER", strings.TrimPrefix(w.receiver.URL, "http://"))
	must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	w.env = []string{"HOME=" + w.home, "USER=ann", "OPENAI_API_KEY=sk-local-test-key-0123456789", "ERRAND_LLM_OPENAI_BASE_URL=" + w.model.BaseURL("openai")}
	w.start()
	w.token = w.newToken("all", host.ScopeRun, host.ScopeRead)
	return w
}

func (w *world) options() app.Options {
	return app.Options{Demo: w.demo, Config: config.Options{File: filepath.Join(w.home, "errand.toml"), Env: w.env}}
}

func (w *world) program() app.JobProgram {
	w.t.Helper()
	a, err := app.Open(w.options())
	must.Succeed(w.t, err)
	w.t.Cleanup(func() { _ = a.Close() })
	return app.JobProgramOf(a)
}

func (w *world) start() {
	t := w.t
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	p := w.program()
	q, err := p.OpenQueue(t.Context(), log)
	must.Succeed(t, err)
	text := i18n.English().Text
	service := jobs.New(jobs.Options{Queue: q, Reader: p, MaxTime: p.MaxJobTime(), NewID: p.NewJobID, Now: time.Now, Text: text, Open: func() (jobs.Program, error) {
		a, err := app.Open(w.options())
		if err != nil {
			return nil, err
		}
		return app.JobProgramOf(a), nil
	}})
	must.Succeed(t, service.Start(t.Context()))
	w.queue, w.broken = q, &brokenService{Service: service}
	mux := http.NewServeMux()
	for _, r := range (&api.API{Service: w.broken, Text: text, Log: log}).Routes() {
		mux.Handle(r.Pattern, r.Handler)
	}
	server := httptest.NewServer(mux)
	w.base = server.URL
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		server.CloseClientConnections()
		server.Close()
		_ = service.Stop(ctx)
		_ = q.Close()
	})
}

func (w *world) newToken(name string, scopes ...host.Scope) string {
	w.t.Helper()
	secret := host.NewSecret()
	must.Succeed(w.t, w.queue.AddToken(w.t.Context(), host.Token{ID: "id-" + name, Name: name, Scopes: scopes, CreatedAt: time.Now(), Signing: "signing-" + name}, host.HashSecret(secret)))
	return secret
}

// ask sends a request and returns the status and the body. token may be empty.
func (w *world) ask(token, method, path, body string, headers ...string) (int, string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.base+path, strings.NewReader(body))
	must.Succeed(w.t, err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	must.Succeed(w.t, err)
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	must.Succeed(w.t, err)
	if w.doc != nil {
		w.doc.check(w.t, method, r.URL.Path, response, b)
	}
	return response.StatusCode, string(b)
}

// jobAnswer is a job as a client reads it.
type jobAnswer struct {
	JobID       string `json:"job_id"`
	SessionID   string `json:"session_id"`
	Status      string
	RunID       string `json:"run_id"`
	DraftID     string `json:"draft_id"`
	Answer      string
	State       string
	StopReason  string `json:"stop_reason"`
	Steps       int
	Transitions []struct{ State string }
	Error       *struct{ Class, Code, Message, Hint string }
	Callback    *struct {
		Status   string
		Attempts int
		Error    string
	}
}

// create creates a job and returns its id.
func (w *world) create(body string, headers ...string) string {
	w.t.Helper()
	status, answer := w.ask(w.token, "POST", "/api/jobs/create", body, headers...)
	var got jobAnswer
	must.Succeed(w.t, json.Unmarshal([]byte(answer), &got))
	if status != http.StatusAccepted || got.JobID == "" {
		w.t.Fatalf("create: %d %s", status, answer)
	}
	return got.JobID
}

// goal creates a job with a goal.
func (w *world) goal(words string) string {
	w.t.Helper()
	b := must.JSON(w.t, map[string]any{"session_id": "s", "job_type": "goal_run", "input_data": map[string]any{"goal": words}})
	return w.create(string(b))
}

func (w *world) job(id string) jobAnswer {
	w.t.Helper()
	status, answer := w.ask(w.token, "GET", "/api/jobs/"+id, "")
	var got jobAnswer
	must.Succeed(w.t, json.Unmarshal([]byte(answer), &got))
	if status != http.StatusOK {
		w.t.Fatalf("get: %d %s", status, answer)
	}
	return got
}

// await waits until a job has a status.
func (w *world) await(id, status string) jobAnswer {
	w.t.Helper()
	var got jobAnswer
	if !poll.WaitUntil(func() bool {
		got = w.job(id)
		return got.Status == status || host.Status(got.Status).IsFinal()
	}) || got.Status != status {
		w.t.Fatalf("the job is %+v, want it %s", got, status)
	}
	return got
}

// awaitEnd waits until a job has ended.
func (w *world) awaitEnd(id string) {
	w.t.Helper()
	poll.Await(w.t, "the end of the job", func() bool { return host.Status(w.job(id).Status).IsFinal() })
}

func (w *world) has(name string) bool {
	_, err := os.Stat(filepath.Join(w.home, "Documents", name))
	return err == nil
}

// failure returns the code of an error.
func failure(t *testing.T, body string) string {
	t.Helper()
	var got struct {
		Error struct{ Class, Code, Message string }
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Error.Code == "" || got.Error.Message == "" {
		t.Fatalf("no error in %q: %v", body, err)
	}
	return got.Error.Code
}

// receiver receives callbacks.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	refuse  int // the number of callbacks that it refuses
	got     []map[string]any
	headers []http.Header
	bodies  []string
}

func receive(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		b, _ := io.ReadAll(request.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.refuse > 0 {
			r.refuse--
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var body map[string]any
		_ = json.Unmarshal(b, &body)
		r.got, r.headers, r.bodies = append(r.got, body), append(r.headers, request.Header), append(r.bodies, string(b))
	}))
	t.Cleanup(r.Close)
	return r
}

// isSigned checks the signature of a callback, as a client does.
func isSigned(secret, header, body string) bool {
	at, mac, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",v1=")
	want := hmac.New(sha256.New, []byte(secret))
	want.Write([]byte(at + "." + body))
	return mac == hex.EncodeToString(want.Sum(nil))
}

var errDatabase = error(tool.NewError(tool.ToolUnavailable, host.CodeUnavailable, i18nMessage))

var i18nMessage = tool.AsError(errors.New("the database is gone")).Message
