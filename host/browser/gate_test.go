//go:build unix

package browser_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/address"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/policy"
)

// TestRequestsAreDecided checks which requests of a page policy decides, and what the page shows
// after a denial.
func TestRequestsAreDecided(t *testing.T) {
	w := newWorld(t)
	w.admitted = map[string]bool{"a.example:443": true}
	w.https("a.example", html(`<title>a</title>
		<img src="https://cdn.example/yes.png"><img src="https://ads.example/no.png"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
		<iframe src="https://frame.example/in"></iframe><img src="https://cdn.example/hop">
		<script>new WebSocket("wss://ads.example/socket")</script>`))
	hosts := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hop" {
			http.Redirect(rw, r, "https://ads.example/hopped", http.StatusFound)
			return
		}
		_, _ = io.WriteString(rw, "ok")
	})
	for _, h := range []string{"cdn.example", "ads.example", "frame.example"} {
		w.https(h, hosts)
	}
	var mu sync.Mutex
	asked := map[string]policy.Request{}
	notes := &notebook{}
	listed := allowHosts("a.example", "cdn.example", "frame.example")
	b := w.launch(func(o *page.Options) {
		o.Note = notes.write
		o.Decide = func(r policy.Request) policy.Decision {
			mu.Lock()
			defer mu.Unlock()
			asked[r.URL] = r
			return listed(r)
		}
		o.Admit = func(_, rawURL string) {
			u, _ := url.Parse(rawURL)
			w.mu.Lock()
			defer w.mu.Unlock()
			w.admitted[address.HostPort(u)] = true
		}
	})
	page, err := b.Open(t.Context(), "https://a.example/")
	if err != nil || page.Title != "a" {
		t.Fatalf("Open = %q, %v", page.Title, err)
	}
	poll.Await(t, "policy is asked about the socket, which no page load waits for", func() bool {
		mu.Lock()
		defer mu.Unlock()
		_, ok := asked["wss://ads.example/socket"]
		return ok && notes.has("connection", map[string]any{"url": "wss://ads.example/socket"})
	})
	mu.Lock()
	defer mu.Unlock()
	for rawURL, want := range map[string]policy.Request{
		"https://a.example/":          {Kind: policy.KindNavigate},
		"https://cdn.example/yes.png": {Kind: policy.KindSubresource},
		"https://ads.example/no.png":  {Kind: policy.KindSubresource},
		"https://frame.example/in":    {Kind: policy.KindSubresource}, // a frame is the page's own
		"https://ads.example/hopped":  {Kind: policy.KindSubresource, From: "https://cdn.example/hop"},
		"wss://ads.example/socket":    {Kind: policy.KindSubresource},
	} {
		got, ok := asked[rawURL]
		if !ok || got.Kind != want.Kind || got.From != want.From {
			t.Errorf("asked about %s: %t, %+v, want %+v", rawURL, ok, got, want)
		}
	}
	for rawURL := range asked {
		if strings.HasPrefix(rawURL, "data:") {
			t.Errorf("policy was asked about %s", rawURL)
		}
	}
	if w.reached("ads.example") {
		// Only the proxy can refuse the WebSocket: it is decided here, but not stopped.
		w.mu.Lock()
		if w.admitted["ads.example:443"] {
			t.Error("ads.example was admitted")
		}
		w.mu.Unlock()
	}
	if !w.reached("cdn.example") || !w.reached("frame.example") {
		t.Error("what was allowed was not loaded")
	}
	for _, want := range []map[string]any{
		{"url": "https://a.example/", "kind": "navigate", "type": "document", "verdict": "allow", "rule": "test.listed"},
		{"url": "https://ads.example/no.png", "kind": "subresource", "type": "image", "verdict": "ask", "rule": "test.unlisted", "reason": "it is not in the list"},
		{"url": "wss://ads.example/socket", "kind": "subresource", "type": "websocket", "verdict": "ask"},
	} {
		if !notes.has("connection", want) {
			t.Errorf("not noted: %v", want)
		}
	}
}

// TestNoPolicyRefusesEverything checks a browser without Decide.
func TestNoPolicyRefusesEverything(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>a</title>"))
	b := w.launch(func(o *page.Options) { o.Decide = nil })
	if _, err := b.Open(t.Context(), "https://a.example/"); err == nil || !strings.Contains(err.Error(), "browser.no_policy") {
		t.Errorf("Open = %v, want refused by browser.no_policy", err)
	}
}

// TestPolicyPanics checks that a request whose decision panics is refused and that the browser
// keeps working.
func TestPolicyPanics(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html(`<title>a</title><img src="/panic">`))
	notes := &notebook{}
	b := w.launch(func(o *page.Options) {
		o.Note = notes.write
		o.Decide = func(r policy.Request) policy.Decision {
			if strings.HasSuffix(r.URL, "/panic") {
				panic("oh")
			}
			return allowAll(r)
		}
	})
	if page, err := b.Open(t.Context(), "https://a.example/"); err != nil || page.Title != "a" {
		t.Errorf("Open = %q, %v", page.Title, err)
	}
	if !notes.has("connection", map[string]any{"url": "https://a.example/panic", "verdict": "deny", "rule": "browser.no_answer"}) {
		t.Error("the refusal was not noted")
	}
}

// TestWrongCredentials checks that the browser does not retry wrong credentials forever.
func TestWrongCredentials(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>a</title>"))
	b := w.launch(func(o *page.Options) { o.Proxy.Password = "wrong" })
	began := time.Now()
	_, err := b.Open(t.Context(), "https://a.example/")
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != "proxy_unreachable" || time.Since(began) > poll.Patience {
		t.Errorf("Open = %v after %s, want code proxy_unreachable", err, time.Since(began))
	}
}

// TestPermissionsDenied checks that requests for permissions are denied without a prompt.
func TestPermissionsDenied(t *testing.T) {
	w := newWorld(t)
	answers := make(chan string, 1)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if a := r.FormValue("answers"); a != "" {
			answers <- a
			return
		}
		html(`<script>
			const asked = ["geolocation", "notifications", "camera", "microphone", "midi", "clipboard-read", "local-network-access"]
				.map(name => navigator.permissions.query({name}).then(p => p.state));
			asked.push(new Promise(done => navigator.geolocation.getCurrentPosition(() => done("given"), e => done(e.code))));
			asked.push(Notification.requestPermission());
			Promise.all(asked).then(all => fetch("/?answers=" + all.join("+")))</script>`).ServeHTTP(rw, r)
	}))
	b := w.launch()
	if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-answers: // 1 is PERMISSION_DENIED
		if want := strings.Repeat("denied ", 7) + "1 denied"; got != want {
			t.Errorf("answers = %q, want %q", got, want)
		}
	case <-time.After(poll.Patience):
		t.Error("a permission was neither given nor denied")
	}
}

// TestPopups checks that a window opened by a click is closed before it sends a request.
func TestPopups(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html(`<title>a</title><style>body{margin:0;display:flex} a,button{flex:1;height:100vh}</style>
		<a href="https://b.example/link" target="_blank">link</a>
		<button onclick="window.open('https://b.example/opened')">opened</button>
		<button onclick="window.open('https://b.example/noopener', '', 'noopener')">noopener</button>
		<button onclick="window.open('about:blank').location = 'https://b.example/blank'">blank</button>`))
	w.https("b.example", html("<title>b</title>"))
	notes := &notebook{}
	b := w.launch(func(o *page.Options) { o.Note = notes.write })
	if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	closed := map[string]any{"event": "popup_closed", "rule": "browser.popup"}
	for i, x := range []float64{160, 480, 800, 1120} {
		must.Succeed(t, click(t.Context(), b, "https://a.example/", x, 300))
		if !poll.WaitUntil(func() bool { return notes.count("page", closed) == i+1 }) {
			t.Errorf("after %d clicks %d popups were closed", i+1, notes.count("page", closed))
		}
	}
	poll.SettleDown()
	if w.reached("b.example") {
		t.Error("a popup reached its host")
	}
}
