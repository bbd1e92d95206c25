package guard

import (
	"context"
	"errors"
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
	sent := traffic{ledger: &s.g.ledger}
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
		var limit *LimitError
		if errors.As(err, &limit) {
			record.Verdict, record.Rule = policy.Deny, limit.rule()
		}
		if way.decision.Verdict == policy.Allow {
			record.Error = err.Error()
		}
		s.g.done(record, way)
		return nil, err
	}
	resp.Request = req
	resp.Body = &body{ReadCloser: resp.Body, count: &sent, left: s.g.o.MaxBody, limit: s.g.o.MaxBody, end: func(over *LimitError) {
		record.Sent, record.Received = sent.sent.Load(), sent.received.Load()
		if over != nil {
			record.Verdict, record.Rule, record.Error = policy.Deny, over.rule(), over.Error()
		}
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
	count       *traffic
	left, limit int64
	once        sync.Once
	end         func(over *LimitError) // nil: within all limits

	mu   sync.Mutex // Close may come while a Read waits
	over *LimitError
}

func (b *body) Read(p []byte) (int, error) {
	if err := b.passed(); err != nil {
		return 0, err
	}
	// One byte beyond the limit tells a full body from one that goes on.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		n--
		err = b.pass(&LimitError{"response body", b.limit})
	}
	if spent := b.count.move(0, n); spent != nil {
		err = b.pass(spent.(*LimitError))
	}
	return n, err
}

// pass remembers a limit that was passed: nothing is read after it.
func (b *body) pass(limit *LimitError) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = limit
	return limit
}

func (b *body) passed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over == nil {
		return nil
	}
	return b.over
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(func() {
		b.mu.Lock()
		over := b.over
		b.mu.Unlock()
		b.end(over)
	})
	return err
}

// counted counts a request's body.
type counted struct {
	io.ReadCloser
	count *traffic
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if spent := c.count.move(n, 0); spent != nil {
		return 0, spent
	}
	return n, err
}
