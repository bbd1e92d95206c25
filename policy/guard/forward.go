package guard

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// forward passes on one plain HTTP request and its response. It doesn't follow redirects;
// the browser sends a new request for each.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request) {
	route, record, ok := p.open(w, r, r.URL.String())
	if !ok {
		return
	}
	count := traffic{ledger: &p.g.ledger}
	defer func() {
		record.Sent, record.Received = count.sentBytes.Load(), count.received.Load()
		p.record(record, route)
	}()
	ctx, cancel := context.WithTimeout(r.Context(), p.o.MaxTime)
	defer cancel()
	out := outgoingRequest(r.WithContext(ctx), route, &count)
	out.RequestURI = ""
	dropHopHeaders(out.Header)
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header.Set("User-Agent", "") // prevent Go's default
	}
	resp, err := send(p.g.plain, out, route, &count)
	if err != nil {
		record.Error = message.FromError(err)
		if limit, ok := errors.AsType[*LimitError](err); ok {
			record.Verdict, record.Rule = policy.Deny, limit.rule()
		}
		fail(w, http.StatusBadGateway, "connect_failed", message.FromError(err))
		return
	}
	defer resp.Body.Close()
	dropHopHeaders(resp.Header)
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	if err := p.relay(w, resp.Body, &count); err != nil {
		record.Error = message.FromError(err)
		if limit, ok := err.(*LimitError); ok {
			record.Rule, record.Verdict = limit.rule(), policy.Deny
		}
		panic(http.ErrAbortHandler) // so that the browser doesn't accept a partial body
	}
}

// relay streams a response's body within the proxy's limits.
func (p *Proxy) relay(w http.ResponseWriter, body io.ReadCloser, count *traffic) error {
	idle := time.AfterFunc(p.o.IdleTime, func() { body.Close() })
	defer idle.Stop()
	control := http.NewResponseController(w)
	defer control.SetWriteDeadline(time.Time{}) // the connection may carry more requests
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		idle.Reset(p.o.IdleTime)
		if err := count.move(0, n); err != nil {
			return err
		}
		if count.total() > p.o.MaxBytes {
			return &LimitError{LimitBody, p.o.MaxBytes}
		}
		if n > 0 {
			control.SetWriteDeadline(time.Now().Add(p.o.IdleTime))
			if _, err := w.Write(buf[:n]); err != nil {
				return err
			}
			control.Flush()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// dropHopHeaders removes hop-by-hop headers (RFC 9110 §7.6.1).
func dropHopHeaders(h http.Header) {
	for _, list := range h.Values("Connection") {
		for name := range strings.SplitSeq(list, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{
		"Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
		"Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
	} {
		h.Del(name)
	}
}
