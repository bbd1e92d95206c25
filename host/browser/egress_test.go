package browser_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/host/browser"
	"errand/host/tool"
	"errand/policy"
)

// ways is a page that tries to reach %[1]s (host:port) by every way that a page
// has, each under a path of its own, and UDP at port %[2]d; then it tells
// /done. Service workers need their script from the page's own host.
const ways = `<!doctype html><title>ways</title><body><script>
const T = "%[1]s", U = "http://" + T, W = "ws://" + T;
const el = (tag, attrs, into = document.body) => Object.assign(into.appendChild(document.createElement(tag)), attrs);
const worker = js => URL.createObjectURL(new Blob([js], {type: "text/javascript"}));
const tries = {
  img: () => el("img", {src: U + "/img"}),
  script: () => el("script", {src: U + "/script"}),
  style: () => el("link", {rel: "stylesheet", href: U + "/style"}),
  font: () => { el("style", {textContent: '@font-face{font-family:f;src:url("' + U + '/font")} body{font-family:f}'}); el("p", {textContent: "x"}) },
  background: () => el("div", {textContent: "x", style: 'background:url("' + U + '/background")'}),
  video: () => el("video", {src: U + "/video", preload: "auto"}),
  object: () => el("object", {data: U + "/object"}),
  embed: () => el("embed", {src: U + "/embed"}),
  iframe: () => el("iframe", {src: U + "/iframe"}),
  srcdoc: () => el("iframe", {srcdoc: '<img src="' + U + '/srcdoc">'}),
  dataframe: () => el("iframe", {src: 'data:text/html,<img src="' + U + '/dataframe">'}),
  metaframe: () => el("iframe", {srcdoc: '<meta http-equiv=refresh content="0;url=' + U + '/metaframe">'}),
  fetch: () => fetch(U + "/fetch", {mode: "no-cors"}),
  preflight: () => fetch(U + "/preflight", {method: "PUT", headers: {"X-A": "1"}}),
  keepalive: () => fetch(U + "/keepalive", {mode: "no-cors", keepalive: true}),
  xhr: () => { const x = new XMLHttpRequest(); x.open("GET", U + "/xhr"); x.send() },
  beacon: () => navigator.sendBeacon(U + "/beacon", "x"),
  ping: () => el("a", {href: "#x", ping: U + "/ping"}).click(),
  events: () => new EventSource(U + "/events"),
  prefetch: () => el("link", {rel: "prefetch", href: U + "/prefetch"}),
  preload: () => el("link", {rel: "preload", as: "image", href: U + "/preload"}),
  preconnect: () => el("link", {rel: "preconnect", href: U}),
  dns: () => el("link", {rel: "dns-prefetch", href: U}),
  modulepreload: () => el("link", {rel: "modulepreload", href: U + "/modulepreload"}),
  manifest: () => el("link", {rel: "manifest", href: U + "/manifest"}, document.head),
  icon: () => el("link", {rel: "icon", href: U + "/icon"}, document.head),
  speculation: () => el("script", {type: "speculationrules", textContent: JSON.stringify({prefetch: [{urls: [U + "/speculation"]}], prerender: [{urls: [U + "/prerender"]}]})}),
  form: () => { el("iframe", {name: "f"}); const f = el("form", {action: U + "/form", method: "POST", target: "f"}); f.submit() },
  popup: () => open(U + "/popup"),
  noopener: () => open(U + "/noopener", "", "noopener"),
  blank: () => { const w = open("about:blank"); w.location = U + "/blank" },
  import: () => import(U + "/import"),
  worker: () => new Worker(worker("fetch('" + U + "/worker', {mode: 'no-cors'})")),
  workerws: () => new Worker(worker("new WebSocket('" + W + "/workerws')")),
  shared: () => new SharedWorker(worker("fetch('" + U + "/shared', {mode: 'no-cors'})")),
  sharedws: () => new SharedWorker(worker("new WebSocket('" + W + "/sharedws')")),
  service: () => navigator.serviceWorker.register("/sw.js"),
  ws: () => new WebSocket(W + "/ws"),
  hop: () => fetch("/hop", {mode: "no-cors"}),
  hopimg: () => el("img", {src: "/hop?img"}),
  rtc: () => { const c = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:%[2]d"}, {urls: "turn:127.0.0.1:%[2]d?transport=udp", username: "u", credential: "p"}, {urls: "turn:" + T + "?transport=tcp", username: "u", credential: "p"}]}); c.createDataChannel("x"); c.createOffer().then(o => c.setLocalDescription(o)) },
  webtransport: () => new WebTransport("https://127.0.0.1:%[2]d/webtransport"),
};
for (const name in tries) try { tries[name]() } catch (e) { console.log(name, e) }
setTimeout(() => fetch("/done"), 2500);
</script>`

// forbidden is a server on loopback that nothing may reach.
type forbidden struct {
	tcp net.Listener
	udp net.PacketConn

	mu   sync.Mutex
	hits []string
}

func newForbidden(t *testing.T) *forbidden {
	t.Helper()
	f := &forbidden{}
	var err error
	if f.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if f.udp, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = f.tcp.Close(), f.udp.Close() })
	srv := &http.Server{
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { f.hit(r.URL.Path) }),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				f.hit("tcp")
			}
		},
	}
	go func() { _ = srv.Serve(f.tcp) }()
	go func() {
		for b := make([]byte, 2048); ; {
			if _, _, err := f.udp.ReadFrom(b); err != nil {
				return
			}
			f.hit("udp")
		}
	}()
	return f
}

func (f *forbidden) hit(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.hits, what) {
		f.hits = append(f.hits, what)
	}
}

// try opens the page of all ways in a new browser and lists what reached the
// server, at the address that to names it by.
func (f *forbidden) try(t *testing.T, w *world, to string, change func(*browser.Options)) []string {
	t.Helper()
	f.mu.Lock()
	f.hits = nil
	f.mu.Unlock()
	port := f.tcp.Addr().(*net.TCPAddr).Port
	target := fmt.Sprintf("%s:%d", to, port)
	done := make(chan struct{})
	var once sync.Once
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(rw, ways, target, f.udp.LocalAddr().(*net.UDPAddr).Port)
	})
	mux.HandleFunc("/done", func(http.ResponseWriter, *http.Request) { once.Do(func() { close(done) }) })
	mux.HandleFunc("/hop", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "http://"+target+"/hop"+r.URL.RawQuery, http.StatusFound)
	})
	mux.HandleFunc("/sw.js", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/javascript")
		_, _ = fmt.Fprintf(rw, `fetch("http://%[1]s/service", {mode: "no-cors"}); new WebSocket("ws://%[1]s/servicews")`, target)
	})
	w.http("localhost-page.example", mux)
	w.https("a.example", mux)

	b := w.launch(change)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if page, err := b.Open(ctx, "http://localhost-page.example/"); err != nil || page.Title != "ways" {
		t.Fatalf("the page of an allowed host: %q, %v", page.Title, err)
	}
	if _, err := b.Open(ctx, "https://a.example/"); err != nil { // what only a secure page may do
		t.Fatalf("the page of an allowed host: %v", err)
	}
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("the page did not come to its end")
	}
	time.Sleep(500 * time.Millisecond)
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.hits)
}

// TestEgress: some forty ways out of an allowed page, and none leads past the
// proxy to a server on loopback.
func TestEgress(t *testing.T) {
	f := newForbidden(t)
	port := f.tcp.Addr().(*net.TCPAddr).Port

	// That the page can do all this is shown where the proxy lets it: else the
	// zeros below would say nothing.
	t.Run("control", func(t *testing.T) {
		w := newWorld(t)
		w.routes[fmt.Sprintf("127.0.0.1:%d", port)] = f.tcp.Addr().String()
		hits := f.try(t, w, "127.0.0.1", func(*browser.Options) {})
		if len(hits) < 20 {
			t.Errorf("only %d ways work: %v", len(hits), hits)
		}
		for _, must := range []string{"/iframe", "/fetch", "/ws", "/worker", "/shared", "/beacon", "/hop", "/service"} {
			if !slices.Contains(hits, must) {
				t.Errorf("%s does not work: %v", must, hits)
			}
		}
		if slices.Contains(hits, "udp") {
			t.Error("UDP went out")
		}
	})
	tests := []struct {
		name, to string
		decide   func(policy.Request) policy.Decision
	}{
		{"the proxy alone, 127.0.0.1", "127.0.0.1", allowAll},
		{"the proxy alone, localhost", "localhost", allowAll},
		{"the proxy alone, decimal address", "2130706433", allowAll},
		{"both, localhost", "foo.localhost", allowHosts("a.example", "localhost-page.example")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			hits := f.try(t, w, tt.to, func(o *browser.Options) { o.Decide = tt.decide })
			if len(hits) > 0 {
				t.Errorf("reached: %v", hits)
			}
		})
	}
}

// TestRequestsAreDecided: what policy is asked about each request of a page,
// and what becomes of the page where the answer is no.
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
	b := w.launch(func(o *browser.Options) {
		o.Note = notes.write
		o.Decide = func(r policy.Request) policy.Decision {
			mu.Lock()
			defer mu.Unlock()
			asked[r.URL] = r
			return listed(r)
		}
		o.Admit = func(hostport string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.admitted[hostport] = true
		}
	})
	page, err := b.Open(t.Context(), "https://a.example/")
	if err != nil || page.Title != "a" {
		t.Fatalf("Open = %q, %v", page.Title, err)
	}
	time.Sleep(500 * time.Millisecond) // for the socket, which nobody waits for
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
		// The WebSocket is the proxy's to refuse: it may be asked, not opened.
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

// TestNoPolicyRefusesEverything: the zero value of Decide.
func TestNoPolicyRefusesEverything(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>a</title>"))
	b := w.launch(func(o *browser.Options) { o.Decide = nil })
	if _, err := b.Open(t.Context(), "https://a.example/"); err == nil || !strings.Contains(err.Error(), "browser.no_policy") {
		t.Errorf("Open = %v, want refused by browser.no_policy", err)
	}
}

// TestPolicyPanics: a request whose decision panics is refused, and the browser
// goes on.
func TestPolicyPanics(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html(`<title>a</title><img src="/panic">`))
	notes := &notebook{}
	b := w.launch(func(o *browser.Options) {
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

// TestWrongCredentials: the browser does not ask for ever.
func TestWrongCredentials(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>a</title>"))
	b := w.launch(func(o *browser.Options) { o.Proxy.Password = "wrong" })
	began := time.Now()
	_, err := b.Open(t.Context(), "https://a.example/")
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != "proxy_unreachable" || time.Since(began) > 10*time.Second {
		t.Errorf("Open = %v after %s, want code proxy_unreachable", err, time.Since(began))
	}
}

// TestPermissionsDenied: a page that asks for more gets a no, and no prompt.
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
	case <-time.After(10 * time.Second):
		t.Error("a permission was neither given nor denied")
	}
}

// TestPopups: what a click opens is closed before it asks for anything.
func TestPopups(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html(`<title>a</title><style>body{margin:0;display:flex} a,button{flex:1;height:100vh}</style>
		<a href="https://b.example/link" target="_blank">link</a>
		<button onclick="window.open('https://b.example/opened')">opened</button>
		<button onclick="window.open('https://b.example/noopener', '', 'noopener')">noopener</button>
		<button onclick="window.open('about:blank').location = 'https://b.example/blank'">blank</button>`))
	w.https("b.example", html("<title>b</title>"))
	notes := &notebook{}
	b := w.launch(func(o *browser.Options) { o.Note = notes.write })
	if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	closed := map[string]any{"event": "popup_closed", "rule": "browser.popup"}
	for i, x := range []float64{160, 480, 800, 1120} {
		if err := b.Click(t.Context(), "https://a.example/", x, 300); err != nil {
			t.Fatal(err)
		}
		if !eventually(5*time.Second, func() bool { return notes.count("page", closed) == i+1 }) {
			t.Errorf("after %d clicks %d popups were closed", i+1, notes.count("page", closed))
		}
	}
	time.Sleep(time.Second)
	if w.reached("b.example") {
		t.Error("a popup reached its host")
	}
}
