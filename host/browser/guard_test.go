//go:build unix

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"testing"

	"errand/build/must"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/guard"
)

// TestBrowserUnderGuard opens pages with the program's own policy and proxy, wired as in the
// program.
func TestBrowserUnderGuard(t *testing.T) {
	needsChromium(t)
	rules, err := policy.New(policy.Settings{AllowedDomains: []string{"a.example", "missing.example", "http://missing.example"}})
	must.Succeed(t, err)
	w := newWorld(t)
	w.https("a.example", html(`<title>nvidia</title><img src="https://b.example/1.png"><img src="https://b.example/2.png"><img src="/3.png">`))
	w.https("b.example", http.NotFoundHandler())
	hosts := map[string]netip.AddrPort{}
	for hostport, address := range w.routes {
		hosts[hostport] = netip.MustParseAddrPort(address)
	}
	proxy, err := guard.New(rules, guard.Options{
		Overrides: hosts,
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			return nil, fmt.Errorf("lookup %s: no such host", host)
		},
	}).StartProxy(t.Context(), guard.ProxyOptions{})
	must.Succeed(t, err)
	defer proxy.Close()
	notes := &notebook{}
	b := w.launchAt(proxy.Addr(), func(o *page.Options) {
		o.Proxy.Sockets, o.Proxy.Username, o.Proxy.Password = proxy.Sockets(), proxy.Username(), proxy.Password()
		o.Decide, o.Admit, o.Note = rules.Decide, proxy.Admit, notes.write
	})

	got, err := b.Open(t.Context(), "https://a.example/results?search_query=nvidia")
	if err != nil || got.Title != "nvidia" {
		t.Fatalf("Open = %q, %v", got.Title, err)
	}
	opened := map[string]policy.Verdict{}
	for _, c := range proxy.Connections() {
		opened[c.Host] = c.Verdict
	}
	if len(notes.lines) < 4 {
		t.Errorf("notes: %v", notes.lines)
	}
	for host, verdict := range opened {
		if verdict != policy.Allow {
			t.Errorf("the browser asked for %s by itself", host)
		}
	}

	tests := []struct {
		name, url string
		wantClass tool.Class
		wantCode  string
	}{
		{"not listed", "https://github.com/", tool.PolicyDenied, "navigation_needs_approval"},
		{"loopback", "http://127.0.0.1:1/", tool.PolicyDenied, "navigation_denied"},
		{"unresolved, http", "http://missing.example/", tool.ToolUnavailable, "name_not_resolved"},
		{"unresolved, https", "https://missing.example/", tool.ToolUnavailable, "host_unreachable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.Open(t.Context(), tt.url)
			var e *tool.Error
			if !errors.As(err, &e) || e.Class != tt.wantClass || e.Code != tt.wantCode {
				t.Errorf("Open = %v, want %s %s", err, tt.wantClass, tt.wantCode)
			}
			t.Log(err)
		})
	}
}

// TestBrowserBypassesProxy checks that a browser whose settings bypass the proxy, as managed
// policies can do, is reported and reaches no server.
func TestBrowserBypassesProxy(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html("<title>a</title>"))
	b := w.launch(func(o *page.Options) { o.Bin = withFlags(t, "--no-proxy-server") })
	_, err := b.Open(t.Context(), "https://a.example/")
	wantError(t, err, tool.ToolUnavailable, "browser_managed", "")
	if w.reached("a.example") {
		t.Error("the browser used the proxy")
	}
}
