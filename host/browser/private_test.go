//go:build unix

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/page"
	"errand/policy"
	"errand/policy/guard"
)

// private is a service of this machine that allow_private permits, with a real policy.
type private struct {
	*world
	b          *page.Browser
	mu         sync.Mutex
	shop, evil string   // the pages of a.example and evil.example
	got        []string // what the service got: method, path, and "socket" for the start of one
	addr       string

	notes notebook
}

// newPrivate serves a.example (listed), evil.example (not listed) and the service, each with its
// own pages.
func newPrivate(t *testing.T, settings policy.Settings, shop, evil, own string) *private {
	p := &private{world: newWorld(t), shop: shop, evil: evil}
	serve := func(body *string) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/to-private":
				http.Redirect(rw, r, "http://"+p.addr+"/hit", http.StatusTemporaryRedirect)
			case "/w.js":
				rw.Header().Set("Content-Type", "text/javascript")
				fmt.Fprintf(rw, `fetch("http://%s/hit", {method: "POST", mode: "no-cors"}); new WebSocket("ws://%[1]s/hit")`, p.addr)
			case "/csp":
				rw.Header().Set("Content-Security-Policy", "img-src 'none'; report-uri http://"+p.addr+"/hit")
				html(`<img src="https://a.example/x.png">`).ServeHTTP(rw, r)
			default:
				p.mu.Lock()
				page := strings.ReplaceAll(*body, "PRIVATE", p.addr) + `<p>ready</p>`
				p.mu.Unlock()
				html(page).ServeHTTP(rw, r)
			}
		})
	}
	p.https("a.example", serve(&p.shop))
	p.https("evil.example", serve(&p.evil))
	p.http("plain.example", serve(&p.evil))
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.got = append(p.got, r.Method+" "+r.URL.Path)
		if r.Header.Get("Upgrade") != "" {
			p.got = append(p.got, "socket")
		}
		p.mu.Unlock()
		switch r.URL.Path {
		case "/":
			html(own+`<p>ready</p>`).ServeHTTP(rw, r)
		case "/login":
			http.Redirect(rw, r, "/", http.StatusFound)
		}
	}))
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	p.addr = srv.Listener.Addr().String()
	settings.AllowPrivate = []string{p.addr}
	for i, pattern := range settings.AllowedDomains {
		settings.AllowedDomains[i] = strings.ReplaceAll(pattern, "PRIVATE", p.addr)
	}
	if settings.AllowedDomains == nil {
		settings.AllowedDomains = []string{"a.example"}
	}
	rules, err := policy.New(settings)
	must.Succeed(t, err)
	hosts := map[string]netip.AddrPort{}
	for hostport, address := range p.routes {
		hosts[hostport] = netip.MustParseAddrPort(address)
	}
	proxy, err := guard.New(rules, guard.Options{Overrides: hosts}).StartProxy(t.Context(), guard.ProxyOptions{})
	must.Succeed(t, err)
	t.Cleanup(func() { proxy.Close() })
	p.b = p.launchAt(proxy.Addr(), func(o *page.Options) {
		o.Proxy.Sockets, o.Proxy.Username, o.Proxy.Password = proxy.Sockets(), proxy.Username(), proxy.Password()
		o.Decide, o.Admit, o.AdmitSocket, o.Note = rules.Decide, proxy.Admit, proxy.AdmitSocket, p.notes.write
	})
	return p
}

// change serves other pages from now on.
func (p *private) change(shop, evil string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shop, p.evil = shop, evil
}

func (p *private) was(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, g := range p.got {
		if strings.Contains(g, what) {
			return true
		}
	}
	return false
}

// awaits waits until the service has received all of the requests.
func (p *private) awaits(all ...string) {
	p.t.Helper()
	if !poll.WaitUntil(func() bool { return !slices.ContainsFunc(all, func(what string) bool { return !p.was(what) }) }) {
		p.t.Errorf("the service got %q, want %q; noted %v", p.got, all, p.notes.lines)
	}
}

// TestPrivateFromPage checks that a private address that allow_private permits to the user gets
// no request from pages of other origins, whichever way they try.
func TestPrivateFromPage(t *testing.T) {
	t.Parallel()
	const to = "http://PRIVATE/hit"
	js := func(s string) string { return `<script>` + s + `</script>` }
	ways := map[string]string{
		"picture":          `<img src="` + to + `">`,
		"POST":             js(`fetch("` + to + `", {method: "POST", mode: "no-cors", body: "x"})`),
		"beacon":           js(`navigator.sendBeacon("` + to + `", "x")`),
		"beacon at unload": js(`onpagehide = () => navigator.sendBeacon("` + to + `", "x")`),
		"script":           `<script src="` + to + `"></script>`,
		"frame":            `<iframe src="` + to + `"></iframe>`,
		"form in a frame":  `<iframe name=x></iframe><form method=post action="` + to + `" target=x></form>` + js(`document.forms[0].submit()`),
		"blank frame":      `<iframe id=i></iframe>` + js(`i.contentWindow.eval("fetch('`+to+`', {mode: 'no-cors'})")`),
		"srcdoc":           `<iframe srcdoc="<img src='` + to + `'>"></iframe>`,
		"sandbox":          `<iframe sandbox="allow-scripts" srcdoc="<img src='` + to + `'>"></iframe>`,
		"object":           `<object data="` + to + `"></object><embed src="` + to + `">`,
		"prefetch":         `<link rel=prefetch href="` + to + `"><link rel=preload as=image href="` + to + `">`,
		"speculation":      `<script type=speculationrules>{"prefetch": [{"urls": ["` + to + `"]}], "prerender": [{"urls": ["` + to + `"]}]}</script>`,
		"socket":           js(`new WebSocket("ws://PRIVATE/hit")`),
		"worker":           js(`new Worker("/w.js")`),
		"shared worker":    js(`new SharedWorker("/w.js")`),
		"blob worker":      js(`new Worker(URL.createObjectURL(new Blob(["fetch('` + to + `', {mode: 'no-cors'}); new WebSocket('ws://PRIVATE/hit')"])))`),
		"redirect":         `<img src="/to-private">` + js(`fetch("/to-private", {method: "POST", mode: "no-cors"})`),
		"report":           `<iframe src="/csp"></iframe>`,
		"no referrer":      `<meta name=referrer content=no-referrer><img src="` + to + `">` + js(`fetch("`+to+`", {mode: "no-cors"})`),
		"event source":     js(`new EventSource("` + to + `")`),
	}
	var all strings.Builder
	for _, way := range ways {
		all.WriteString(way)
	}
	p := newPrivate(t, policy.Settings{}, "", "", "")
	for _, tt := range []struct {
		name       string
		p          *private
		shop, evil string
	}{
		{"of the page", p, all.String(), ""},
		{"of a frame", p, `<iframe src="https://evil.example/"></iframe>`, all.String()},
		{"with listed subresources", newPrivate(t, policy.Settings{Subresources: "listed"}, "", "", ""), all.String(), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := tt.p
			p.change(tt.shop, tt.evil)
			h := newHands(t, p.b)
			h.open("/")
			h.does("scroll", `{"to": "bottom"}`)
			h.does("open", `{"url": "http://`+p.addr+`/"}`) // after the page's beacons
			h.does("wait", `{"text": "ready"}`)
			if p.was("hit") {
				t.Errorf("the service got %q", p.got)
			}
		})
	}

	for _, tt := range []struct{ name, body string }{
		{"goes there", js(`location = "` + to + `"`)},
		{"sends a form", `<form method=post action="` + to + `"></form>` + js(`document.forms[0].submit()`)},
		{"redirects", js(`location = "/to-private"`)},
		{"refreshes", `<meta http-equiv=refresh content="0; url=` + to + `">`},
		{"opens a window", `<button onclick="open('` + to + `')">Go</button>`},
		{"links", `<a href="` + to + `">Go</a>`},
		{"links to a window", `<a href="` + to + `" target=_blank rel=noopener>Go</a>`},
		{"leaves a beacon", js(`onpagehide = () => navigator.sendBeacon("` + to + `", "x")`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p.change(tt.body, "")
			h := newHands(t, p.b)
			h.call("open", `{"url": "https://a.example/"}`)
			if strings.Contains(tt.body, "Go<") {
				h.call("click", `{"locator": {"text": "Go"}}`)
			}
			h.call("wait", `{"text": "never", "timeout_ms": 500}`)
			h.call("tab_close", "")
			h.does("open", `{"url": "http://`+p.addr+`/"}`)
			h.does("wait", `{"text": "ready"}`)
			if p.was("hit") {
				t.Errorf("the service got %q", p.got)
			}
		})
	}
}

// TestPrivateFromBrowser checks that the service gets no request that a page of another origin
// makes the browser itself send.
func TestPrivateFromBrowser(t *testing.T) {
	t.Parallel()
	p := newPrivate(t, policy.Settings{}, `<script>
		navigator.credentials.get({identity: {providers: [{configURL: "http://PRIVATE/hit", clientId: "1"}]}}).catch(() => {})
		new PaymentRequest([{supportedMethods: "http://PRIVATE/hit"}], {total: {label: "x", amount: {currency: "USD", value: "1"}}}).canMakePayment()
	</script>`, "", "")
	h := newHands(t, p.b)
	h.does("open", `{"url": "http://`+p.addr+`/"}`)
	h.open("/")
	h.call("wait", `{"text": "never", "timeout_ms": 1500}`)
	if p.was("hit") || p.was("/.well-known/") {
		t.Errorf("the service got %q", p.got)
	}
}

// TestPrivateOwnPage checks that a service that the user opens can make its own requests, and
// that a listed one also gets those of other pages.
func TestPrivateOwnPage(t *testing.T) {
	t.Parallel()
	const own = `<img src="/picture"><iframe src="/frame"></iframe><script src="/script"></script><link rel=stylesheet href="/style">
		<form action="/"><button>Send</button></form><a href="/linked">Linked</a>
		<script>fetch("/fetched", {method: "POST"}); navigator.sendBeacon("/beacon"); new WebSocket("ws://" + location.host + "/hot")</script>`
	p := newPrivate(t, policy.Settings{}, "", `<img src="http://PRIVATE/hit"><script>new WebSocket("ws://PRIVATE/hit")</script>`, own+`<iframe src="https://evil.example/"></iframe>`)
	h := newHands(t, p.b)
	h.does("open", `{"url": "http://`+p.addr+`/login?a=ü"}`)
	p.awaits("GET /picture", "GET /frame", "GET /script", "GET /style", "POST /fetched", "POST /beacon", "GET /hot", "socket")
	h.does("submit", `{"locator": {"role": "button", "name": "Send"}}`)
	h.does("click", `{"locator": {"role": "link", "name": "Linked"}}`)
	h.does("back", "")
	h.does("reload", "")
	if p.was("/hit") {
		t.Errorf("a frame of another host reached it: %q", p.got)
	}

	listed := newPrivate(t, policy.Settings{AllowedDomains: []string{"a.example", "http://PRIVATE", "ws://PRIVATE"}},
		`<img src="http://PRIVATE/picture"><script>new WebSocket("ws://PRIVATE/hot")</script>`, "", "")
	newHands(t, listed.b).open("/")
	listed.awaits("GET /picture", "GET /hot")
}
