//go:build unix

package browser_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/browser/page"
	"errand/policy"
	"errand/policy/guard"
)

// heavy is a page with 50 resources of about 8 KiB, none of which is cached.
func heavy() http.Handler {
	var page strings.Builder
	page.WriteString("<!doctype html><title>heavy</title>")
	for i := range 10 {
		fmt.Fprintf(&page, `<link rel="stylesheet" href="/%d.css"><script src="/%d.js"></script>`, i, i)
	}
	for i := range 30 {
		fmt.Fprintf(&page, `<img src="/%d.svg" width="20">`, i)
	}
	filler := strings.Repeat("x", 8<<10)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case strings.HasSuffix(r.URL.Path, ".css"):
			w.Header().Set("Content-Type", "text/css")
			fmt.Fprintf(w, "/*%s*/", filler)
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprintf(w, "/*%s*/", filler)
		case strings.HasSuffix(r.URL.Path, ".svg"):
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg"><!--%s--></svg>`, filler)
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, page.String())
		default:
			http.NotFound(w, r)
		}
	})
}

// BenchmarkPageLoad loads a page with 50 resources over new connections, from the start of the
// navigation to the end of the load event by the browser's clock: direct, through the proxy, and
// through the proxy with interception. The three take turns, so that a busy machine slows all of
// them; the minimum of each is reported. The targets, checked by hand, are 1.15 and 1.3 times the
// direct time.
func BenchmarkPageLoad(b *testing.B) {
	for _, proto := range []string{"http", "h1", "h2"} {
		b.Run(proto, func(b *testing.B) { benchmarkLoad(b, proto) })
	}
}

func benchmarkLoad(b *testing.B, proto string) {
	w := newWorld(b)
	srv := httptest.NewUnstartedServer(heavy())
	scheme, port := "https", "443"
	switch proto {
	case "http":
		scheme, port = "http", "80"
		srv.Start()
	case "h2":
		srv.EnableHTTP2 = true
		fallthrough
	case "h1":
		srv.TLS = &tls.Config{Certificates: []tls.Certificate{w.cert}}
		srv.StartTLS()
	}
	b.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	url, at := scheme+"://a.example/", netip.MustParseAddrPort(srv.Listener.Addr().String())

	rules, err := policy.New(policy.Settings{AllowedDomains: []string{scheme + "://a.example"}})
	must.Succeed(b, err)
	proxy, err := guard.New(rules, guard.Options{Overrides: map[string]netip.AddrPort{"a.example:" + port: at}}).StartProxy(b.Context(), guard.ProxyOptions{})
	must.Succeed(b, err)
	b.Cleanup(func() { proxy.Close() })
	guarded := func(o *page.Options) {
		o.Proxy.Sockets, o.Proxy.Username, o.Proxy.Password = proxy.Sockets(), proxy.Username(), proxy.Password()
		o.Decide, o.Admit = rules.Decide, proxy.Admit
	}
	browsers := []*page.Browser{
		w.launchAt(proxy.Addr(), func(o *page.Options) {
			o.Bin = withFlags(b, "--proxy-server=direct://", fmt.Sprintf("'--host-resolver-rules=MAP a.example:%s %s'", port, at))
		}),
		w.launchAt(proxy.Addr(), guarded),
		w.launchAt(proxy.Addr(), guarded),
	}
	took := make([][]time.Duration, len(browsers))
	run := func(i int) {
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		defer cancel()
		srv.CloseClientConnections()
		t, d, err := load(ctx, browsers[i], url)
		must.Succeed(b, err)
		t.Close()
		took[i] = append(took[i], d)
	}
	for i := range browsers { // the first load starts processes, and tells the browser the proxy's credentials
		run(i)
		took[i] = nil
	}
	for _, free := range browsers[:2] {
		must.Succeed(b, stopIntercepting(b.Context(), free))
	}
	for b.Loop() {
		for i := range browsers {
			run(i)
		}
	}
	b.ReportMetric(0, "ns/op") // the total has no meaning
	for _, at := range []struct {
		name string
		of   func(sorted []time.Duration) time.Duration
	}{
		{"best", func(d []time.Duration) time.Duration { return d[0] }},
		{"median", func(d []time.Duration) time.Duration { return d[len(d)/2] }},
	} {
		ms := make([]float64, len(took))
		for i, d := range took {
			slices.Sort(d)
			ms[i] = float64(at.of(d).Microseconds()) / 1000
		}
		b.ReportMetric(ms[0], at.name+"-direct-ms")
		b.ReportMetric(ms[1]/ms[0], at.name+"-proxy/direct")
		b.ReportMetric(ms[2]/ms[0], at.name+"-intercepted/direct")
	}
}
