package guard

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"errand/policy"
)

// Client makes an HTTP client whose every request, each redirect included, is
// decided as as: its origin, tool, effect and manifest hosts. Kind is
// KindFetch unless as says another kind of fetch. The client keeps no cookies
// and no connections, follows at most [policy.MaxRedirects] redirects, sends
// only plain headers to another origin, and limits header, body and time.
//
// A refusal is a [*DeniedError] within the error of Do, a name without an
// address a [*ResolveError], a body that is too large a [*LimitError] while it
// is read.
func (g *Guard) Client(as policy.Request) *http.Client {
	if as.Kind == policy.KindCall {
		as.Kind = policy.KindFetch
	}
	return &http.Client{
		Transport:     &subject{g, as},
		CheckRedirect: checkRedirect,
		Timeout:       g.o.ClientTimeout,
	}
}

// subject is a RoundTripper on behalf of one tool.
type subject struct {
	g  *Guard
	as policy.Request
}

// RoundTrip decides one request and sends it.
func (s *subject) RoundTrip(req *http.Request) (*http.Response, error) {
	ask := s.as
	ask.URL, ask.At = req.URL.String(), time.Now()
	if req.Response != nil && req.Response.Request != nil {
		ask.From = req.Response.Request.URL.String()
	}
	way, err := s.g.route(req.Context(), ask, s.g.decider.Decide(ask))
	record := connection(req.Method, way)
	record.Tool, record.Call = ask.Tool, ask.Call
	if err == nil && way.decision.Verdict != policy.Allow {
		err = &DeniedError{ask.URL, way.decision}
	}
	var sent traffic
	var resp *http.Response
	if err == nil {
		resp, err = s.g.decode.RoundTrip(outgoing(req, way, &sent))
	} else if req.Body != nil {
		req.Body.Close() // a RoundTripper always closes it
	}
	if ended := req.Context().Err(); err == nil && ended != nil {
		resp.Body.Close()
		err = ended // an answer that crossed the caller's own going away
	}
	if err == nil && resp.ContentLength > s.g.o.MaxBody {
		resp.Body.Close()
		err = &LimitError{"response body", s.g.o.MaxBody}
	}
	if err != nil {
		record.Sent = sent.sent.Load()
		if way.decision.Verdict == policy.Allow {
			record.Error = err.Error()
		}
		s.g.done(record, way)
		return nil, err
	}
	resp.Request = req
	resp.Body = &body{ReadCloser: resp.Body, left: s.g.o.MaxBody, limit: s.g.o.MaxBody, end: func(received int64) {
		record.Sent, record.Received = sent.sent.Load(), received
		s.g.done(record, way)
	}}
	return resp, nil
}

// outgoing is the request as it is sent: to the canonical host, under that
// host's name, without headers that are for a proxy.
func outgoing(req *http.Request, way *route, count *traffic) *http.Request {
	out := req.Clone(context.WithValue(req.Context(), routeKey{}, way))
	out.Host = ""
	out.URL.Host = authority(&way.target)
	for h := range out.Header {
		if strings.HasPrefix(h, "Proxy-") {
			out.Header.Del(h)
		}
	}
	if out.Body != nil && out.Body != http.NoBody {
		out.Body = &counted{out.Body, count}
	}
	return out
}

// authority is the host and, where it isn't the scheme's own, the port.
func authority(t *policy.Target) string {
	hostPort := t.HostPort()
	if t.Scheme == "https" && t.Port == 443 || t.Scheme == "http" && t.Port == 80 {
		return hostPort[:strings.LastIndexByte(hostPort, ':')]
	}
	return hostPort
}

// checkRedirect looks at a hop before it is requested; the hop itself is
// decided by RoundTrip.
func checkRedirect(req *http.Request, via []*http.Request) error {
	refuse := func(rule, reason string) error {
		return &DeniedError{req.URL.String(), policy.Decision{Rule: rule, Reason: reason}}
	}
	if len(via) > policy.MaxRedirects {
		return refuse(policy.RuleRedirect, "it redirects more than 10 times")
	}
	from := via[len(via)-1].URL.String()
	next, d := policy.Redirect(from, req.Response.Header.Get("Location"))
	if d.Verdict != policy.Allow {
		return &DeniedError{req.URL.String(), d}
	}
	meant, d := policy.FloorURL(next)
	if got, _ := policy.FloorURL(req.URL.String()); d.Verdict == policy.Allow && got.Origin() != meant.Origin() {
		return refuse(policy.RuleRedirect, "the redirect is read differently by different programs")
	}
	origin := func(u *url.URL) string { return u.Scheme + "://" + u.Host }
	crossed := slices.ContainsFunc(via, func(r *http.Request) bool { return origin(r.URL) != origin(req.URL) })
	if crossed {
		// net/http strips the well-known credentials and keeps them for
		// subdomains; what a plugin calls its own it can't know. Only headers
		// that carry no secret go on.
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

// body limits a response's body and reports its size once it is closed.
type body struct {
	io.ReadCloser
	left, limit int64
	once        sync.Once
	end         func(received int64)
}

func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, &LimitError{"response body", b.limit}
	}
	// One byte beyond the limit tells a full body from one that goes on.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, &LimitError{"response body", b.limit}
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(func() { b.end(b.limit - max(b.left, 0)) })
	return err
}

// counted counts a request's body.
type counted struct {
	io.ReadCloser
	count *traffic
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.count.sent.Add(int64(n))
	return n, err
}
