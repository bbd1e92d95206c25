package guard

import (
	"net"
	"net/netip"
	"sync"
)

// LimitListener limits the open connections of a listener, in total and for each peer
// address. It closes a connection beyond a limit at once. All users of this machine
// have the same address, so the user who runs the program may have ownExtra more
// connections, if the system tells who owns a connection.
func LimitListener(l net.Listener, all, perPeer, ownExtra int) net.Listener {
	return &limitListener{Listener: l, all: all, perPeer: perPeer, ownExtra: ownExtra, open: map[netip.Addr]int{}, isOwn: isOwnConnection}
}

// ownPeer counts the user's connections beyond the limits.
var ownPeer = netip.Addr{}

type limitListener struct {
	net.Listener
	all, perPeer, ownExtra int
	isOwn                  func(local, remote netip.AddrPort) bool

	mu    sync.Mutex
	total int
	open  map[netip.Addr]int // by peer
}

// Accept implements [net.Listener].
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		local, remote := addrPort(conn.LocalAddr()), addrPort(conn.RemoteAddr())
		peer := remote.Addr()
		ok := l.enter(peer)
		if !ok && l.ownExtra > 0 && l.isOwn(local, remote) {
			peer = ownPeer
			ok = l.enter(peer)
		}
		if ok {
			return &limitedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(peer) })}, nil
		}
		conn.Close()
	}
}

func addrPort(a net.Addr) netip.AddrPort {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := tcp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

func (l *limitListener) enter(peer netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case peer == ownPeer:
		if l.open[peer] >= l.ownExtra {
			return false
		}
	case l.total >= l.all || l.open[peer] >= l.perPeer:
		return false
	default:
		l.total++
	}
	l.open[peer]++
	return true
}

func (l *limitListener) leave(peer netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if peer != ownPeer {
		l.total--
	}
	if l.open[peer]--; l.open[peer] == 0 {
		delete(l.open, peer)
	}
}

// limitedConn is a connection that counts until it is closed.
type limitedConn struct {
	net.Conn
	leave func()
}

// Close implements [net.Conn].
func (c *limitedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// CloseWrite ends one direction, as [net.TCPConn.CloseWrite].
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Conn.Close()
}
