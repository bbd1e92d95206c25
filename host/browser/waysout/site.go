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

// Hosts of the test. None exists. All are on [Site.Allowed], except Outside and the hosts
// that are private by name alone.
const (
	Host    = "page.egress.errand.example"    // the host of the pages
	Private = "private.egress.errand.example" // resolves to loopback
	Mixed   = "mixed.egress.errand.example"   // resolves to a public address and to loopback
	Outside = "outside.errand.example"        // public, not listed
	Foreign = "errand-frames.example"         // the same, on another site: its frames run in another process

	NoSockets = "nosockets.egress.errand.example" // allowed over http, but not its WebSockets
	NoPath    = "nopath.egress.errand.example"    // allowed with its WebSockets, but not below /socket-path/

	unlistedPrivate = "unlisted.errand.example" // resolves to loopback, not listed
)

// Site is a running test. Its methods are safe for concurrent use.
type Site struct {
	// fixed at creation
	routes    []route
	spki      string
	hosts     map[string]netip.AddrPort
	forbidden *forbiddenServers
	serves    []*http.Server

	mu         sync.Mutex
	tried      map[string]bool
	pageErrors map[string]string // way → the error that the page reported
	stopped    map[string]Stop
	works      map[string]bool
	finished   map[string]bool // pages that have finished
	changed    chan struct{}   // closed and replaced with each change of these
}

// Start listens on about 200 loopback ports and serves until [Site.Close].
func Start(ctx context.Context) (*Site, error) {
	s := &Site{
		hosts: map[string]netip.AddrPort{}, forbidden: newForbidden(), tried: map[string]bool{}, pageErrors: map[string]string{},
		stopped: map[string]Stop{}, works: map[string]bool{}, finished: map[string]bool{}, changed: make(chan struct{}),
	}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the egress test: %w", err), s.Close())
	}
	return s, nil
}

func (s *Site) start(ctx context.Context) error {
	for _, w := range append(routes, outsideWays()...) {
		if w.host != Outside {
			switch err := s.forbidden.listen(ctx, w); {
			case errors.Is(err, errNoIPv6):
				continue
			case err != nil:
				return err
			}
		}
		if w.host == NoSockets || w.host == NoPath {
			s.hosts[s.forbidden.hostPort(w)] = s.forbidden.address(w)
		}
		s.routes = append(s.routes, w)
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
		{Outside + ":443", s.forbidden.outsideHandler(func() { s.note(func() { s.works[workPublic] = true }) }), secure},
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

// testCertificate returns the certificate of package httptest. Its names don't match: the
// browser accepts it by the digest of its key.
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

// Close stops all servers of the test.
func (s *Site) Close() error {
	err := s.forbidden.close()
	for _, srv := range s.serves {
		err = errors.Join(err, srv.Close())
	}
	return err
}

// Hosts returns the actual addresses of the existing hosts by "host:port". The caller must
// not modify the map.
func (s *Site) Hosts() map[string]netip.AddrPort { return s.hosts }

// SPKI returns the digest of the site's key, in Chromium's format.
func (s *Site) SPKI() string { return s.spki }

// Allowed returns the patterns that the test needs in the user's list, in addition to the
// user's own. Without them the browser could not open the pages.
func (s *Site) Allowed() []string {
	return []string{
		Host, "http://" + Host, "http://" + Private + ":*", "http://" + Mixed + ":*",
		"http://" + NoSockets + ":*", "http://" + NoPath + ":*", "ws://" + NoPath + ":*", "!ws://" + NoPath + "/socket-path/",
	}
}

// Resolve resolves the names of the test and no others.
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

// StayingPages is the number of pages, at the start of [Site.Pages], that don't navigate away.
const StayingPages = 2

// Pages returns the URLs to open, each in a new tab. The pages after the first [StayingPages]
// try to navigate away, and end in an error if the boundary works.
func (s *Site) Pages() []string {
	pages := []string{"http://" + Host + "/", "https://" + Host + "/"}
	for _, w := range s.routes {
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
