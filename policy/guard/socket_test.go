package guard

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"

	"errand/build/must"
	"errand/policy"
)

// echo switches protocols and sends back what it receives.
func echo(w http.ResponseWriter, _ *http.Request) {
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
	io.Copy(conn, rw)
}

const upgrade = "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

// TestProxyWebSocket checks a plain WebSocket, which arrives as CONNECT and then an upgrade.
func TestProxyWebSocket(t *testing.T) {
	s := newSite(t, false, echo)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"ws://plain.example"}}), Options{
		Overrides: map[string]netip.AddrPort{"plain.example:80": s.addr()},
	})
	p := startProxy(t, g, ProxyOptions{})

	conn, r, _ := connectAt(t, p, p.Sockets(), "plain.example:80")
	fmt.Fprintf(conn, upgrade, "/socket", "plain.example")
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v %v, want the protocol switched", resp, err)
	}
	io.WriteString(conn, "ping")
	text := make([]byte, 4)
	if _, err := io.ReadFull(r, text); err != nil || string(text) != "ping" {
		t.Errorf("echo = %q %v", text, err)
	}
	conn.Close()
	if c := recorded(t, p, 1)[0]; c.Verdict != policy.Allow || c.Sent < 4 || c.Received < 4 || c.Rule != policy.RuleListed {
		t.Errorf("record = %+v", c)
	}

	conn, r, _ = connectAt(t, p, p.Sockets(), "plain.example:80")
	fmt.Fprintf(conn, upgrade, "/socket", "other.example")
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("error = %v, want the tunnel closed for another Host", err)
	}
	if c := recorded(t, p, 2)[1]; c.Rule != RuleSNI || c.Verdict != policy.Deny {
		t.Errorf("record = %+v", c)
	}
}

// TestWebSocketsAreDecided checks that a WebSocket of an allowed host is decided separately, and
// recorded with its outcome.
func TestWebSocketsAreDecided(t *testing.T) {
	plain, secure := newSite(t, false, echo), newSite(t, true, echo)
	hosts := map[string]netip.AddrPort{"other.example:443": secure.addr()}
	for _, host := range []string{"a.example", "b.example"} {
		hosts[host+":80"], hosts[host+":443"] = plain.addr(), secure.addr()
	}
	for _, tt := range []struct {
		name     string
		allowed  []string
		listed   bool   // subresources = "listed"
		at       string // host:port
		path     string // "": over TLS
		admitted string
		want     policy.Verdict
		rule     string
	}{
		{"plain, listed", []string{"ws://a.example"}, false, "a.example:80", "/x", "", policy.Allow, policy.RuleListed},
		{"plain, of an allowed page", []string{"http://a.example"}, false, "a.example:80", "/x", "", policy.Deny, policy.RuleInsecure},
		{"plain, banned", []string{"http://a.example", "ws://a.example", "!ws://a.example"}, false, "a.example:80", "/x", "", policy.Deny, policy.RuleDenied},
		{"plain, banned path", []string{"ws://a.example", "!ws://a.example/admin/"}, false, "a.example:80", "/admin/x", "", policy.Deny, policy.RuleDenied},
		{"plain, banned path in disguise", []string{"ws://a.example", "!http://a.example/admin/"}, false, "a.example:80", "//ADMIN/x", "", policy.Deny, policy.RuleDenied},
		{"plain, beside a banned path", []string{"ws://a.example", "!ws://a.example/admin/"}, false, "a.example:80", "/x", "", policy.Allow, policy.RuleListed},
		{"plain, allowed path", []string{"ws://a.example/v1/"}, false, "a.example:80", "/v1/x", "", policy.Allow, policy.RuleListed},
		{"plain, beside an allowed path", []string{"http://a.example", "ws://a.example/v1/"}, false, "a.example:80", "/v2/x", "", policy.Deny, policy.RuleInsecure},
		{"TLS, public", []string{"b.example"}, false, "a.example:443", "", "", policy.Allow, policy.RulePublic},
		{"TLS, of an allowed host", []string{"a.example"}, true, "a.example:443", "", "", policy.Deny, policy.RuleUnlisted},
		{"TLS, listed", []string{"wss://a.example"}, true, "a.example:443", "", "", policy.Allow, policy.RuleListed},
		{"TLS, banned", []string{"a.example", "!a.example"}, false, "a.example:443", "", "", policy.Deny, policy.RuleDenied},
		{"TLS, banned scheme", []string{"a.example", "!wss://a.example"}, false, "a.example:443", "", "", policy.Deny, policy.RuleDenied},
		{"TLS, banned path", []string{"a.example", "!https://a.example/admin/"}, false, "a.example:443", "", "", policy.Deny, policy.RuleDenied},
		{"TLS, allowed path", []string{"https://a.example/v1/", "wss://a.example/v1/"}, true, "a.example:443", "", "", policy.Deny, policy.RuleUnlisted},
		{"TLS, admitted for other requests", []string{"b.example"}, true, "a.example:443", "", "host", policy.Deny, policy.RuleUnlisted},
		{"TLS, admitted", []string{"b.example"}, true, "a.example:443", "", "socket", policy.Allow, RuleAdmitted},
		{"TLS, admitted and banned", []string{"!a.example"}, true, "a.example:443", "", "socket", policy.Deny, policy.RuleDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			subresources := "public"
			if tt.listed {
				subresources = "listed"
			}
			plainHits, _ := plain.seen()
			secureHits, _ := secure.seen()
			g := New(mustPolicy(t, policy.Settings{AllowedDomains: tt.allowed, Subresources: subresources}), Options{Overrides: hosts})
			p := startProxy(t, g, ProxyOptions{AdmitTime: 1})
			switch tt.admitted {
			case "host":
				p.Admit(http.MethodGet, "https://"+tt.at+"/")
			case "socket":
				p.AdmitSocket(tt.at)
			}
			host, _, _ := net.SplitHostPort(tt.at)
			conn, _, resp := connectAt(t, p, p.Sockets(), tt.at)
			if resp.StatusCode != http.StatusOK {
				t.Fatalf("status %d", resp.StatusCode)
			}
			var line net.Conn = conn
			path := tt.path
			if path == "" {
				line, path = tls.Client(conn, &tls.Config{ServerName: host, InsecureSkipVerify: true}), "/admin/"
			}
			fmt.Fprintf(line, upgrade, path, host)
			n, _ := line.Read(make([]byte, 12))
			conn.Close()
			c := recorded(t, p, 1)[0]
			if c.Verdict != tt.want || c.Rule != tt.rule {
				t.Errorf("record: %s by %s (%s), want %s by %s", c.Verdict, c.Rule, c.Reason, tt.want, tt.rule)
			}
			now, _ := plain.seen()
			nowTLS, _ := secure.seen()
			if out := now-plainHits+nowTLS-secureHits > 0; out != (tt.want == policy.Allow) || (n > 0) != out {
				t.Errorf("let out: %t, answered: %t, recorded as %s", out, n > 0, c.Verdict)
			}
		})
	}
}

// TestOnlySocketsAtTheirAddress checks that the address for WebSockets opens no other tunnel, and
// the other address no WebSocket.
func TestOnlySocketsAtTheirAddress(t *testing.T) {
	s := newSite(t, false, echo)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"http://plain.example", "ws://plain.example", "plain.example:80"}}), Options{
		Overrides: map[string]netip.AddrPort{"plain.example:80": s.addr()},
	})
	for name, tt := range map[string]struct {
		sockets bool
		host    string
		first   string
	}{
		"a request":               {true, "plain.example:80", "GET / HTTP/1.1\r\nHost: plain.example\r\n\r\n"},
		"another protocol":        {true, "plain.example:80", "SSH-2.0-OpenSSH_9.2\r\n"},
		"an absolute URI":         {true, "plain.example:80", "GET http://other.example/ HTTP/1.1\r\nHost: plain.example\r\nUpgrade: websocket\r\n\r\n"},
		"no host":                 {true, "//", ""},
		"a WebSocket as a tunnel": {false, "plain.example:80", fmt.Sprintf(upgrade, "/", "plain.example")},
	} {
		t.Run(name, func(t *testing.T) {
			p := startProxy(t, g, ProxyOptions{})
			at := p.Addr()
			if tt.sockets {
				at = p.Sockets()
			}
			conn, r, resp := connectAt(t, p, at, tt.host)
			if resp.StatusCode == http.StatusOK {
				io.WriteString(conn, tt.first)
				if _, err := r.ReadByte(); err == nil {
					t.Error("it was answered")
				}
			}
			conn.Close()
			if resp.StatusCode == http.StatusBadRequest {
				return // the server didn't take it for a host
			}
			if c := recorded(t, p, 1)[0]; c.Verdict != policy.Deny {
				t.Errorf("record = %+v", c)
			}
		})
	}
	p := startProxy(t, g, ProxyOptions{})
	for path, want := range map[string]int{"http://" + p.Sockets().String() + "/x": http.StatusNoContent, "http://other.example/": http.StatusForbidden, "ftp://plain.example/": http.StatusBadRequest} {
		conn, err := net.Dial("tcp4", p.Sockets().String())
		must.Succeed(t, err)
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic %s\r\nConnection: close\r\n\r\n", path, basic(p))
		var status int
		fmt.Fscanf(conn, "HTTP/1.1 %d", &status)
		conn.Close()
		if status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
	if hits, _ := s.seen(); hits != 0 {
		t.Errorf("%d requests came through", hits)
	}
}

// TestSocketsAreCharged checks that the limits of a run can refuse a WebSocket that policy
// allows.
func TestSocketsAreCharged(t *testing.T) {
	s := newSite(t, false, echo)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"ws://plain.example"}}), Options{
		Overrides: map[string]netip.AddrPort{"plain.example:80": s.addr()},
	})
	left := 2
	p := startProxy(t, g, ProxyOptions{Charge: func(r policy.Request, d policy.Decision) policy.Decision {
		if left--; left < 0 {
			return policy.Decision{Rule: RuleBudget}
		}
		return d
	}})
	for i := range 4 {
		conn, r, _ := connectAt(t, p, p.Sockets(), "plain.example:80")
		fmt.Fprintf(conn, upgrade, "/", "plain.example")
		_, _ = r.ReadByte()
		conn.Close()
		if c := recorded(t, p, i+1)[i]; (c.Verdict == policy.Allow) != (i < 2) {
			t.Errorf("socket %d: %s by %s", i, c.Verdict, c.Rule)
		}
	}
	if hits, _ := s.seen(); hits != 2 {
		t.Errorf("%d sockets reached the server, want 2", hits)
	}
}
