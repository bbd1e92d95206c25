package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"errand/app/demo"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/policy"
	"errand/policy/guard"
)

// TestUnderThePrograms: the browser under the program's own policy and its own
// proxy, against the demo's site: what main wires together.
func TestUnderThePrograms(t *testing.T) {
	needsChromium(t)
	rules, err := policy.New(policy.Settings{AllowedDomains: []string{"youtube.com", "www.youtube.com", "missing.example", "http://missing.example"}})
	if err != nil {
		t.Fatal(err)
	}
	site, err := demo.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := guard.New(rules, guard.Options{
		Overrides: site.Hosts(),
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			return nil, fmt.Errorf("lookup %s: no such host", host)
		},
	}).StartProxy(t.Context(), guard.ProxyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	w := &world{t: t, spki: site.SPKI()}
	notes := &notebook{}
	b := w.launchAt(proxy.Addr(), func(o *page.Options) {
		o.Proxy.Username, o.Proxy.Password = proxy.Username(), proxy.Password()
		o.Decide, o.Admit, o.Note = rules.Decide, proxy.Admit, notes.write
	})

	page, err := b.Open(t.Context(), "https://www.youtube.com/results?search_query=nvidia")
	if err != nil || page.Title != "nvidia - YouTube (demo)" {
		t.Fatalf("Open = %q, %v", page.Title, err)
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
