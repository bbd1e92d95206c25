package guard

import (
	"context"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Dialer opens connections for clients of other protocols, such as gRPC, WebSockets and
// databases. Like [Guard.Client] it decides, resolves, checks and records each connection,
// and its bytes count against the budget. The caller closes the connection; Dialer doesn't
// limit its duration.
type Dialer struct {
	g      *Guard
	caller policy.Request
	scheme string
}

// Dialer returns a dialer. Policy decides each connection with the origin, tool, effect
// and manifest hosts of as. The scheme is the protocol on the connection: "https" or "wss"
// with TLS, "http" or "ws" otherwise. It is compared with the patterns of allowed_domains.
func (g *Guard) Dialer(as policy.Request, scheme string) *Dialer {
	if as.Kind == policy.KindCall {
		as.Kind = policy.KindFetch
	}
	return &Dialer{g, as, scheme}
}

// DialContext connects to address, "host:port", over TCP. The context limits the attempt,
// not the connection. A refusal is a [*DeniedError], a name without an address a
// [*ResolveError]. Reads and writes fail with a [*LimitError] once the run's budget is
// exhausted.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if network != "tcp" {
		return nil, message.Error("network.not_tcp", "network", network, "address", address)
	}
	if _, port, err := net.SplitHostPort(address); err != nil {
		return nil, message.Error("network.bad_dial_address", "address", address, "cause", err)
	} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil, message.Error("network.bad_port", "address", address)
	}
	ask := d.caller
	ask.URL, ask.At = d.scheme+"://"+address+"/", time.Now()
	route, err := d.g.route(ctx, ask, d.g.decider.Decide(ask))
	record := connection("DIAL", route)
	record.Tool, record.Call = ask.Tool, ask.Call
	if err == nil && route.decision.Verdict != policy.Allow {
		err = &DeniedError{ask.URL, route.decision}
	}
	var conn net.Conn
	if err == nil {
		conn, err = d.g.dial(ctx, route)
	}
	if err != nil {
		if route.decision.Verdict == policy.Allow {
			record.Error = message.FromError(err)
		}
		d.g.completeRecord(record, route)
		return nil, err
	}
	c := &meteredConn{Conn: conn, count: traffic{ledger: &d.g.ledger}}
	c.end = sync.OnceFunc(func() {
		record.Sent, record.Received = c.count.sentBytes.Load(), c.count.received.Load()
		if over := c.limit.Load(); over != nil {
			record.Verdict, record.Rule, record.Error = policy.Deny, over.rule(), over.AsMessage()
		}
		d.g.completeRecord(record, route)
	})
	return c, nil
}

// meteredConn counts the bytes of a connection and records it when it is closed.
type meteredConn struct {
	net.Conn
	count traffic
	limit atomic.Pointer[LimitError] // the exceeded limit
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

// stop closes the connection when a limit is exceeded.
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
