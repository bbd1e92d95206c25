package guard

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"errand/build/must"
	"errand/policy"
)

func TestProxyTunnelsTLS(t *testing.T) {
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "secret "+r.Host) })
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{})
	p := startProxy(t, g, ProxyOptions{})
	client := browser(t, p, s)
	resp, err := client.Get("https://example.com/")
	must.Succeed(t, err)
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(text) != "secret example.com" {
		t.Errorf("body = %q", text)
	}
	client.CloseIdleConnections()
	c := recorded(t, p, 1)[0]
	if c.Method != "CONNECT" || c.Host != "example.com" || c.Verdict != policy.Allow || c.Rule != policy.RuleListed ||
		c.Sent == 0 || c.Received == 0 || c.Addr != s.addr().String() || !c.Error.IsZero() {
		t.Errorf("record = %+v", c)
	}
}

func TestProxyChecksTheTunnelsName(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{})
	hello := func(name string) func(net.Conn) {
		return func(c net.Conn) {
			tls.Client(c, &tls.Config{ServerName: name, InsecureSkipVerify: true}).Handshake()
		}
	}
	tests := []struct {
		name  string
		first func(net.Conn)
		rule  string
	}{
		{"its own name", hello("example.com"), policy.RuleListed},
		{"its own name in capitals", hello("EXAMPLE.com"), policy.RuleListed},
		{"another name", hello("evil.example"), RuleSNI},
		{"a subdomain", hello("www.example.com"), RuleSNI},
		{"no name", hello(""), RuleSNI},
		{"an address for a name", hello("127.0.0.1"), RuleSNI},
		{"plain HTTP", func(c net.Conn) { io.WriteString(c, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n") }, RuleSNI},
		{"another protocol", func(c net.Conn) { io.WriteString(c, "\x00\x01\x02\x03 garbage that is no handshake") }, RuleSNI},
		{"SSH", func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n\r\n") }, RuleSNI},
		{"a broken hello", func(c net.Conn) { c.Write([]byte{0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0}) }, RuleSNI},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := startProxy(t, g, ProxyOptions{})
			conn, _, resp := connect(t, p, "example.com:443")
			if resp.StatusCode != http.StatusOK {
				t.Fatalf("status %d", resp.StatusCode)
			}
			tt.first(conn)
			if tt.rule == RuleSNI {
				if n, _ := conn.Read(make([]byte, 1)); n != 0 {
					t.Error("the tunnel answered")
				}
			}
			conn.Close()
			if c := recorded(t, p, 1)[0]; c.Rule != tt.rule || (c.Verdict == policy.Allow) != (tt.rule == policy.RuleListed) {
				t.Errorf("record = %+v, want rule %s", c, tt.rule)
			}
		})
	}
}

func TestProxyForwardsPlainHTTP(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hop" { // net/http writes a Connection header of its own
			conn, _, _ := http.NewResponseController(w).Hijack()
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Kept: 1\r\n\r\n")
			return
		}
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "http://127.0.0.1/", http.StatusFound)
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.URL, body)
	})
	g, _ := secureGuard(t, nil, s, []string{"http://plain.example"}, Options{})
	p := startProxy(t, g, ProxyOptions{})
	client := browser(t, p, nil)

	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://plain.example/a/b?c=d", strings.NewReader("body"))
	req.Header.Set("Connection", "X-Private")
	req.Header.Set("X-Private", "1")
	req.Header.Set("Te", "trailers")
	resp, err := client.Do(req)
	must.Succeed(t, err)
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if want := "POST plain.example /a/b?c=d body"; string(text) != want {
		t.Errorf("body = %q, want %q", text, want)
	}
	_, last := s.seen()
	for _, h := range []string{"Proxy-Authorization", "Proxy-Connection", "X-Private", "Te", "Via", "X-Forwarded-For"} {
		if last.Header.Get(h) != "" {
			t.Errorf("%s reached the server", h)
		}
	}

	resp, err = client.Get("http://plain.example/hop")
	must.Succeed(t, err)
	resp.Body.Close()
	if resp.Header.Get("X-Hop") != "" || resp.Header.Get("X-Kept") != "1" {
		t.Errorf("response header = %v", resp.Header)
	}

	resp, err = client.Get("http://plain.example/moved")
	must.Succeed(t, err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusFound {
		t.Errorf("status %d: a redirect is the browser's to follow", resp.StatusCode)
	}

	for u, status := range map[string]int{
		"http://other.example/":          http.StatusForbidden,
		"http://" + s.addr().String():    http.StatusForbidden,
		"http://plain.example:22/":       http.StatusForbidden,
		"http://" + p.Addr().String():    http.StatusForbidden,
		"http://169.254.169.254/latest/": http.StatusForbidden,
	} {
		resp, err := client.Get(u)
		if err != nil {
			t.Errorf("%s: %v", u, err)
			continue
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("%s: status %d, want %d", u, resp.StatusCode, status)
		}
	}
}
