package guard

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/policy"
)

// secureGuard lets "example.com" be the TLS server and "plain.example" the
// plain one, by overrides. httptest's certificate is for example.com.
func secureGuard(t *testing.T, tlsSite, plain *site, allowed []string, o Options) (*Guard, *records) {
	t.Helper()
	rec := &records{}
	o.Record = rec.add
	o.Overrides = map[string]netip.AddrPort{}
	if tlsSite != nil {
		o.RootCAs = x509.NewCertPool()
		o.RootCAs.AddCert(tlsSite.Certificate())
		o.Overrides["example.com:443"] = tlsSite.addr()
		o.Overrides["www.example.com:443"] = tlsSite.addr()
	}
	if plain != nil {
		o.Overrides["plain.example:80"] = plain.addr()
	}
	if o.Resolve == nil {
		o.Resolve = answers(nil)
	}
	return New(mustPolicy(t, policy.Settings{AllowedDomains: allowed}), o), rec
}

func TestClientFetches(t *testing.T) {
	t.Run("S3-H12 proxies of the environment are not asked", fetches)
}

func fetches(t *testing.T) {
	for _, env := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(env, "http://127.0.0.1:1")
	}
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "hello "+r.Host)
	})
	g, rec := secureGuard(t, s, nil, []string{"example.com"}, Options{})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://EXAMPLE.com/a?b=c", strings.NewReader("four"))
	req.Host = "front.example.net"
	req.Header.Set("Proxy-Authorization", "Basic secret")
	resp, err := g.Client(policy.Request{}).Do(req)
	must.Succeed(t, err)
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(text) != "hello example.com" {
		t.Errorf("body = %q, want the server to see the host of the URL alone", text)
	}
	if _, last := s.seen(); last.Header.Get("Proxy-Authorization") != "" {
		t.Error("a header for a proxy reached the server")
	}
	all := rec.list()
	if len(all) != 1 || all[0].Sent <= 4 || all[0].Received <= int64(len(text)) || all[0].Verdict != policy.Allow ||
		all[0].Host != "example.com" || all[0].Port != 443 || all[0].Addr != s.addr().String() || all[0].Method != "POST" {
		t.Errorf("records = %+v", all)
	}
}

func TestClientRefusesBeforeAnySocket(t *testing.T) {
	s := newSite(t, false, nil)
	g, rec := secureGuard(t, nil, nil, []string{"example.com"}, Options{})
	for url, rule := range map[string]string{
		s.URL:                                  policy.RulePrivateAddress,
		"http://localhost:" + portOf(s):        policy.RuleSpecialName,
		"https://other.example/":               policy.RuleUnlisted,
		"http://user:pw@example.com/":          policy.RuleRaw,
		"https://example.com.:443/":            policy.RuleHost,
		"file:///etc/passwd":                   policy.RuleScheme,
		"http://[::ffff:127.0.0.1]:1/":         policy.RuleHost,
		"http://2130706433:" + portOf(s) + "/": policy.RuleHost,
	} {
		_, err := g.Client(policy.Request{}).Get(url)
		var denied *DeniedError
		if !errors.As(err, &denied) {
			t.Errorf("%s: error = %v, want a refusal", url, err)
		} else if denied.Decision.Rule != rule {
			t.Errorf("%s: refused by %s, want %s", url, denied.Decision.Rule, rule)
		}
	}
	if hits, _ := s.seen(); hits != 0 {
		t.Errorf("the server was reached %d times", hits)
	}
	if len(rec.list()) != 8 {
		t.Errorf("%d records, want one for each refusal", len(rec.list()))
	}
}

func TestClientHoldsToTheManifest(t *testing.T) {
	s := newSite(t, true, nil)
	g, _ := secureGuard(t, s, nil, []string{"example.com", "www.example.com"}, Options{})
	client := g.Client(policy.Request{Tool: "plugin.fetch", Hosts: []string{"example.com"}})
	resp, err := client.Get("https://example.com/")
	must.Succeed(t, err)
	resp.Body.Close()
	_, err = client.Get("https://www.example.com/")
	var denied *DeniedError
	if !errors.As(err, &denied) || denied.Decision.Rule != policy.RuleManifest {
		t.Errorf("error = %v, want a refusal by %s", err, policy.RuleManifest)
	}
}

func TestRedirects(t *testing.T) {
	plain := newSite(t, false, nil)
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		if location := r.URL.Query().Get("to"); location != "" {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusFound)
			return
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/count/")); err == nil && n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/count/%d", n-1), http.StatusFound)
		}
	})
	g, _ := secureGuard(t, s, plain, []string{"example.com", "www.example.com", "http://plain.example"}, Options{})
	tests := []struct {
		name, url, to string
		rule          string // "" for a redirect that is followed
	}{
		{"relative", "https://example.com/", "/next", ""},
		{"to another listed host", "https://example.com/", "https://www.example.com/", ""},
		{"ten times", "https://example.com/count/10", "", ""},
		{"eleven times", "https://example.com/count/11", "", policy.RuleRedirect},
		{"to an unlisted host", "https://example.com/", "https://evil.example/", policy.RuleUnlisted},
		{"to this machine", "https://example.com/", plain.URL, policy.RulePrivateAddress},
		{"to this machine over TLS", "https://example.com/", "https://127.0.0.1/", policy.RulePrivateAddress},
		{"out of TLS", "https://example.com/", "http://plain.example/", policy.RuleDowngrade},
		{"to a file", "https://example.com/", "file:///etc/passwd", policy.RuleScheme},
		{"three slashes", "https://example.com/", "///127.0.0.1/", policy.RuleRedirect},
		{"no slashes", "https://example.com/", "https:127.0.0.1/", policy.RuleRedirect},
		{"user info", "https://example.com/", "https://example.com@127.0.0.1/", policy.RuleRaw},
		{"protocol-relative", "https://example.com/", "//127.0.0.1/", policy.RulePrivateAddress},
		{"backslashes", "https://example.com/", `\\127.0.0.1\x`, policy.RuleRaw},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, tt.url, nil)
			if tt.to != "" {
				req.URL.RawQuery = "to=" + strings.NewReplacer("%", "%25", "&", "%26", `\`, "%5C").Replace(tt.to)
			}
			resp, err := g.Client(policy.Request{}).Do(req)
			if err == nil {
				resp.Body.Close()
			}
			var denied *DeniedError
			switch {
			case tt.rule == "" && err != nil:
				t.Errorf("error = %v, want it followed", err)
			case tt.rule != "" && (!errors.As(err, &denied) || denied.Decision.Rule != tt.rule):
				t.Errorf("error = %v, want a refusal by %s", err, tt.rule)
			}
		})
	}
	if hits, _ := plain.seen(); hits != 0 {
		t.Errorf("the plain server was reached %d times", hits)
	}
	t.Run("S3-H08 to the metadata of a cloud", func(t *testing.T) {
		g, rec := secureGuard(t, s, nil, []string{"example.com"}, Options{})
		_, err := g.Client(policy.Request{}).Get("https://example.com/?to=http://169.254.169.254/")
		var denied *DeniedError
		if !errors.As(err, &denied) || denied.Decision.Rule != policy.RulePrivateAddress {
			t.Errorf("error = %v, want a refusal by %s", err, policy.RulePrivateAddress)
		}
		var chain []string
		for _, r := range rec.list() {
			chain = append(chain, r.Host+" "+r.Verdict.String())
		}
		if want := []string{"example.com allow", "169.254.169.254 deny"}; !slices.Equal(chain, want) {
			t.Errorf("recorded %v, want %v", chain, want)
		}
	})
}

// TestCredentialsStayWithTheirOrigin checks that credentials are not sent to another origin after
// a redirect. net/http alone would send Authorization to a subdomain, and a plugin's own header
// to any host.
func TestCredentialsStayWithTheirOrigin(t *testing.T) {
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.Path {
		case "example.com/":
			http.Redirect(w, r, "https://www.example.com/a", http.StatusTemporaryRedirect)
		case "www.example.com/a":
			http.Redirect(w, r, "https://www.example.com/b", http.StatusTemporaryRedirect)
		}
	})
	g, _ := secureGuard(t, s, nil, []string{"example.com", "www.example.com"}, Options{})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://example.com/", nil)
	secrets := []string{"Authorization", "Cookie", "X-Api-Key", "Referer"}
	for _, h := range secrets {
		req.Header.Set(h, "secret")
	}
	req.Header.Set("Accept", "text/plain")
	resp, err := g.Client(policy.Request{}).Do(req)
	must.Succeed(t, err)
	resp.Body.Close()
	_, last := s.seen()
	if last.URL.Path != "/b" || last.Header.Get("Accept") != "text/plain" {
		t.Fatalf("the last request was %s with %v", last.URL, last.Header)
	}
	for _, h := range secrets {
		if v := last.Header.Get(h); strings.Contains(v, "secret") {
			t.Errorf("%s went to another origin", h)
		}
	}
}

func TestClientLimits(t *testing.T) {
	s := newSite(t, true, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/declared":
			w.Header().Set("Content-Length", "2000")
			w.Write(make([]byte, 2000))
		case "/chunked":
			for range 20 {
				w.Write(make([]byte, 100))
				w.(http.Flusher).Flush()
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(make([]byte, 1<<20))
			z.Close()
		case "/exact":
			w.Write(make([]byte, 1000))
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeaderBytes))
		case "/slow":
			<-r.Context().Done()
		}
	})
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{MaxBody: 1000})
	fetch := func(path string) (int, error) {
		resp, err := g.Client(policy.Request{}).Get("https://example.com" + path)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		return len(b), err
	}
	var limit *LimitError
	if n, err := fetch("/exact"); n != 1000 || err != nil {
		t.Errorf("a body of the limit's size: %d bytes, %v", n, err)
	}
	for _, path := range []string{"/declared", "/chunked", "/bomb"} {
		if n, err := fetch(path); !errors.As(err, &limit) || n > 1000 {
			t.Errorf("%s: %d bytes, error %v; want a LimitError", path, n, err)
		}
	}
	if _, err := fetch("/header"); err == nil {
		t.Error("a header beyond the limit was read")
	}
	g, _ = secureGuard(t, s, nil, []string{"example.com"}, Options{HeaderTimeout: 50 * time.Millisecond})
	var timeout net.Error
	if _, err := fetch("/slow"); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("/slow: error = %v, want a timeout", err)
	}
}

func TestClientTellsUnknownNames(t *testing.T) {
	t.Run("S3-H07 a name that does not resolve", unknownNames)
}

func unknownNames(t *testing.T) {
	g, rec := secureGuard(t, nil, nil, []string{"gone.example"}, Options{})
	_, err := g.Client(policy.Request{}).Get("https://gone.example/")
	var unresolved *ResolveError
	if !errors.As(err, &unresolved) || unresolved.Host != "gone.example" {
		t.Errorf("error = %v, want a ResolveError", err)
	}
	if all := rec.list(); len(all) != 1 || all[0].Error.IsZero() || all[0].Addr != "" {
		t.Errorf("records = %+v", all)
	}
}

func TestClientEndsWithItsContext(t *testing.T) {
	entered := make(chan struct{}, 1)
	s := newSite(t, true, func(_ http.ResponseWriter, r *http.Request) { entered <- struct{}{}; <-r.Context().Done() })
	g, _ := secureGuard(t, s, nil, []string{"example.com"}, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "https://example.com/", nil)
	go func() { <-entered; cancel() }()
	if _, err := g.Client(policy.Request{}).Do(req); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want it cancelled", err)
	}
}
