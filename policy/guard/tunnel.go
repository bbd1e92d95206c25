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

// tunnel handles CONNECT: it connects to the host, responds, checks that the tunnel is for
// the named host, and copies both directions.
//
// CONNECT doesn't distinguish wss, ws and https. Policy decides it as https.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	way, record, ok := p.open(w, r, "https://"+r.Host+"/")
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.o.MaxTime)
	defer cancel()
	server, err := p.g.dial(ctx, way)
	if err != nil {
		record.Error = message.Of(err)
		p.record(record, way)
		fail(w, http.StatusBadGateway, "connect_failed", message.Of(err))
		return
	}
	defer server.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		record.Error = message.Of(err)
		p.record(record, way)
		return
	}
	defer client.Close()
	// The proxy's end, the time limit and the idle timer close both ends, which stops all
	// reads and writes below.
	defer context.AfterFunc(ctx, func() { client.Close(); server.Close() })()

	count := traffic{ledger: &p.g.ledger}
	err = p.splice(client, buffered.Reader, server, way, &count)
	record.Sent, record.Received = count.sent.Load(), count.received.Load()
	switch e := err.(type) {
	case *DeniedError:
		record.Verdict, record.Rule, record.Reason = e.Decision.Verdict, e.Decision.Rule, e.Decision.Reason
	case *LimitError:
		record.Verdict, record.Rule, record.Error = policy.Deny, e.rule(), e.AsMessage()
	case error:
		record.Error = message.Of(e)
	}
	p.record(record, way)
}

// splice confirms the tunnel, reads its first message, and copies until both ends are
// done, a limit is reached or something fails. A peer that disconnects is not an error.
func (p *Proxy) splice(client net.Conn, from *bufio.Reader, server net.Conn, way *route, count *traffic) error {
	client.SetDeadline(time.Now().Add(p.o.HelloTime))
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return err
	}
	first, err := sniff(from, way.target)
	if err != nil {
		return err
	}
	client.SetDeadline(time.Time{})
	if err := count.move(len(first), 0); err != nil {
		return err
	}
	if _, err := server.Write(first); err != nil {
		return err
	}

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
	both.Go(func() { pump(server, from, func(n int) bool { return onBytes(n, 0) }) })
	both.Go(func() { pump(client, server, func(n int) bool { return onBytes(0, n) }) })
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
