package waysout

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"time"
)

// Hosts of the test. None exists; all but Outside and what is private by name
// alone are on [Site.Allowed].
const (
	Host    = "page.egress.errand.example"    // whose pages try the ways
	Private = "private.egress.errand.example" // resolves to loopback
	Mixed   = "mixed.egress.errand.example"   // resolves to a public address and to loopback
	Outside = "outside.errand.example"        // public, not listed
	Foreign = "errand-frames.example"         // the same, of another site: its frames run beside the page

	unlistedPrivate = "unlisted.errand.example" // resolves to loopback, not listed
)

// Site is the running test. Its methods may be called by several goroutines at
// once.
type Site struct {
	// fixed at creation
	ways   []way
	spki   string
	hosts  map[string]netip.AddrPort
	bad    *forbidden
	serves []*http.Server

	mu      sync.Mutex
	tried   map[string]bool
	thrown  map[string]string // way → what the page says went wrong at once
	stopped map[string]Stop
	works   map[string]bool
	ended   map[string]bool // pages that came to their end
	changed chan struct{}   // closed and replaced with each of these
}

// Start listens on some 200 ports of loopback and serves until [Site.Close].
func Start(ctx context.Context) (*Site, error) {
	s := &Site{
		hosts: map[string]netip.AddrPort{}, bad: newForbidden(), tried: map[string]bool{}, thrown: map[string]string{},
		stopped: map[string]Stop{}, works: map[string]bool{}, ended: map[string]bool{}, changed: make(chan struct{}),
	}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the egress test: %w", err), s.Close())
	}
	return s, nil
}

func (s *Site) start(ctx context.Context) error {
	for _, w := range append(ways, outward()...) {
		if w.host != Outside {
			switch err := s.bad.listen(ctx, w); {
			case errors.Is(err, errNoIPv6):
				continue
			case err != nil:
				return err
			}
		}
		s.ways = append(s.ways, w)
	}
	secure, spki := testCertificate()
	s.spki = spki
	var err error
	pages := s.pages()
	type service struct {
		hostPort string
		handler  http.Handler
		tls      *tls.Config
	}
	services := []service{
		{Host + ":80", pages, nil},
		{Host + ":443", pages, secure},
		{Foreign + ":443", http.HandlerFunc(foreignFrame), secure},
		{Outside + ":443", s.bad.outside(func() { s.note(func() { s.works[workPublic] = true }) }), secure},
	}
	for _, host := range socketHosts() {
		services = append(services, service{host + ":443", http.HandlerFunc(socket), secure})
	}
	for _, l := range services {
		if s.hosts[l.hostPort], err = s.serve(ctx, l.handler, l.tls); err != nil {
			return err
		}
	}
	return nil
}

// testCertificate is that of package httptest. Its names are others: the browser
// takes it by the digest of its key.
func testCertificate() (*tls.Config, string) {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	digest := sha256.Sum256(server.Certificate().RawSubjectPublicKeyInfo)
	return &tls.Config{Certificates: server.TLS.Certificates, MinVersion: tls.VersionTLS12}, base64.StdEncoding.EncodeToString(digest[:])
}

func (s *Site) serve(ctx context.Context, h http.Handler, config *tls.Config) (netip.AddrPort, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	s.serves = append(s.serves, srv)
	address := l.Addr().(*net.TCPAddr).AddrPort()
	if config != nil {
		l = tls.NewListener(l, config)
	}
	go func() { _ = srv.Serve(l) }()
	return address, nil
}

// Close ends every server of the test.
func (s *Site) Close() error {
	err := s.bad.close()
	for _, srv := range s.serves {
		err = errors.Join(err, srv.Close())
	}
	return err
}

// Hosts says where the hosts that exist are in truth, by "host:port". The
// caller may not change the map.
func (s *Site) Hosts() map[string]netip.AddrPort { return s.hosts }

// SPKI is the digest of the site's key, as Chromium takes it.
func (s *Site) SPKI() string { return s.spki }

// Allowed are the patterns that the person's list must have beside its own for
// the test: without them there would be no page to try anything.
func (s *Site) Allowed() []string {
	return []string{Host, "http://" + Host, "http://" + Private + ":*", "http://" + Mixed + ":*"}
}

// Resolve knows the names of the test, and no others.
func (s *Site) Resolve(_ context.Context, host string) ([]netip.Addr, error) {
	loopback, public := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("93.184.215.14")
	switch host {
	case Private, unlistedPrivate:
		return []netip.Addr{loopback}, nil
	case Mixed:
		return []netip.Addr{public, loopback}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

// Lasting is how many of [Site.Pages], the first ones, stay where they are.
const Lasting = 2

// Pages are the addresses to open, each in a page of its own. After the first
// [Lasting], each tries to go elsewhere, and ends in an error where the
// boundary holds.
func (s *Site) Pages() []string {
	pages := []string{"http://" + Host + "/", "https://" + Host + "/"}
	for _, w := range s.ways {
		if w.kind == onTop {
			pages = append(pages, "https://"+Host+"/top/"+w.name)
		}
	}
	return pages
}

func (s *Site) note(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.changed)
	s.changed = make(chan struct{})
}
