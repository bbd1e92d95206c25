// Package demo is a small web site on loopback that answers for the hosts of
// well-known sites, so that the main job can be shown and tested for real
// without a network: plan, policy, browser, picture, record.
//
// It serves https with a key made at the start and thrown away at the end; a
// browser trusts it only where it was told the key's digest ([Site.SPKI]). Its
// pages say that they are Errand's, and look like nobody else's.
package demo

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Site is the running site. Its methods may be called by several goroutines at
// once.
type Site struct {
	hosts   map[string]netip.AddrPort
	spki    string
	servers []*http.Server
	stop    func() bool

	closing sync.Once
	err     error
}

// Start listens on two ports of loopback and serves until [Site.Close] or until
// ctx ends. It answers for the hosts that it knows and for more, which are
// names without "www.", such as those of a person's own catalogue.
func Start(ctx context.Context, more ...string) (*Site, error) {
	names := slices.Concat(hostNames(), more)
	slices.Sort(names)
	names = slices.Compact(names)

	cert, spki, err := NewCertificate(names...)
	if err != nil {
		return nil, fmt.Errorf("start demo site: make key: %w", err)
	}
	s := &Site{hosts: make(map[string]netip.AddrPort), spki: spki}
	secure, err := s.listen(ctx, newPages(), &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
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

// listen serves h on a free port; over TLS where a config is given.
func (s *Site) listen(ctx context.Context, h http.Handler, config *tls.Config) (netip.AddrPort, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("start demo site: %w", err)
	}
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // a browser that hangs up early is no news
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
	for k, v := range s.hosts {
		hosts[k] = v
	}
	return hosts
}

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
