package guard

import (
	"net"
	"net/netip"
	"sync"
)

// LimitListener bounds the open connections of a listener, in all and of each peer
// address. It closes a connection beyond a bound at once, so that those that are open go on.
func LimitListener(l net.Listener, all, perPeer int) net.Listener {
	return &limitListener{Listener: l, all: all, perPeer: perPeer, open: map[netip.Addr]int{}}
}

type limitListener struct {
	net.Listener
	all, perPeer int

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
		var peer netip.Addr
		if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
			peer = tcp.AddrPort().Addr().Unmap()
		}
		if l.enter(peer) {
			return &limitedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(peer) })}, nil
		}
		conn.Close()
	}
}

func (l *limitListener) enter(peer netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= l.all || l.open[peer] >= l.perPeer {
		return false
	}
	l.total++
	l.open[peer]++
	return true
}

func (l *limitListener) leave(peer netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
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
