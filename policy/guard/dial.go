package guard

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"

	"errand/planner/message"
	"errand/policy"
)

// dial connects to the first address of a route that responds. It checks the address again
// right before connect(2), as the kernel sees it, and the peer's address afterwards.
func (g *Guard) dial(ctx context.Context, route *route) (net.Conn, error) {
	var errs []error
	for _, a := range route.addrs {
		conn, err := g.dialAddr(ctx, a, route)
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	if len(errs) == 0 {
		return nil, &DeniedError{route.target.Origin(), route.decision}
	}
	return nil, errors.Join(errs...)
}

func (g *Guard) dialAddr(ctx context.Context, a netip.AddrPort, route *route) (net.Conn, error) {
	network := "tcp6"
	if a.Addr().Is4() {
		network = "tcp4"
	}
	dialer := net.Dialer{
		Timeout: g.o.DialTimeout,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			seen, err := netip.ParseAddrPort(address)
			if err != nil || seen != a || network != "tcp4" && network != "tcp6" {
				return message.Error("network.dial_address_changed", "address", a, "network", network, "actual", address)
			}
			if d := g.decideAddr(seen, route); d.Verdict != policy.Allow {
				return &DeniedError{route.target.Origin(), d}
			}
			return nil
		},
	}
	conn, err := dialer.DialContext(ctx, network, a.String())
	if err != nil {
		return nil, err
	}
	peer, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok || netip.AddrPortFrom(peer.AddrPort().Addr().Unmap(), peer.AddrPort().Port()) != a {
		conn.Close()
		return nil, message.Error("network.other_peer", "address", a, "peer", conn.RemoteAddr())
	}
	route.dialled.Store(&a)
	return conn, nil
}

// transport returns an HTTP transport that dials only the route of the exchange in the
// request's context, and then counts the request's head. It doesn't reuse connections: a
// pooled one would rely on an old decision.
func (g *Guard) transport(disableCompression bool) *http.Transport {
	return &http.Transport{
		Proxy: nil, // no proxy: it would dial addresses that were not checked
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			x, ok := ctx.Value(exchangeKey{}).(*exchange)
			if !ok || addr != x.route.target.HostPort() {
				return nil, message.Error("network.not_decided", "address", addr)
			}
			conn, err := g.dial(ctx, x.route)
			if err != nil {
				return nil, err
			}
			if err := x.count.move(x.head, 0); err != nil {
				conn.Close()
				return nil, err
			}
			return conn, nil
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: g.o.RootCAs},
		TLSHandshakeTimeout:    g.o.HeaderTimeout,
		ResponseHeaderTimeout:  g.o.HeaderTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableKeepAlives:      true,
		DisableCompression:     disableCompression,
	}
}
