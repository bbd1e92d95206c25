package guard

import (
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/policy"
)

// TestUnaskedConnections checks that the record names what the browser sends by itself, with
// its URL if it is not encrypted.
func TestUnaskedConnections(t *testing.T) {
	plain, secure := newSite(t, false, nil), newSite(t, true, nil)
	hosts := map[string]netip.AddrPort{"plain.example:80": plain.addr(), "example.com:443": secure.addr()}
	const target = "http://plain.example/a?b=c"
	for _, tt := range []struct {
		name        string
		admit       string // method and URL
		send        string
		wantURL     string
		wantUnasked bool
		want        policy.Verdict
	}{
		{"plain HTTP of a page", "GET " + target, "GET " + target, target, false, policy.Allow},
		{"plain HTTP", "", "GET " + target, target, true, policy.Allow},
		{"another URL", "GET http://plain.example/", "GET " + target, target, true, policy.Allow},
		{"another method", "POST " + target, "GET " + target, target, true, policy.Allow},
		{"TLS of a page", "GET https://example.com/x", "GET https://example.com/x", "", false, policy.Allow},
		{"TLS", "", "GET https://example.com/x", "", true, policy.Allow},
		{"denied", "", "GET http://denied.example/x", "http://denied.example/x", true, policy.Deny},
		{"denied TLS", "", "GET https://denied.example/x", "", true, policy.Deny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"http://plain.example", "example.com", "!denied.example"}}), Options{Overrides: hosts})
			charged := 0
			p := startProxy(t, g, ProxyOptions{Charge: func(_ policy.Request, d policy.Decision) policy.Decision {
				charged++
				return d
			}})
			if method, url, ok := strings.Cut(tt.admit, " "); ok {
				p.Admit(method, url)
			}
			method, url, _ := strings.Cut(tt.send, " ")
			req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
			must.Succeed(t, err)
			client := browser(t, p, secure)
			if resp, err := client.Do(req); err == nil {
				resp.Body.Close()
			}
			client.CloseIdleConnections()
			c := recorded(t, p, 1)[0]
			if c.URL != tt.wantURL || c.Unasked != tt.wantUnasked || c.Verdict != tt.want {
				t.Errorf("record = %+v", c)
			}
			if isCharged := charged > 0; isCharged != (tt.wantUnasked && tt.want == policy.Allow) {
				t.Errorf("charged %d times", charged)
			}
		})
	}
}

// TestUnaskedSockets does so for WebSockets.
func TestUnaskedSockets(t *testing.T) {
	s := newSite(t, false, echo)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"ws://plain.example"}}), Options{
		Overrides: map[string]netip.AddrPort{"plain.example:80": s.addr()},
	})
	for _, admitted := range []bool{false, true} {
		p := startProxy(t, g, ProxyOptions{
			AdmitTime: 50 * time.Millisecond,
			Charge:    func(_ policy.Request, d policy.Decision) policy.Decision { return d },
		})
		if admitted {
			p.AdmitSocket("plain.example:80")
		}
		conn, r, _ := connectAt(t, p, p.Sockets(), "plain.example:80")
		fmt.Fprintf(conn, upgrade, "/socket?a=b", "plain.example")
		_, err := http.ReadResponse(r, nil)
		must.Succeed(t, err)
		conn.Close()
		_, _ = io.Copy(io.Discard, r)
		c := recorded(t, p, 1)[0]
		if c.URL != "ws://plain.example:80/socket?a=b" || c.Unasked == admitted || c.Verdict != policy.Allow {
			t.Errorf("admitted %t: record = %+v", admitted, c)
		}
	}
}
