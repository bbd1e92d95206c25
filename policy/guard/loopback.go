package guard

import (
	"context"
	"net"
	"net/netip"
	"os"
	"time"

	"errand/planner/message"
)

// Loopback dials only services on this machine, such as the DevTools of a browser that
// the user started. It doesn't ask policy, because these are control connections of the
// configuration. It rejects names except localhost, which always means 127.0.0.1,
// whatever the hosts file says. On Linux it also rejects a port on which another user
// listens, because that user's program could pose as the browser.
type Loopback struct {
	WriteTimeout time.Duration // of one write; 0: 10 s

	owner func(netip.AddrPort) (uid int, ok bool) // nil: listenerOwner
}

// DialContext opens a TCP connection to address, a host:port on loopback.
func (l Loopback) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return nil, message.Error("network.not_loopback", "address", address)
	}
	dialer := net.Dialer{Timeout: 5 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(ip.String(), port))
	if err != nil {
		return nil, err
	}
	if l.owner == nil {
		l.owner = listenerOwner
	}
	at := conn.RemoteAddr().(*net.TCPAddr).AddrPort()
	if uid, ok := l.owner(at); ok && uid != os.Getuid() {
		conn.Close()
		return nil, message.Error("network.port_of_other_user", "address", address, "uid", uid)
	}
	if l.WriteTimeout == 0 {
		l.WriteTimeout = 10 * time.Second
	}
	return boundedWrites{conn, l.WriteTimeout}, nil
}

// boundedWrites is a connection whose writes time out.
type boundedWrites struct {
	net.Conn
	limit time.Duration
}

func (c boundedWrites) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
