package browser_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"errand/host/browser"
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
