package guard

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"errand/policy"
)

// Dialer opens connections for clients that bring their own protocol, such as gRPC,
// WebSockets and databases. It decides, resolves, checks and records each as
// [Guard.Client] does, and counts its bytes against the budget. The caller closes
// the connection; Dialer sets no limit on how long it lasts.
type Dialer struct {
	g      *Guard
	as     policy.Request
	scheme string
}

// Dialer makes a dialer whose every connection is decided as as: its origin, tool,
// effect and manifest hosts. The scheme says what the caller speaks on the
// connection: "https" or "wss" where it is TLS, "http" or "ws" otherwise. Patterns
// of allowed_domains are matched against it.
func (g *Guard) Dialer(as policy.Request, scheme string) *Dialer {
	if as.Kind == policy.KindCall {
		as.Kind = policy.KindFetch
	}
	return &Dialer{g, as, scheme}
}

// DialContext connects to address, "host:port", over TCP. The context ends the
// attempt, not the connection. A refusal is a [*DeniedError], a name without an
// address a [*ResolveError]. Reading and writing end with a [*LimitError] once the
// run's budget is spent.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if network != "tcp" {
		return nil, fmt.Errorf("dial %s %s: only tcp is supported", network, address)
	}
	if _, port, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("dial %s: %w", address, err)
	} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil, fmt.Errorf("dial %s: the port is not a number", address)
	}
	ask := d.as
	ask.URL, ask.At = d.scheme+"://"+address+"/", time.Now()
	way, err := d.g.route(ctx, ask, d.g.decider.Decide(ask))
	record := connection("DIAL", way)
	record.Tool, record.Call = ask.Tool, ask.Call
	if err == nil && way.decision.Verdict != policy.Allow {
		err = &DeniedError{ask.URL, way.decision}
	}
	var conn net.Conn
	if err == nil {
		conn, err = d.g.dial(ctx, way)
	}
	if err != nil {
		if way.decision.Verdict == policy.Allow {
			record.Error = err.Error()
		}
		d.g.done(record, way)
		return nil, err
	}
	c := &meteredConn{Conn: conn, count: traffic{ledger: &d.g.ledger}}
	c.end = sync.OnceFunc(func() {
		record.Sent, record.Received = c.count.sent.Load(), c.count.received.Load()
		if over := c.limit.Load(); over != nil {
			record.Verdict, record.Rule, record.Error = policy.Deny, over.rule(), over.Error()
		}
		d.g.done(record, way)
	})
	return c, nil
}

// meteredConn counts the bytes of a connection and reports it once it is closed.
type meteredConn struct {
	net.Conn
	count traffic
	limit atomic.Pointer[LimitError] // that was passed
	end   func()
}

func (c *meteredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if spent := c.count.move(0, n); spent != nil {
		err = c.stop(spent)
	}
	return n, err
}

func (c *meteredConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if spent := c.count.move(n, 0); spent != nil {
		err = c.stop(spent)
	}
	return n, err
}

// stop ends the connection at a limit.
func (c *meteredConn) stop(spent error) error {
	c.limit.Store(spent.(*LimitError))
	c.Close()
	return spent
}

// Close implements [net.Conn] and records the connection.
func (c *meteredConn) Close() error {
	err := c.Conn.Close()
	c.end()
	return err
}
