package guard

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/build/poll"
	"errand/policy"
)

func startProxy(t *testing.T, g *Guard, o ProxyOptions) *Proxy {
	t.Helper()
	setDefault(&o.AdmitTime, time.Millisecond) // nobody admits while a test waits for a refusal
	p, err := g.StartProxy(t.Context(), o)
	must.Succeed(t, err)
	t.Cleanup(func() { p.Close() })
	return p
}

// browser is an HTTP client that goes through the proxy.
func browser(t *testing.T, p *Proxy, s *site) *http.Client {
	t.Helper()
	tr := &http.Transport{
		Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: p.Addr().String(), User: url.UserPassword(p.Username(), p.Password())}),
	}
	if s != nil {
		tr.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// connect sends a raw CONNECT and returns the connection with the answer.
func connect(t *testing.T, p *Proxy, host string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	return connectAt(t, p, p.Addr(), host)
}

// connectAt asks one of the proxy's addresses for a tunnel.
func connectAt(t *testing.T, p *Proxy, at netip.AddrPort, host string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	conn, err := net.Dial("tcp4", at.String())
	must.Succeed(t, err)
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: host}, Host: host, Header: http.Header{}}
	req.SetBasicAuth(p.Username(), p.Password())
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: %s\r\n\r\n", host, host, req.Header.Get("Authorization"))
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, req)
	must.Succeed(t, err)
	return conn, r, resp
}

// recorded waits until the proxy has n records: a tunnel's comes once both
// ends are closed.
func recorded(t *testing.T, p *Proxy, n int) []Connection {
	t.Helper()
	poll.Await(t, fmt.Sprintf("%d records", n), func() bool { return len(p.Connections()) >= n })
	return p.Connections()
}

func TestProxyWantsItsCredentials(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{})
	p, other := startProxy(t, g, ProxyOptions{}), startProxy(t, g, ProxyOptions{})
	if p.Password() == other.Password() || len(p.Password()) < 20 {
		t.Errorf("passwords %q and %q", p.Password(), other.Password())
	}
	for name, auth := range map[string]string{
		"none": "", "wrong": "Basic ZXJyYW5kOndyb25n", "another proxy's": "Basic " + basic(other), "no scheme": basic(p),
	} {
		conn, err := net.Dial("tcp4", p.Addr().String())
		must.Succeed(t, err)
		fmt.Fprintf(conn, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nProxy-Authorization: %s\r\n\r\n", auth)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		must.Succeed(t, err)
		if resp.StatusCode != http.StatusProxyAuthRequired || resp.Header.Get("Proxy-Authenticate") == "" {
			t.Errorf("%s: %d with %v, want 407", name, resp.StatusCode, resp.Header)
		}
		conn.Close()
	}
	if hits, _ := s.seen(); hits != 0 || len(p.Connections()) != 0 {
		t.Errorf("%d requests came through", hits)
	}
}

func basic(p *Proxy) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(p.Username(), p.Password())
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Basic ")
}

func TestProxyRefuses(t *testing.T) {
	private := newSite(t, false, nil)
	closed := closedPort(t)
	pol := mustPolicy(t, policy.Settings{
		AllowedDomains: []string{"*", "!denied.example", "https://path.example/v1/", fmt.Sprintf("shut.example:%d", closed)},
		AllowPrivate:   []string{"127.0.0.0/8"},
	})
	g := New(pol, Options{
		Resolve: answers(map[string][]string{"rebound.example": {"127.0.0.1"}, "shut.example": {"127.0.0.1"}}),
	})
	p := startProxy(t, g, ProxyOptions{})
	tests := []struct {
		name, host string
		status     int
		code, rule string
	}{
		{"denied", "denied.example:443", 403, "denied", policy.RuleDenied},
		{"port not listed", "example.com:8443", 403, "denied", policy.RuleUnlisted},
		{"bad port", "example.com:25", 403, "denied", policy.RuleBadPort},
		{"private literal", "10.0.0.1:443", 403, "denied", policy.RulePrivateAddress},
		{"IPv6 loopback", "[::1]:443", 403, "denied", policy.RulePrivateAddress},
		{"mapped loopback", "[::ffff:7f00:1]:443", 403, "denied", policy.RulePrivateAddress},
		{"localhost", "localhost:443", 403, "denied", policy.RuleSpecialName},
		{"whole number", "2130706433:443", 403, "denied", policy.RuleHost},
		{"trailing dot", "example.com.:443", 403, "denied", policy.RuleHost},
		{"path pattern without admission", "path.example:443", 502, "name_not_resolved", ""}, // "*" lists it
		{"name that leads to an opened address", "rebound.example:443", 403, "denied", policy.RulePrivateAddress},
		{"unknown name", "gone.example:443", 502, "name_not_resolved", ""},
		{"nobody listens", fmt.Sprintf("shut.example:%d", closed), 502, "connect_failed", ""},
		{"itself", p.Addr().String(), 403, "denied", RuleSelf},
		{"nonsense", "//", 403, "denied", policy.RuleHost},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := len(p.Connections())
			_, _, resp := connect(t, p, tt.host)
			if tt.name == "nonsense" && resp.StatusCode == http.StatusBadRequest {
				return // the server itself didn't take it for a host
			}
			if resp.StatusCode != tt.status || resp.Header.Get("X-Errand-Error") != tt.code || resp.Header.Get("X-Errand-Rule") != tt.rule {
				t.Errorf("%d %s %s, want %d %s %s", resp.StatusCode, resp.Header.Get("X-Errand-Error"), resp.Header.Get("X-Errand-Rule"), tt.status, tt.code, tt.rule)
			}
			if body, _ := io.ReadAll(resp.Body); !strings.HasPrefix(string(body), "errand: ") || len(body) < 20 {
				t.Errorf("body = %q, want a reason", body)
			}
			if c := recorded(t, p, before+1); c[before].Host == "" {
				t.Errorf("record = %+v, want a host", c[before])
			}
		})
	}
	if hits, _ := private.seen(); hits != 0 {
		t.Errorf("a private server was reached %d times", hits)
	}
}

// closedPort is a port of loopback on which nobody listens.
func closedPort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must.Succeed(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestProxyAdmits(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, []string{"!www.example.com"}, Options{})
	p := startProxy(t, g, ProxyOptions{})
	client := browser(t, p, s)
	if _, err := client.Get("https://example.com/"); err == nil {
		t.Fatal("a host was opened that nobody listed or admitted")
	}
	for _, rawURL := range []string{"https://EXAMPLE.com/x", "https://www.example.com/", "https://127.0.0.1/", "", "no host", "https:///"} {
		p.Admit(http.MethodGet, rawURL)
	}
	resp, err := client.Get("https://example.com/")
	if err != nil {
		t.Fatalf("an admitted host: %v", err)
	}
	resp.Body.Close()
	for _, u := range []string{"https://www.example.com/", "https://127.0.0.1/", "https://example.com:8443/"} {
		if _, err := client.Get(u); err == nil {
			t.Errorf("%s was opened: an admission covers one host and port, and lifts no ban", u)
		}
	}
}

// TestProxyAdmitsRequests checks that an admission for a private address without TLS permits one
// method and URL.
func TestProxyAdmitsRequests(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer site.Close()
	pol, err := policy.New(policy.Settings{AllowedDomains: []string{"example.com"}, AllowPrivate: []string{site.Listener.Addr().String()}})
	if err != nil {
		t.Fatal(err)
	}
	p := startProxy(t, New(pol, Options{}), ProxyOptions{AdmitTime: time.Millisecond})
	p.Admit(http.MethodGet, site.URL+"/a?b=%20c#d")
	p.Admit(http.MethodPut, site.URL+"/put")
	for _, tt := range []struct {
		method, url, preflight string
		want                   int
	}{
		{"GET", "/a?b=%20c", "", 200},
		{"GET", "/a?b=%20c", "", 200}, // a browser repeats what a closed connection lost
		{"HEAD", "/a?b=%20c", "", 403},
		{"POST", "/a?b=%20c", "", 403},
		{"GET", "/a", "", 403},
		{"GET", "/a?b=%20c&d", "", 403},
		{"GET", "//a?b=%20c", "", 403},
		{"GET", "/fedcm.json", "", 403},
		{"PUT", "/put", "", 200},
		{"OPTIONS", "/put", "PUT", 200},
		{"OPTIONS", "/put", "POST", 403},
		{"OPTIONS", "/put", "", 403},
		{"OPTIONS", "/other", "PUT", 403},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), tt.method, site.URL+tt.url, nil)
		if tt.preflight != "" {
			r.Header.Set("Access-Control-Request-Method", tt.preflight)
		}
		resp, err := browser(t, p, nil).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.want {
			t.Errorf("%s %s (%s): %d, want %d", tt.method, tt.url, tt.preflight, resp.StatusCode, tt.want)
		}
	}
}

// TestProxyCharges: what was not admitted is charged once, and what was admitted is not.
func TestProxyCharges(t *testing.T) {
	plain, secure := newSite(t, false, nil), newSite(t, true, nil)
	g := New(mustPolicy(t, policy.Settings{AllowedDomains: []string{"example.com", "http://plain.example"}}), Options{
		Overrides: map[string]netip.AddrPort{"plain.example:80": plain.addr(), "example.com:443": secure.addr()},
	})
	charged, most := 0, 0
	p := startProxy(t, g, ProxyOptions{AdmitTime: time.Millisecond, Charge: func(_ policy.Request, d policy.Decision) policy.Decision {
		if charged++; charged > most {
			return policy.Decision{Rule: RuleBudget}
		}
		return d
	}})
	for range 2 {
		p.Admit(http.MethodGet, "http://plain.example/twice#part")
	}
	p.Admit(http.MethodPost, "http://plain.example/post")
	get := func(method, url string) error {
		r, _ := http.NewRequestWithContext(t.Context(), method, url, nil)
		resp, err := browser(t, p, secure).Do(r)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				err = fmt.Errorf("status %d", resp.StatusCode)
			}
		}
		return err
	}
	for _, tt := range []struct {
		method, url string
		most        int // charges that are granted
		charged     int
		fails       bool
	}{
		{"GET", "http://plain.example/twice", 0, 0, false},
		{"GET", "http://plain.example/twice", 0, 0, false},
		{"GET", "http://plain.example/twice", 1, 1, false}, // the browser itself repeats it
		{"GET", "http://plain.example/twice", 0, 1, true},
		{"HEAD", "http://plain.example/post", 0, 1, true},
		{"POST", "http://plain.example/post", 0, 0, false},
		{"GET", "http://plain.example/manifest.json", 1, 1, false},
		{"GET", "http://plain.example/manifest.json", 0, 1, true},
		{"OPTIONS", "http://plain.example/post", 0, 1, true},
		{"GET", "https://example.com/", 1, 1, false},
		{"GET", "https://example.com/", 0, 1, true},
		{"GET", "http://denied.example/", 9, 0, true}, // policy's denial is not charged
	} {
		charged, most = 0, tt.most
		if err := get(tt.method, tt.url); charged != tt.charged || (err != nil) != tt.fails {
			t.Errorf("%s %s: charged %d times, error %v", tt.method, tt.url, charged, err)
		}
	}
	p.Admit(http.MethodGet, "https://example.com/page")
	charged, most = 0, 0
	if err := get("GET", "https://example.com/"); err != nil || charged != 0 {
		t.Errorf("a tunnel to an admitted host: charged %d times, error %v", charged, err)
	}
}

// TestProxyWaitsForAnAdmission checks that a browser can connect for a WebSocket before its
// admission arrives.
func TestProxyWaitsForAnAdmission(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, nil, Options{})
	p := startProxy(t, g, ProxyOptions{AdmitTime: time.Hour})
	time.AfterFunc(20*time.Millisecond, func() {
		p.Admit(http.MethodGet, "https://www.example.com/") // another one's news are none
		p.Admit(http.MethodGet, "https://example.com/")
	})
	began := time.Now()
	resp, err := browser(t, p, s).Get("https://example.com/")
	must.Succeed(t, err)
	resp.Body.Close()
	if took := time.Since(began); took > poll.Patience {
		t.Errorf("an admitted host waited %s", took)
	}
}

func TestProxyIsNoServer(t *testing.T) {
	g, _ := secureGuard(t, nil, nil, nil, Options{})
	p := startProxy(t, g, ProxyOptions{})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.Addr().String()+"/", nil)
	req.Header.Set("Proxy-Authorization", "Basic "+basic(p))
	resp, err := http.DefaultTransport.RoundTrip(req)
	must.Succeed(t, err)
	resp.Body.Close()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d, want 400", resp.StatusCode)
	}
}

func TestProxyLimits(t *testing.T) {
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		for range 100 {
			if _, err := w.Write(make([]byte, 10_000)); err != nil {
				return
			}
		}
	})
	plain := newSite(t, false, func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 1_000_000)) })
	g, _ := secureGuard(t, s, plain, []string{"example.com", "http://plain.example"}, Options{})

	p := startProxy(t, g, ProxyOptions{MaxBytes: 100_000})
	for _, u := range []string{"https://example.com/", "http://plain.example/"} {
		client := browser(t, p, s)
		resp, err := client.Get(u)
		must.Succeed(t, err)
		if n, err := io.Copy(io.Discard, resp.Body); err == nil || n > 100_000 {
			t.Errorf("%s: %d bytes came through, %v", u, n, err)
		}
		resp.Body.Close()
	}
	for _, c := range recorded(t, p, 2) {
		if c.Rule != RuleLimit || c.Verdict != policy.Deny {
			t.Errorf("record = %+v, want rule %s", c, RuleLimit)
		}
	}

	p = startProxy(t, g, ProxyOptions{IdleTime: 50 * time.Millisecond})
	if _, err := browser(t, p, s).Get("https://example.com/hang"); err == nil {
		t.Error("an idle tunnel stayed open")
	}
	p = startProxy(t, g, ProxyOptions{MaxTime: 50 * time.Millisecond})
	if _, err := browser(t, p, s).Get("https://example.com/hang"); err == nil {
		t.Error("a tunnel outlived its time")
	}
	p = startProxy(t, g, ProxyOptions{HelloTime: 20 * time.Millisecond})
	conn, r, _ := connect(t, p, "example.com:443")
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("error = %v, want a silent tunnel closed", err)
	}
	conn.Close()

	p = startProxy(t, g, ProxyOptions{MaxConns: 1})
	connect(t, p, "example.com:443")
	if _, _, resp := connect(t, p, "example.com:443"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d of a connection too many", resp.StatusCode)
	}
}

func TestProxyRecordsAreBounded(t *testing.T) {
	g, _ := secureGuard(t, nil, nil, nil, Options{})
	var denied records
	p := startProxy(t, g, ProxyOptions{RecordLimit: 8, OnDenied: denied.add})
	for i := range 30 {
		connect(t, p, fmt.Sprintf("host%d.example:443", i))
	}
	all := recorded(t, p, 1)
	if len(all) > 8 || all[len(all)-1].Host != "host29.example" {
		t.Errorf("%d records, the last %+v", len(all), all[len(all)-1])
	}
	if len(denied.list()) != 30 {
		t.Errorf("%d refusals were reported, want 30", len(denied.list()))
	}
}

func TestProxyEnds(t *testing.T) {
	s := newSite(t, true, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{})
	ends := map[string]func(*Proxy, context.CancelFunc){
		"by Close":       func(p *Proxy, _ context.CancelFunc) { p.Close(); p.Close() },
		"by its context": func(_ *Proxy, cancel context.CancelFunc) { cancel() },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p, err := g.StartProxy(ctx, ProxyOptions{})
			must.Succeed(t, err)
			defer p.Close()
			waiting, _, _ := connect(t, p, "example.com:443") // no hello yet
			talking, _, _ := connect(t, p, "example.com:443")
			c := tls.Client(talking, &tls.Config{ServerName: "example.com", InsecureSkipVerify: true})
			must.Succeed(t, c.Handshake())
			end(p, cancel)
			p.Close()
			for _, conn := range []net.Conn{waiting, talking} {
				if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
					t.Error("a tunnel outlived its proxy")
				}
			}
			if _, err := net.DialTimeout("tcp4", p.Addr().String(), time.Second); err == nil {
				t.Error("the proxy still listens")
			}
			if n := len(p.Connections()); n != 2 {
				t.Errorf("%d records, want both tunnels", n)
			}
		})
	}
}

// TestProxyAdmitsPrivate checks that the browser can contact an address of allow_private if its
// interception has admitted the request, or if the address is listed.
func TestProxyAdmitsPrivate(t *testing.T) {
	site := newSite(t, false, nil)
	at := site.addr().String()
	for _, tt := range []struct {
		name    string
		allowed []string
		admit   bool
		want    int
	}{
		{"not admitted", nil, false, 403},
		{"admitted", nil, true, 200},
		{"listed", []string{"http://" + at}, false, 200},
		{"every name is listed", []string{"*", "http://*"}, false, 403},
		{"banned", []string{"!http://" + at}, true, 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pol, err := policy.New(policy.Settings{AllowedDomains: tt.allowed, AllowPrivate: []string{at}})
			must.Succeed(t, err)
			p := startProxy(t, New(pol, Options{}), ProxyOptions{AdmitTime: time.Millisecond})
			if tt.admit {
				p.Admit(http.MethodGet, "http://"+at+"/")
			}
			got, err := browser(t, p, site).Get("http://" + at + "/")
			must.Succeed(t, err)
			got.Body.Close()
			if got.StatusCode != tt.want {
				t.Errorf("%s, want %d", got.Status, tt.want)
			}
		})
	}
}
