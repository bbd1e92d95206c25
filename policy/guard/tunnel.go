package guard

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// tunnel handles CONNECT for https: it connects to the host, responds, checks that the tunnel
// is TLS for the named host, and copies both directions.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	route, record, ok := p.open(w, r, "https://"+r.Host+"/")
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.o.MaxTime)
	defer cancel()
	server, err := p.g.dial(ctx, route)
	if err != nil {
		record.Error = message.FromError(err)
		p.record(record, route)
		fail(w, http.StatusBadGateway, "connect_failed", message.FromError(err))
		return
	}
	defer server.Close()
	client, err := p.accept(ctx, w)
	if err != nil {
		record.Error = message.FromError(err)
		p.record(record, route)
		return
	}
	defer client.Close()
	count := traffic{ledger: &p.g.ledger}
	first, err := client.greet(route.target)
	switch {
	case err != nil:
	case !first.isTLS:
		err = refuseTunnel(route.target, message.New("network.tunnel_unreadable", "host", route.target.HostPort(), "cause", message.Error("network.http_in_tunnel")))
	default:
		err = p.splice(ctx, client, server, first.bytes, &count)
	}
	p.recordTunnel(record, route, &count, err)
}

// socket handles CONNECT for a WebSocket. It responds first, because only the tunnel's
// first message distinguishes ws from wss and has the path of ws. If policy denies it,
// the tunnel closes.
func (p *Proxy) socket(w http.ResponseWriter, r *http.Request) {
	target, d := policy.FloorURL("wss://" + r.Host + "/")
	route := &route{target: target, decision: d}
	record := connection(r.Method, route)
	if target.Host == "" { // denied because of its spelling: record it unchanged
		record.Host = r.Host
		p.record(record, route)
		fail(w, http.StatusForbidden, "denied", d.Reason)
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.o.MaxTime)
	defer cancel()
	client, err := p.accept(ctx, w)
	if err != nil {
		record.Error = message.FromError(err)
		p.record(record, route)
		return
	}
	defer client.Close()
	count := traffic{ledger: &p.g.ledger}
	first, err := client.greet(target)
	if err != nil { // nothing was sent
		record.Verdict, record.Rule, record.Reason = policy.Deny, RuleSNI, message.FromError(err)
	} else {
		var ask policy.Request
		ask, route, err = p.routeSocket(ctx, target, first)
		decided := connection(r.Method, route)
		if !first.isTLS {
			record.URL = ask.URL
		}
		record.Verdict, record.Rule, record.Reason = decided.Verdict, decided.Rule, decided.Reason
	}
	if err == nil && route.decision.Verdict == policy.Allow {
		var server net.Conn
		if server, err = p.g.dial(ctx, route); err == nil {
			defer server.Close()
			err = p.splice(ctx, client, server, first.bytes, &count)
		}
		record.Unasked = p.o.Charge != nil && !p.isAdmitted(p.ctx, socketKey+target.HostPort())
	}
	p.recordTunnel(record, route, &count, err)
}

// routeSocket decides a WebSocket and finds its route. It returns what it asked policy.
func (p *Proxy) routeSocket(ctx context.Context, target policy.Target, first opening) (policy.Request, *route, error) {
	ask := p.o.Caller
	ask.Kind, ask.At = policy.KindSubresource, time.Now()
	ask.URL, ask.Page, ask.PathHidden = "ws://"+target.HostPort()+first.uri, first.page, first.isTLS
	if first.isTLS {
		ask.URL = "wss://" + target.HostPort() + "/"
	}
	d := p.decideSocket(ctx, ask)
	if p.o.Charge != nil {
		d = d.Stricter(p.o.Charge(ask, d))
	}
	route, err := p.g.route(ctx, ask, d)
	return ask, route, err
}

// tunnelClient is the browser's end of a tunnel.
type tunnelClient struct {
	net.Conn
	from  *bufio.Reader // data from the browser
	hello time.Duration // until its first message
	stop  func() bool   // detaches from the context
}

// accept takes the connection of a CONNECT request. The end of ctx closes it, which stops all
// reads and writes.
func (p *Proxy) accept(ctx context.Context, w http.ResponseWriter) (*tunnelClient, error) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	return &tunnelClient{conn, buffered.Reader, p.o.HelloTime, context.AfterFunc(ctx, func() { conn.Close() })}, nil
}

// Close implements [net.Conn].
func (c *tunnelClient) Close() error {
	c.stop()
	return c.Conn.Close()
}

// greet confirms the tunnel and reads its first message.
func (c *tunnelClient) greet(target policy.Target) (opening, error) {
	c.SetDeadline(time.Now().Add(c.hello))
	if _, err := io.WriteString(c, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return opening{}, err
	}
	first, err := sniff(c.from, target)
	if err == nil {
		c.SetDeadline(time.Time{})
	}
	return first, err
}

// recordTunnel records a tunnel that has ended.
func (p *Proxy) recordTunnel(record Connection, route *route, count *traffic, err error) {
	record.Sent, record.Received = count.sentBytes.Load(), count.received.Load()
	switch e := err.(type) {
	case *DeniedError:
		record.Verdict, record.Rule, record.Reason = e.Decision.Verdict, e.Decision.Rule, e.Decision.Reason
	case *LimitError:
		record.Verdict, record.Rule, record.Error = policy.Deny, e.rule(), e.AsMessage()
	case error:
		record.Error = message.FromError(e)
	}
	p.record(record, route)
}

// splice sends the tunnel's first message and copies until both ends are done, a limit is
// reached or something fails. A peer that disconnects is not an error.
func (p *Proxy) splice(ctx context.Context, client *tunnelClient, server net.Conn, first []byte, count *traffic) error {
	if err := count.move(len(first), 0); err != nil {
		return err
	}
	if _, err := server.Write(first); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	idle := time.AfterFunc(p.o.IdleTime, func() { client.Close(); server.Close() })
	defer idle.Stop()
	var over sync.Once
	var limit error
	onBytes := func(sent, received int) bool {
		err := count.move(sent, received)
		idle.Reset(p.o.IdleTime)
		if err == nil && count.total() > p.o.MaxBytes {
			err = &LimitError{LimitTunnel, p.o.MaxBytes}
		}
		if err == nil {
			return true
		}
		over.Do(func() { limit = err })
		client.Close()
		server.Close()
		return false
	}
	var both sync.WaitGroup
	both.Go(func() { pump(server, client.from, func(n int) bool { return onBytes(n, 0) }) })
	both.Go(func() { pump(client.Conn, server, func(n int) bool { return onBytes(0, n) }) })
	both.Wait()
	return limit
}

// pump copies one direction and closes its end when the source is done. A failed write
// closes the connection, which stops the other direction too.
func pump(to net.Conn, from io.Reader, onBytes func(int) bool) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 && !onBytes(n) {
			return
		}
		if n > 0 {
			if _, werr := to.Write(buf[:n]); werr != nil {
				to.Close()
				return
			}
		}
		if err == io.EOF {
			if half, ok := to.(interface{ CloseWrite() error }); ok {
				half.CloseWrite()
			}
			return
		}
		if err != nil {
			to.Close()
			return
		}
	}
}
