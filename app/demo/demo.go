// Package demo is a small web site on loopback that serves the hosts of well-known sites.
// It allows demonstrations and tests of a complete run without a network: plan, policy,
// browser, screenshot, record.
//
// It serves https with a temporary key. A browser accepts it only if it is configured with
// the digest of the key ([Site.SPKI]). Its pages identify themselves as Errand's and don't
// imitate other sites.
package demo

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"errand/planner/message"
)

// Site is a running site. Its methods are safe for concurrent use.
type Site struct {
	hosts   map[string]netip.AddrPort
	spki    string
	servers []*http.Server
	stop    func() bool
	pages   *pages

	closing sync.Once
	err     error
}

// Start listens on two loopback ports and serves until [Site.Close] is called or ctx is
// done. It serves the built-in hosts and more, which are names without "www.", such as
// those of the user's catalogue.
func Start(ctx context.Context, more ...string) (*Site, error) {
	names := slices.Concat(hostNames(), more)
	slices.Sort(names)
	names = slices.Compact(names)

	cert, spki, err := NewCertificate(names...)
	if err != nil {
		return nil, message.Error("demo.make_key", "cause", err)
	}
	s := &Site{hosts: make(map[string]netip.AddrPort), spki: spki}
	s.pages = new(pages)
	secure, err := s.listen(ctx, s.pages.handler(), &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	plain, err := s.listen(ctx, http.HandlerFunc(toHTTPS), nil)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, n := range names {
		for _, host := range []string{n, "www." + n} {
			s.hosts[host+":443"], s.hosts[host+":80"] = secure, plain
		}
	}
	s.stop = context.AfterFunc(ctx, func() { _ = s.Close() })
	return s, nil
}

// listen serves h on a free port, with TLS if config is set.
func (s *Site) listen(ctx context.Context, h http.Handler, config *tls.Config) (netip.AddrPort, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, message.Error("demo.listen", "cause", err)
	}
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // browsers that disconnect early are not worth logging
	}
	s.servers = append(s.servers, srv)
	address := l.Addr().(*net.TCPAddr).AddrPort()
	if config != nil {
		l = tls.NewListener(l, config)
	}
	go func() { _ = srv.Serve(l) }() // ends with Close
	return address, nil
}

// Hosts says where each host and port that the site answers for is in truth:
// "youtube.com:443" → 127.0.0.1:40123. The caller may change the map.
func (s *Site) Hosts() map[string]netip.AddrPort {
	hosts := make(map[string]netip.AddrPort, len(s.hosts))
	maps.Copy(hosts, s.hosts)
	return hosts
}

// LogTo makes the site log each page that is requested from now on.
func (s *Site) LogTo(log *slog.Logger) { s.pages.log.Store(log) }

// SPKI is the SHA-256, in base64, of the key's SubjectPublicKeyInfo: what
// Chromium's --ignore-certificate-errors-spki-list takes.
func (s *Site) SPKI() string { return s.spki }

// Close ends the site within two seconds. It may be called several times.
func (s *Site) Close() error {
	s.closing.Do(func() {
		if s.stop != nil {
			s.stop()
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		for _, srv := range s.servers {
			if srv.Shutdown(ctx) != nil {
				s.err = errors.Join(s.err, srv.Close())
			}
		}
	})
	return s.err
}
