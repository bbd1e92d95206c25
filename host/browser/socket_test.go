//go:build unix

package browser_test

import (
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/page"
	"errand/policy"
	"errand/policy/guard"
)

// socketSite serves a page and accepts every WebSocket. It keeps their URLs.
type socketSite struct {
	scheme string
	page   http.Handler

	mu     sync.Mutex
	opened map[string]bool
}

func (s *socketSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		s.page.ServeHTTP(w, r)
		return
	}
	s.mu.Lock()
	s.opened[s.scheme+"://"+r.Host+r.URL.Path] = true
	s.mu.Unlock()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	_, _ = io.Copy(io.Discard, conn)
}

func (s *socketSite) reached(url string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened[url]
}

// TestSocketsFollowPolicy checks that denials and paths apply to the WebSockets of allowed hosts,
// and that the record has the decision about each.
func TestSocketsFollowPolicy(t *testing.T) {
	needsChromium(t)
	want := map[string]bool{ // whether it opens
		"wss://public.example/x":  true,
		"wss://site.example/x":    true,
		"wss://path.example/x":    false, // its path is hidden, and a path is banned
		"wss://path.example/no/":  false,
		"wss://scheme.example/x":  false,
		"wss://banned.example/x":  false,
		"ws://listed.example/yes": true,
		"ws://listed.example/no/": false,
		"ws://listed.example//no": false,
		"ws://plain.example/x":    false, // http is allowed, ws is not
		"ws://banned.example/x":   false,
	}
	rules, err := policy.New(policy.Settings{AllowedDomains: []string{
		"site.example", "http://site.example", "path.example", "!https://path.example/no/", "scheme.example", "!wss://scheme.example",
		"!banned.example", "ws://listed.example", "!ws://listed.example/no/", "http://plain.example",
	}})
	must.Succeed(t, err)
	w := newWorld(t)
	sites := map[string]*socketSite{}
	for _, scheme := range []string{"wss", "ws"} {
		text := `<title>sockets</title><script>`
		for url := range want {
			if strings.HasPrefix(url, scheme+":") {
				text += fmt.Sprintf("new WebSocket(%q);", url)
			}
		}
		site := &socketSite{scheme: scheme, page: html(text + `</script>`), opened: map[string]bool{}}
		sites[scheme] = site
		for _, host := range []string{"site", "public", "path", "scheme", "banned", "listed", "plain"} {
			if scheme == "wss" {
				w.https(host+".example", site)
			} else {
				w.http(host+".example", site)
			}
		}
	}
	hosts := map[string]netip.AddrPort{}
	for hostport, address := range w.routes {
		hosts[hostport] = netip.MustParseAddrPort(address)
	}
	proxy, err := guard.New(rules, guard.Options{Overrides: hosts}).StartProxy(t.Context(), guard.ProxyOptions{})
	must.Succeed(t, err)
	defer proxy.Close()
	notes := &notebook{}
	b := w.launchAt(proxy.Addr(), func(o *page.Options) {
		o.Proxy.Sockets, o.Proxy.Username, o.Proxy.Password = proxy.Sockets(), proxy.Username(), proxy.Password()
		o.Decide, o.Admit, o.AdmitSocket, o.Note = rules.Decide, proxy.Admit, proxy.AdmitSocket, notes.write
	})
	for _, url := range []string{"https://site.example/", "http://site.example/"} {
		if _, err := b.Open(t.Context(), url); err != nil {
			t.Fatal(err)
		}
	}
	for url, open := range want {
		site := sites[url[:strings.Index(url, ":")]]
		verdict := map[bool]string{true: "allow", false: "deny"}[open]
		if !poll.WaitUntil(func() bool { return site.reached(url) == open }) {
			t.Errorf("%s: reached %t, want %t", url, !open, open)
		}
		if !poll.WaitUntil(func() bool {
			return notes.has("connection", map[string]any{"url": url, "type": "websocket", "verdict": verdict})
		}) {
			t.Errorf("%s: not noted as %s", url, verdict)
		}
	}
	poll.SettleDown() // for what should not come
	for url, open := range want {
		if !open && sites[url[:strings.Index(url, ":")]].reached(url) {
			t.Errorf("%s was let out", url)
		}
	}
}
