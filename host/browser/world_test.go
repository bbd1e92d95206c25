//go:build unix

package browser_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/trace"
	"errand/planner/message"
	"errand/policy"
)

// world is a small network on loopback. A proxy leads its names to servers of the test. Other
// names can't be reached.
type world struct {
	t    testing.TB
	spki string
	cert tls.Certificate

	mu       sync.Mutex
	routes   map[string]string // host:port as asked for → address
	admitted map[string]bool   // nil: all of routes are open
	asked    []string          // host:port of requests to the proxy with valid credentials
	strays   []string          // and without credentials

	proxy *httptest.Server
}

const proxyUser, proxyPassword = "run", "s3cret"

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, routes: map[string]string{}}
	w.cert, w.spki = throwAway(t)
	w.proxy = httptest.NewServer(http.HandlerFunc(w.forward))
	t.Cleanup(w.proxy.Close)
	return w
}

// https and http serve a host with a handler.
func (w *world) https(host string, h http.Handler) {
	srv := httptest.NewUnstartedServer(h)
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{w.cert}}
	srv.Config.ErrorLog = nil
	srv.StartTLS()
	w.serve(host+":443", srv)
}

func (w *world) http(host string, h http.Handler) { w.serve(host+":80", httptest.NewServer(h)) }

func (w *world) serve(hostport string, srv *httptest.Server) {
	w.t.Cleanup(func() {
		srv.CloseClientConnections() // an endless response would hold Close
		srv.Close()
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.routes[hostport] = srv.Listener.Addr().String()
}

// forward is a minimal proxy: credentials, a table, a tunnel.
func (w *world) forward(rw http.ResponseWriter, r *http.Request) {
	target := r.Host
	if !strings.Contains(target, ":") {
		target += ":80"
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(proxyUser+":"+proxyPassword))
	w.mu.Lock()
	ok := r.Header.Get("Proxy-Authorization") == want
	if ok {
		w.asked = append(w.asked, target)
	} else {
		w.strays = append(w.strays, target)
	}
	address, known := w.routes[target]
	known = known && (w.admitted == nil || w.admitted[target])
	w.mu.Unlock()
	switch {
	case !ok:
		rw.Header().Set("Proxy-Authenticate", `Basic realm="test"`)
		rw.WriteHeader(http.StatusProxyAuthRequired)
	case !known:
		rw.Header().Set("X-Errand-Error", "name_not_resolved")
		rw.WriteHeader(http.StatusBadGateway)
	case r.Method == http.MethodConnect:
		tunnel(rw, address)
	default:
		r.URL.Host, r.RequestURI = address, ""
		r.Header.Del("Proxy-Authorization")
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		for k, v := range res.Header {
			rw.Header()[k] = v
		}
		rw.WriteHeader(res.StatusCode)
		_, _ = io.Copy(rw, res.Body)
	}
}

func tunnel(rw http.ResponseWriter, address string) {
	server, err := net.Dial("tcp", address)
	if err != nil {
		rw.WriteHeader(http.StatusBadGateway)
		return
	}
	defer server.Close()
	rw.WriteHeader(http.StatusOK)
	client, buffered, err := http.NewResponseController(rw).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	go func() {
		_, _ = io.Copy(server, buffered)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// reached reports whether the proxy was asked for a host.
func (w *world) reached(host string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.asked, func(a string) bool { return strings.HasPrefix(a, host+":") })
}

// launch starts a browser in the world. Policy permits everything unless change says otherwise.
func (w *world) launch(change ...func(*page.Options)) *page.Browser {
	w.t.Helper()
	return w.launchAt(netip.MustParseAddrPort(w.proxy.Listener.Addr().String()), change...)
}

// launchAt starts a browser with another proxy. At the end of the test it checks that the browser
// left nothing.
func (w *world) launchAt(proxy netip.AddrPort, change ...func(*page.Options)) *page.Browser {
	w.t.Helper()
	needsChromium(w.t)
	o := optionsAt(w, w.t, proxy, change...)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	b, err := page.Launch(ctx, o)
	must.Succeed(w.t, err)
	w.t.Cleanup(func() {
		if err := b.Close(); err != nil {
			w.t.Errorf("close browser: %v", err)
		}
		if left := processesOf(o.Dir); len(left) > 0 {
			w.t.Errorf("processes left after Close: %v", left)
		}
		if left, _ := os.ReadDir(o.Dir); len(left) > 0 {
			w.t.Errorf("profiles left after Close: %v", left)
		}
	})
	return b
}

// optionsOf returns the options of a browser in the world.
func optionsOf(w *world, t testing.TB, change ...func(*page.Options)) page.Options {
	return optionsAt(w, t, netip.MustParseAddrPort(w.proxy.Listener.Addr().String()), change...)
}

func optionsAt(w *world, t testing.TB, proxy netip.AddrPort, change ...func(*page.Options)) page.Options {
	o := page.Options{
		Options: chromium.Options{
			Dir:       t.TempDir(),
			Proxy:     chromium.Proxy{Addr: proxy, Username: proxyUser, Password: proxyPassword},
			TrustSPKI: []string{w.spki},
		},
		Decide: allowAll,
	}
	for _, c := range change {
		c(&o)
	}
	return o
}

func allowAll(policy.Request) policy.Decision {
	return policy.Decision{Verdict: policy.Allow, Rule: "test"}
}

// allowHosts is a policy that permits some hosts and asks about the others.
func allowHosts(hosts ...string) func(policy.Request) policy.Decision {
	return func(r policy.Request) policy.Decision {
		u, err := url.Parse(r.URL)
		if err == nil && slices.Contains(hosts, u.Hostname()) {
			return policy.Decision{Verdict: policy.Allow, Rule: "test.listed"}
		}
		return policy.Decision{Verdict: policy.Ask, Rule: "test.unlisted", Reason: message.Verbatim("it is not in the list"), Hint: message.Verbatim("put it there")}
	}
}

// notebook collects the events of a browser.
type notebook struct {
	mu    sync.Mutex
	lines []note
}

type note struct {
	kind string
	data map[string]any
}

func (n *notebook) write(of trace.Note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, note{of.Kind(), trace.EventOf("", time.Time{}, of).Data})
}

// count returns the number of events of the kind that contain all of want.
func (n *notebook) count(kind string, want map[string]any) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	found := 0
	for _, l := range n.lines {
		holds := l.kind == kind
		for k, v := range want {
			holds = holds && fmt.Sprint(l.data[k]) == fmt.Sprint(v)
		}
		if holds {
			found++
		}
	}
	return found
}

func (n *notebook) has(kind string, want map[string]any) bool { return n.count(kind, want) > 0 }

func html(body string) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, "<!doctype html>"+body)
	})
}

// throwAway makes a key and a self-signed certificate.
func throwAway(t testing.TB) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Succeed(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"*.example", "a.example", "b.example"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must.Succeed(t, err)
	cert, err := x509.ParseCertificate(der)
	must.Succeed(t, err)
	sum := sha256.Sum256(cert.RawSubjectPublicKeyInfo)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, base64.StdEncoding.EncodeToString(sum[:])
}

// needsChromium skips the test on a developer's machine without a browser, and fails it in CI.
func needsChromium(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	if _, _, err := chromium.Find(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// processesOf returns the processes whose command line names a folder.
func processesOf(dir string) []string {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []string
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), "="+dir) {
			found = append(found, e.Name()+" "+strings.ReplaceAll(string(line[:min(len(line), 120)]), "\x00", " "))
		}
	}
	return found
}
