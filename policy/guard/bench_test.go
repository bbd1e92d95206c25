package guard

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"errand/build/must"
	"errand/policy"
)

// benchmarkPage fetches pages of 50 resources of 20 kB from a TLS server, six
// connections at a time as a browser does, over new connections for each page.
func benchmarkPage(b *testing.B, viaProxy bool) {
	resource := make([]byte, 20_000)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(resource) }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	addr := s.Listener.Addr().(*net.TCPAddr).AddrPort()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())

	pol, err := policy.New(policy.Settings{AllowedDomains: []string{"example.com"}})
	must.Succeed(b, err)
	g := New(pol, Options{Overrides: map[string]netip.AddrPort{"example.com:443": addr}})
	p, err := g.StartProxy(context.Background(), ProxyOptions{})
	must.Succeed(b, err)
	defer p.Close()

	b.SetBytes(50 * int64(len(resource)))
	for b.Loop() {
		tr := &http.Transport{MaxConnsPerHost: 6, MaxIdleConnsPerHost: 6, TLSClientConfig: &tls.Config{RootCAs: roots}}
		if viaProxy {
			tr.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: p.Addr().String(), User: url.UserPassword(p.Username(), p.Password())})
		} else {
			tr.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "tcp4", addr.String())
			}
		}
		client := &http.Client{Transport: tr}
		errs := make(chan error, 50)
		for range 50 {
			go func() {
				resp, err := client.Get("https://example.com/x")
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				errs <- err
			}()
		}
		for range 50 {
			must.Succeed(b, <-errs)
		}
		tr.CloseIdleConnections()
	}
}

func BenchmarkPageDirect(b *testing.B)  { benchmarkPage(b, false) }
func BenchmarkPageByProxy(b *testing.B) { benchmarkPage(b, true) }

// BenchmarkCheck makes a complete check of a name, except for the look-up.
func BenchmarkCheck(b *testing.B) {
	pol, err := policy.New(policy.Settings{AllowedDomains: []string{"example.com"}})
	must.Succeed(b, err)
	answer := []netip.Addr{netip.MustParseAddr("93.184.215.14"), netip.MustParseAddr("2606:2800:21f:cb07:6820:80da:af6b:8b2c")}
	g := New(pol, Options{Resolve: func(context.Context, string) ([]netip.Addr, error) { return answer, nil }})
	b.ReportAllocs()
	for b.Loop() {
		if d, _, err := g.Check(b.Context(), policy.Request{Kind: policy.KindFetch, URL: "https://example.com/"}); err != nil || d.Verdict != policy.Allow {
			b.Fatal(d, err)
		}
	}
}
