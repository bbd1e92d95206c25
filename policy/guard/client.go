package guard

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Client returns an HTTP client. Policy decides each of its requests and redirects with
// the origin, tool, effect and manifest hosts of as. Kind is KindFetch unless as has
// another kind of fetch. The client keeps no cookies and no connections, follows at most
// [policy.MaxRedirects] redirects, sends only safe headers to another origin, and limits
// the headers, the body and the time.
//
// The error of Do wraps a [*DeniedError] for a refusal and a [*ResolveError] for a name
// without an address. Reading a body that is too large fails with a [*LimitError].
func (g *Guard) Client(as policy.Request) *http.Client {
	if as.Kind == policy.KindCall {
		as.Kind = policy.KindFetch
	}
	return &http.Client{
		Transport:     &roundTripper{g, as},
		CheckRedirect: checkRedirect,
		Timeout:       g.o.ClientTimeout,
	}
}

// roundTripper is a RoundTripper on behalf of one tool.
type roundTripper struct {
	g      *Guard
	caller policy.Request
}

// RoundTrip decides one request and sends it.
func (s *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	ask := s.caller
	ask.URL, ask.At = req.URL.String(), time.Now()
	if req.Response != nil && req.Response.Request != nil {
		ask.From = req.Response.Request.URL.String()
	}
	route, err := s.g.route(req.Context(), ask, s.g.decider.Decide(ask))
	record := connection(req.Method, route)
	record.Tool, record.Call = ask.Tool, ask.Call
	if err == nil && route.decision.Verdict != policy.Allow {
		err = &DeniedError{ask.URL, route.decision}
	}
	sent := traffic{ledger: &s.g.ledger}
	var resp *http.Response
	if err == nil {
		resp, err = send(s.g.decode, outgoingRequest(req, route, &sent), route, &sent)
	} else if req.Body != nil {
		req.Body.Close() // a RoundTripper must always close it
	}
	if ended := req.Context().Err(); err == nil && ended != nil {
		resp.Body.Close()
		err = ended // the caller's context ended at the same time
	}
	if err == nil && resp.ContentLength > s.g.o.MaxBody {
		resp.Body.Close()
		err = &LimitError{LimitBody, s.g.o.MaxBody}
	}
	if err != nil {
		record.Sent, record.Received = sent.sentBytes.Load(), sent.received.Load()
		if limit, ok := errors.AsType[*LimitError](err); ok {
			record.Verdict, record.Rule = policy.Deny, limit.rule()
		}
		if route.decision.Verdict == policy.Allow {
			record.Error = message.FromError(err)
		}
		s.g.completeRecord(record, route)
		return nil, err
	}
	resp.Request = req
	resp.Body = &body{ReadCloser: resp.Body, count: &sent, remaining: s.g.o.MaxBody, limit: s.g.o.MaxBody, end: func(over *LimitError) {
		record.Sent, record.Received = sent.sentBytes.Load(), sent.received.Load()
		if over != nil {
			record.Verdict, record.Rule, record.Error = policy.Deny, over.rule(), over.AsMessage()
		}
		s.g.completeRecord(record, route)
	}}
	return resp, nil
}

// outgoingRequest returns the request to send: to the canonical host, with a matching Host
// header, without headers that are meant for a proxy.
func outgoingRequest(req *http.Request, route *route, count *traffic) *http.Request {
	out := req.Clone(req.Context())
	out.Host = ""
	out.URL.Host = authority(&route.target)
	for h := range out.Header {
		if strings.HasPrefix(h, "Proxy-") {
			out.Header.Del(h)
		}
	}
	if out.Body != nil && out.Body != http.NoBody {
		out.Body = &countingReader{out.Body, count}
	}
	return out
}

// authority returns the host, with the port unless it is the scheme's default.
func authority(t *policy.Target) string {
	hostPort := t.HostPort()
	if t.Scheme == "https" && t.Port == 443 || t.Scheme == "http" && t.Port == 80 {
		return hostPort[:strings.LastIndexByte(hostPort, ':')]
	}
	return hostPort
}

// checkRedirect checks a redirect before it is requested. RoundTrip then decides the
// request itself.
func checkRedirect(req *http.Request, via []*http.Request) error {
	refuse := func(reason message.Message) error {
		return &DeniedError{req.URL.String(), policy.Decision{Rule: policy.RuleRedirect, Reason: reason}}
	}
	if len(via) > policy.MaxRedirects {
		return refuse(message.New("network.too_many_redirects", "limit", policy.MaxRedirects))
	}
	from := via[len(via)-1].URL.String()
	next, d := policy.Redirect(from, req.Response.Header.Get("Location"))
	if d.Verdict != policy.Allow {
		return &DeniedError{req.URL.String(), d}
	}
	target, d := policy.FloorURL(next)
	if got, _ := policy.FloorURL(req.URL.String()); d.Verdict == policy.Allow && got.Origin() != target.Origin() {
		return refuse(message.New("network.ambiguous_redirect"))
	}
	origin := func(u *url.URL) string { return u.Scheme + "://" + u.Host }
	crossed := slices.ContainsFunc(via, func(r *http.Request) bool { return origin(r.URL) != origin(req.URL) })
	if crossed {
		// net/http removes well-known credentials but keeps them for subdomains, and it
		// doesn't know a plugin's own headers. Only headers that can't contain a secret
		// are forwarded.
		for h := range req.Header {
			if !slices.Contains(plainHeaders, h) {
				req.Header.Del(h)
			}
		}
	}
	return nil
}

var plainHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Content-Encoding", "Content-Language", "Content-Type", "Range", "User-Agent",
}

// body limits a response's body and reports its size when it is closed.
type body struct {
	io.ReadCloser
	count            *traffic
	remaining, limit int64
	closeOnce        sync.Once
	end              func(over *LimitError) // nil: within all limits

	mu       sync.Mutex // Close may be called during a Read
	exceeded *LimitError
}

func (b *body) Read(p []byte) (int, error) {
	if err := b.limitError(); err != nil {
		return 0, err
	}
	// One more byte than the limit shows that the body is too long.
	if int64(len(p)) > b.remaining+1 {
		p = p[:b.remaining+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.remaining -= int64(n); b.remaining < 0 {
		n--
		err = b.setExceeded(&LimitError{LimitBody, b.limit})
	}
	if spent := b.count.move(0, n); spent != nil {
		err = b.setExceeded(spent.(*LimitError))
	}
	return n, err
}

// setExceeded stores the limit that was exceeded. Reading stops then.
func (b *body) setExceeded(limit *LimitError) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.exceeded = limit
	return limit
}

func (b *body) limitError() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.exceeded == nil {
		return nil
	}
	return b.exceeded
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.closeOnce.Do(func() {
		b.mu.Lock()
		over := b.exceeded
		b.mu.Unlock()
		b.end(over)
	})
	return err
}

// countingReader counts a request's body.
type countingReader struct {
	io.ReadCloser
	count *traffic
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if spent := c.count.move(n, 0); spent != nil {
		return 0, spent
	}
	return n, err
}
