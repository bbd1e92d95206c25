//go:build unix

package session

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"errand/app/config"
	"errand/build/must"
	"errand/build/tier"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/trace"
	"errand/policy/guard"
)

// busyPages make requests until something stops them. Each is the script of a page of
// a.example; b.example is another site.
var busyPages = map[string]string{
	"navigations":         `setTimeout(() => location.replace("?" + Math.random()), 10)`,
	"navigations by href": `setTimeout(() => location.href = location.pathname + "?" + Math.random(), 10)`,
	"reloads":             `setTimeout(() => location.reload(), 10)`,
	"forms":               `const f = document.body.appendChild(document.createElement("form")); f.method = "POST"; setTimeout(() => f.submit(), 10)`,
	"sockets":             `for (let i = 0; i < 40; i++) new WebSocket("wss://a.example/s" + i)`,
	"sockets, one by one": `const next = i => { if (i > 40) return; const s = new WebSocket("wss://a.example/s" + i); s.onopen = s.onerror = () => { s.close(); next(i + 1) } }; next(0)`,
	"sockets of a worker": `new Worker(URL.createObjectURL(new Blob(["for (let i = 0; i < 40; i++) new WebSocket('wss://b.example/w' + i)"])))`,
	"redirects":           `for (let i = 0; i < 5; i++) fetch("/hop?" + i * 100, {mode: "no-cors"}).catch(() => {})`,
	"redirected page":     `setTimeout(() => location = "/hop?0", 10)`,
	"a service worker":    `navigator.serviceWorker.register("/worker.js")`,
	"beacons":             `for (let i = 0; i < 40; i++) navigator.sendBeacon("https://b.example/beacon" + i, "x")`,
	"preflights":          `(async () => { for (let i = 0; i < 40; i++) await fetch("https://b.example/put" + i, {method: "PUT", headers: {"X-A": "1"}}).catch(() => {}) })()`,
	"events":              `new EventSource("/events")`,
	"icons":               `for (let i = 0; i < 40; i++) setTimeout(() => { const l = document.head.appendChild(document.createElement("link")); l.rel = "icon"; l.href = "https://b.example/icon" + i }, i * 20)`,
	"frames":              `for (let i = 0; i < 40; i++) document.body.appendChild(document.createElement("iframe")).src = "/frame" + i`,
	"connections ahead":   `for (let i = 0; i < 40; i++) { const l = document.head.appendChild(document.createElement("link")); l.rel = "preconnect"; l.href = "https://b.example:" + (8001 + i) }`,
}

// busySite serves a busy page and counts every request and connection.
type busySite struct {
	script      string
	requests    atomic.Int64
	connections atomic.Int64

	mu      sync.Mutex
	records []trace.ConnectionNote // that the guard made
}

// note keeps a record of the guard.
func (s *busySite) note(n trace.ConnectionNote) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = append(s.records, n)
}

func (s *busySite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests.Add(1)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Methods", "PUT")
	w.Header().Set("Access-Control-Allow-Headers", "X-A")
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.Header.Get("Upgrade") != "":
		s.socket(w, r)
	case r.URL.Path == "/hop":
		var n int
		fmt.Sscan(r.URL.RawQuery, &n)
		http.Redirect(w, r, fmt.Sprintf("/hop?%d", n+1), http.StatusFound)
	case r.URL.Path == "/worker.js":
		w.Header().Set("Content-Type", "text/javascript")
		io.WriteString(w, `self.oninstall = e => e.waitUntil((async () => { for (let i = 0; i < 40; i++) await fetch("/of-worker" + i).catch(() => {}) })())`)
	case r.URL.Path == "/events":
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "retry: 10\n\n")
	case r.URL.Path == "/":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>busy</title><link rel="icon" href="data:,"><body><script>%s</script>`, s.script)
	}
}

// socket accepts a WebSocket until the page closes it.
func (s *busySite) socket(w http.ResponseWriter, r *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1<<10))
}

// TestBudgetCountsSentBytes: whatever a page does by itself, no more requests reach the
// servers than the budget has, and the account has at least as many as arrived.
func TestBudgetCountsSentBytes(t *testing.T) {
	wantBrowser(t)
	names := []string{"navigations", "sockets, one by one", "redirects", "a service worker"}
	if tier.IsLong() {
		names = slices.Sorted(maps.Keys(busyPages))
	}
	for _, name := range names {
		script := busyPages[name]
		t.Run(name, func(t *testing.T) {
			const most = 10
			got, site := runBusyPage(t, "https://a.example/", script, most)
			got.mu.Lock() // the page may still be busy
			defer got.mu.Unlock()
			if n := site.requests.Load(); n > most || n > int64(got.requests) || n == 0 {
				t.Errorf("%d requests arrived, %d were counted, of %d", n, got.requests, most)
			}
			if got.stopped == 0 && name != "connections ahead" {
				t.Errorf("nothing was stopped: the page was not busy")
			}
			if n := site.connections.Load(); n > most {
				t.Errorf("%d connections arrived, of %d requests", n, most)
			}
		})
	}
}

// TestRequestsOfPagesAreNotOfTheBrowser: no request that a page causes is recorded as one that
// the browser sends by itself, not even the question before a request to another site.
func TestRequestsOfPagesAreNotOfTheBrowser(t *testing.T) {
	wantBrowser(t)
	var site *busySite
	t.Run("browser", func(t *testing.T) { // its end closes the connections, which records them
		_, site = runBusyPage(t, "http://a.example/", strings.ReplaceAll(busyPages["preflights"], "https:", "http:"), 1000)
	})
	site.mu.Lock()
	defer site.mu.Unlock()
	if len(site.records) != 81 { // the page, and two for each of 40
		t.Errorf("%d records", len(site.records))
	}
	for _, n := range site.records {
		if !n.Wire || !n.Source.IsZero() || n.URL == "" {
			t.Errorf("%+v", n)
		}
	}
}

func wantBrowser(t *testing.T) {
	t.Helper()
	if _, _, err := chromium.Find(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
}

// runBusyPage opens a page in a run with a budget, and waits until it has been quiet.
func runBusyPage(t *testing.T, start, script string, most int) (*requestBudget, *busySite) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "errand.toml")
	text := fmt.Sprintf("[policy]\nallowed_domains = [\"a.example\", \"b.example:*\", \"http://a.example\", \"http://b.example\"]\n[policy.budget]\nrequests = %d\n", most)
	must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	ss := newSessions(t, config.Options{File: file})
	s := opening(t, ss)
	site := &busySite{script: script}
	server := httptest.NewUnstartedServer(site)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			site.connections.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	plain := httptest.NewServer(site)
	t.Cleanup(func() { plain.CloseClientConnections(); plain.Close() })
	at := netip.MustParseAddrPort(server.Listener.Addr().String())
	hosts := map[string]netip.AddrPort{"a.example:443": at, "b.example:443": at}
	for _, host := range []string{"a.example:80", "b.example:80"} {
		hosts[host] = netip.MustParseAddrPort(plain.Listener.Addr().String())
	}
	for i := range 40 {
		hosts[fmt.Sprintf("b.example:%d", 8001+i)] = at
	}
	s.guard = guard.New(wire{s}, guard.Options{Overrides: hosts, Record: func(c guard.Connection) { site.note(s.connectionNote(c)) }})
	proxy, err := s.guard.StartProxy(t.Context(), s.proxyOptions())
	must.Succeed(t, err)
	t.Cleanup(func() { proxy.Close() })
	key := sha256.Sum256(server.Certificate().RawSubjectPublicKeyInfo)
	b, err := ss.Launch(t.Context(), proxy, page.Options{
		Options: chromium.Options{TrustSPKI: []string{base64.StdEncoding.EncodeToString(key[:])}},
		Decide:  s.Decide, Note: s.browserNote,
	})
	must.Succeed(t, err)
	t.Cleanup(func() { b.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := b.Open(ctx, start); err != nil && !strings.Contains(err.Error(), "requests_used_up") {
		t.Fatal(err)
	}
	for last, quiet := int64(-1), 0; quiet < 5 && ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		if n := site.requests.Load(); n != last {
			last, quiet = n, 0
		} else {
			quiet++
		}
	}
	return &s.budget, site
}
