package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/tool"
)

// client speaks to a server over real HTTP, as the page does.
type client struct {
	t    *testing.T
	s    *Server
	base string
	keys session
	end  func() error // ends the server and answers what Serve did
}

var testPage = fstest.MapFS{
	"index.html":         {Data: []byte("<!doctype html><title>Errand</title>")},
	"assets/app.1234.js": {Data: []byte("1")},
}

func serve(t *testing.T) *client {
	t.Helper()
	home := t.TempDir()
	conf := config.Options{Env: []string{"HOME=" + home, "USER=ann"}}
	s, err := Listen(Options{
		Addr: "127.0.0.1:0", Page: testPage, Config: conf, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Open: func() (*desktop.Engine, error) { return desktop.OpenEngine(app.Options{Config: conf}) },
	})
	must.Succeed(t, err)
	return serving(t, s)
}

// ask sends one request and answers its status, headers and body.
func (c *client) ask(method, path, body string, change func(*http.Request)) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(body))
	must.Succeed(c.t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+c.keys.Call)
	}
	if change != nil {
		change(r)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	must.Succeed(c.t, err)
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	must.Succeed(c.t, err)
	return response, string(b)
}

func (c *client) post(path string, body, into any) int {
	c.t.Helper()
	b := must.JSON(c.t, body)
	response, answer := c.ask(http.MethodPost, path, string(b), nil)
	if into != nil && response.StatusCode == http.StatusOK {
		if err := json.Unmarshal([]byte(answer), into); err != nil {
			c.t.Fatalf("%s: %v in %s", path, err, answer)
		}
	}
	return response.StatusCode
}

// failure is the code that an answer was refused with.
func failure(t *testing.T, body string) view.Failure {
	t.Helper()
	var answer struct{ Error view.Failure }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Error.Code == "" || answer.Error.Message.IsZero() {
		t.Fatalf("no failure in %q: %v", body, err)
	}
	return answer.Error
}

func TestAMethodOfTheAPIIsOnePost(t *testing.T) {
	c := serve(t)
	var boot struct{ Result view.Boot }
	if status := c.post("/api/Start", []any{[]string{"ru"}}, &boot); status != http.StatusOK || boot.Result.Version != app.Version || boot.Result.Dialogs {
		t.Errorf("Start: %d, %+v", status, boot)
	}
	var reading struct{ Result view.Reading }
	if status := c.post("/api/Read", []any{"open youtube and search nvidia"}, &reading); status != http.StatusOK || reading.Result.Status != "ok" {
		t.Errorf("Read: %d, %+v", status, reading)
	}
	if response, body := c.ask(http.MethodPost, "/api/Attend", "[true]", nil); response.StatusCode != http.StatusOK || strings.TrimSpace(body) != `{"result":null}` {
		t.Errorf("Attend: %d, %s", response.StatusCode, body)
	}
	var policy struct{ Result view.Policy }
	if status := c.post("/api/Policy", []any{}, &policy); status != http.StatusOK || len(policy.Result.Allowed) == 0 {
		t.Errorf("Policy: %d, %+v", status, policy)
	}
}

func TestRefusedRequests(t *testing.T) {
	c := serve(t)
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	taken, err := filepath.Abs("../../plugins/dist/hash")
	must.Succeed(t, err)
	tests := []struct {
		name, method, path, body string
		change                   func(*http.Request)
		status                   int
		code                     string
	}{
		{"no key", "POST", "/api/Start", "[[]]", set("Authorization", ""), 401, "no_session"},
		{"another server's key", "POST", "/api/Start", "[[]]", set("Authorization", "Bearer AAAAAAAAAAAAAAAAAAAAAAAAAA"), 401, "no_session"},
		{"the key for events calls nothing", "POST", "/api/Start", "[[]]", set("Authorization", "Bearer "+c.keys.View), 401, "no_session"},
		{"the key in another scheme", "POST", "/api/Start", "[[]]", set("Authorization", "Basic "+c.keys.Call), 401, "no_session"},
		{"no key for events", "GET", "/api/events", "", nil, 401, "no_session"},
		{"the key for calls opens no events", "GET", "/api/events?key=" + c.keys.Call, "", nil, 401, "no_session"},
		{"no key for a picture", "GET", "/artifacts/a/b/c.png", "", nil, 401, "no_session"},
		{"a wrong token", "POST", "/api/session", `{"token":"guess"}`, nil, 401, "no_session"},
		{"an empty token", "POST", "/api/session", `{}`, nil, 401, "no_session"},
		{"a name that leads here", "POST", "/api/Start", "[[]]", host("rebound.example:80"), 403, "foreign_host"},
		{"a name that leads here, for the page", "GET", "/", "", host("rebound.example"), 403, "foreign_host"},
		{"a name that looks like loopback", "POST", "/api/Start", "[[]]", host("127.0.0.1.nip.io"), 403, "foreign_host"},
		{"a name below localhost", "POST", "/api/Start", "[[]]", host("x.localhost"), 403, "foreign_host"},
		{"an address of the network", "POST", "/api/Start", "[[]]", host("192.168.1.1"), 403, "foreign_host"},
		{"localhost", "POST", "/api/Start", "[[]]", host("localhost:9"), 200, ""},
		{"the far end of ssh -L", "POST", "/api/Start", "[[]]", host("127.0.0.1:1"), 200, ""},
		{"its own origin", "POST", "/api/Start", "[[]]", set("Origin", c.base), 200, ""},
		{"another site's origin", "POST", "/api/Start", "[[]]", set("Origin", "https://evil.example"), 403, "foreign_origin"},
		{"another port's origin", "POST", "/api/Start", "[[]]", set("Origin", "http://127.0.0.1:1"), 403, "foreign_origin"},
		{"no origin at all", "POST", "/api/Start", "[[]]", set("Origin", "null"), 403, "foreign_origin"},
		{"another site, as the browser says", "POST", "/api/Start", "[[]]", set("Sec-Fetch-Site", "cross-site"), 403, "foreign_origin"},
		{"another port, as the browser says", "POST", "/api/Start", "[[]]", set("Sec-Fetch-Site", "same-site"), 403, "foreign_origin"},
		{"a call that was typed", "POST", "/api/Start", "[[]]", set("Sec-Fetch-Site", "none"), 403, "foreign_origin"},
		{"this page, as the browser says", "POST", "/api/Start", "[[]]", set("Sec-Fetch-Site", "same-origin"), 200, ""},
		{"another site's picture", "GET", "/artifacts/a/b/c.png?key=" + c.keys.View, "", set("Sec-Fetch-Site", "cross-site"), 403, "foreign_origin"},
		{"a form", "POST", "/api/Start", "[[]]", set("Content-Type", "application/x-www-form-urlencoded"), 415, "no_json"},
		{"text, which needs no leave", "POST", "/api/Start", "[[]]", set("Content-Type", "text/plain"), 415, "no_json"},
		{"no type", "POST", "/api/Start", "[[]]", func(r *http.Request) { r.Header.Del("Content-Type") }, 415, "no_json"},
		{"JSON with its letters named", "POST", "/api/Start", "[[]]", set("Content-Type", "application/json; charset=utf-8"), 200, ""},
		{"a large body", "POST", "/api/Read", `["` + strings.Repeat("a", maxBody) + `"]`, nil, 413, "too_large"},
		{"no JSON", "POST", "/api/Read", `["`, nil, 400, "bad_json"},
		{"no list", "POST", "/api/Read", `{"text":"a"}`, nil, 400, "bad_json"},
		{"too few", "POST", "/api/Read", `[]`, nil, 400, "bad_arguments"},
		{"too many", "POST", "/api/Read", `["a","b"]`, nil, 400, "bad_arguments"},
		{"another kind", "POST", "/api/Read", `[1]`, nil, 400, "bad_arguments"},
		{"an unknown field", "POST", "/api/Plan", `[{"text":"a","yes":true}]`, nil, 400, "bad_arguments"},
		{"no such method", "POST", "/api/Shutdown", `[]`, nil, 404, "no_method"},
		{"what is the program's own", "POST", "/api/End", `[]`, nil, 404, "no_method"},
		{"a call as a link", "GET", "/api/Start", "", nil, 405, "bad_method"},
		{"the program says no", "POST", "/api/Run", `[{"goal":{"text":"open youtube"},"approved":"feed"}]`, nil, 409, "plan_changed"},
		{"a plugin of a taken name", "POST", "/api/ProposePlugin", `[{"source":` + strconv.Quote(taken) + `,"sha256":"","folders":[]}]`, nil, 409, "reserved_id"},
		{"a plugin with a NUL in its path", "POST", "/api/ProposePlugin", `[{"source":"/a\u0000b.wasm","sha256":"","folders":[]}]`, nil, 409, ""},
		{"a run with a NUL in its id", "POST", "/api/Get", `["a\u0000b"]`, nil, 409, ""},
		{"a draft with a NUL in its id", "POST", "/api/Draft", `["a\u0000b"]`, nil, 409, ""},
		{"a URL with a NUL", "POST", "/api/TryURL", `["https://a\u0000b.example/"]`, nil, 200, ""},
		{"a NUL in a path", "GET", "/artifacts/a/b/c%00.png?key=" + c.keys.View, "", nil, 404, ""},
		{"a NUL in an asset", "GET", "/assets/a%00.js", "", nil, 404, ""},
		{"a switch of a plugin with a NUL", "POST", "/api/EnablePlugin", `["a\u0000b",true]`, nil, 409, ""},
		{"a recipe with a NUL in its name", "POST", "/api/RemoveRecipe", `["a\u0000b"]`, nil, 409, ""},
		{"a file that is not there", "GET", "/assets/none.js", "", nil, 404, "no_file"},
		{"a folder", "GET", "/assets", "", nil, 404, "no_file"},
		{"out of the page", "GET", "/assets/../../etc/passwd", "", nil, 307, ""}, // to what is not there either
		{"a picture that is not there", "GET", "/artifacts/a/b/c.png?key=" + c.keys.View, "", nil, 404, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, body := c.ask(tt.method, tt.path, tt.body, tt.change)
			if response.StatusCode != tt.status {
				t.Fatalf("status %d, want %d: %s", response.StatusCode, tt.status, body)
			}
			if tt.code != "" {
				if f := failure(t, body); f.Code != tt.code {
					t.Errorf("code %q, want %q", f.Code, tt.code)
				}
			}
		})
	}
}

func TestThePageKeepsByItself(t *testing.T) {
	c := serve(t)
	response, body := c.ask(http.MethodGet, "/", "", nil)
	if response.StatusCode != http.StatusOK || !strings.Contains(body, "<title>Errand</title>") {
		t.Fatalf("%d: %s", response.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": desktop.ContentSecurityPolicy, "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if len(response.Cookies()) > 0 {
		t.Error("a cookie would be sent to every port of this machine")
	}
	if response, _ := c.ask(http.MethodGet, "/assets/app.1234.js", "", nil); !strings.Contains(response.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("assets: %v", response.Header)
	}
	// A link on another site may lead here; the page then has no key.
	response, _ = c.ask(http.MethodGet, "/", "", func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "navigate")
	})
	if response.StatusCode != http.StatusOK {
		t.Errorf("a link to the page: %d", response.StatusCode)
	}
}

// received is one event of a stream.
type received struct{ id, event, data string }

// listen reads a stream until it has so many events, or ends.
func (c *client) listen(query string, header map[string]string, many int) []received {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/api/events?key="+c.keys.View+query, nil)
	must.Succeed(c.t, err)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	must.Succeed(c.t, err)
	defer response.Body.Close()
	if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		c.t.Fatalf("%d, %s", response.StatusCode, kind)
	}
	var out []received
	var m received
	for lines := bufio.NewScanner(response.Body); len(out) < many && lines.Scan(); {
		switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			m.data = value
		case "":
			if m.event != "" {
				out = append(out, m)
			}
			m = received{}
		}
	}
	return out
}

func TestEventsResume(t *testing.T) {
	c := serve(t)
	emit := func(from, to int) {
		for i := from; i <= to; i++ {
			c.s.events.add("waiting", view.WaitingEvent{Waiting: i})
		}
	}
	emit(1, 3)
	all := c.listen("&after="+c.s.events.name+"-0", nil, 3)
	if len(all) != 3 || all[0].data != `{"waiting":1}` || all[2].event != "waiting" {
		t.Fatalf("events %+v", all)
	}
	emit(4, 5)
	for name, rest := range map[string][]received{
		"as a browser asks": c.listen("", map[string]string{"Last-Event-ID": all[2].id}, 2),
		"as a page asks":    c.listen("&after="+all[2].id, nil, 2),
	} {
		if len(rest) != 2 || rest[0].data != `{"waiting":4}` || rest[1].data != `{"waiting":5}` {
			t.Errorf("%s: %+v", name, rest)
		}
	}
	emit(6, 6+keptEvents)
	for name, id := range map[string]string{"too long away": all[2].id, "another server's": "OTHER-3", "no id at all": "x", "from the future": c.s.events.name + "-999999"} {
		lost := c.listen("&after="+id, nil, 1)
		if len(lost) != 1 || lost[0].event != "lost" {
			t.Errorf("%s: %+v", name, lost)
		}
	}
	newest := c.listen("&after="+fmt.Sprintf("%s-%d", c.s.events.name, 6+keptEvents-1), nil, 1)
	if len(newest) != 1 || newest[0].data != fmt.Sprintf(`{"waiting":%d}`, 6+keptEvents) {
		t.Errorf("the newest: %+v", newest)
	}
}

func TestEventStream(t *testing.T) {
	c := serve(t)
	heard := make(chan []received)
	go func() { heard <- c.listen("", nil, 2) }()
	poll.Await(t, "the page listens", func() bool { return c.s.events.listening() > 0 })
	var run struct{ Result view.Run }
	goal := map[string]any{"goal": map[string]any{"text": "what time is it"}}
	if status := c.post("/api/Run", []any{goal}, &run); status != http.StatusOK || run.Result.RunID == "" {
		t.Fatalf("Run: %d, %+v", status, run)
	}
	for i, m := range <-heard {
		var e view.RunEvent
		if err := json.Unmarshal([]byte(m.data), &e); err != nil || m.event != "run" || e.RunID != run.Result.RunID || e.Seq != i+1 {
			t.Errorf("event %d: %+v, %v", i, m, err)
		}
	}
}

// TestShutdownIsQuick: a run is under way and pages listen.
func TestShutdownIsQuick(t *testing.T) {
	c := serve(t)
	streams := make(chan []received)
	go func() { streams <- c.listen("", nil, 1_000_000) }()
	poll.Await(t, "the page listens", func() bool { return c.s.events.listening() > 0 })
	began := time.Now()
	if err := c.end(); err != nil {
		t.Error(err)
	}
	<-streams
	if took := time.Since(began); took > endWithin+poll.Patience {
		t.Errorf("the end took %v", took)
	}
	if _, err := http.Get(c.base + "/"); err == nil {
		t.Error("it answers still")
	}
}

func TestWhereItListens(t *testing.T) {
	for _, tt := range []struct {
		addr   string
		remote bool
		code   string
	}{
		{"127.0.0.1:0", false, ""},
		{"[::1]:0", false, ""},
		{"localhost:0", false, ""},
		{"127.8.8.8:0", false, ""},
		{"0.0.0.0:0", false, "not_loopback"},
		{":8080", false, "not_loopback"},
		{"192.168.1.5:80", false, "not_loopback"},
		{"0.0.0.0:0", true, ""},
		{"example.org:80", false, "bad_addr"},
		{"example.org:80", true, "bad_addr"},
		{"127.0.0.1", false, "bad_addr"},
	} {
		err := mayListen(tt.addr, tt.remote)
		code := ""
		if err != nil {
			code = tool.AsError(err).Code
		}
		if code != tt.code {
			t.Errorf("%s, remote %v: %v, want %q", tt.addr, tt.remote, err, tt.code)
		}
	}
}

func TestWithoutAPageItSaysHowToBuildOne(t *testing.T) {
	_, err := Listen(Options{Addr: "127.0.0.1:0", Page: fstest.MapFS{".gitkeep": {}}})
	if e := tool.AsError(err); err == nil || e.Code != "no_page" || !strings.Contains(i18n.English().Text(e.Hint), "make") {
		t.Errorf("error %v", err)
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	c := serve(t)
	var log bytes.Buffer
	c.s.log = slog.New(slog.NewTextHandler(&log, nil))
	m := c.s.methods["Stop"]
	_, err := c.s.invoke("Stop", method{call: m.call, params: m.params}, nil)
	must.Succeed(t, err)
	_, err = c.s.invoke("Read", c.s.methods["Read"], nil) // one argument is missing: reflect panics
	if e := tool.AsError(err); err == nil || e.Code != "panic" || !strings.Contains(log.String(), "Read") {
		t.Errorf("error %v, log %s", err, &log)
	}
}

// TestThePageAsksForTheSamePolicy: where no header can, in the window's own file,
// the page says the same.
func TestThePageAsksForTheSamePolicy(t *testing.T) {
	b := must.ReadFile(t, filepath.Join("..", "..", "frontend", "index.html"))
	want, _, _ := strings.Cut(desktop.ContentSecurityPolicy, "; frame-ancestors")
	if !strings.Contains(strings.Join(strings.Fields(string(b)), " "), `content="`+want+`"`) {
		t.Errorf("frontend/index.html does not say %q", want)
	}
}

// listening returns the number of streams.
func (e *events) listening() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.streams
}
