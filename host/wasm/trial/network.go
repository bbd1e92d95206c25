package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"errand/host/wasm/manifest"
	"errand/planner/message"
	"errand/policy"
)

// network replaces the network while a case runs.
type network struct {
	mu           sync.Mutex
	recorded     []manifest.Exchange
	used         []bool
	newExchanges []manifest.Exchange // exchanges recorded in this run
	recordErr    error               // error while recording
}

func newNetwork(recorded []manifest.Exchange) *network {
	n := &network{recorded: slices.Clone(recorded), used: make([]bool, len(recorded))}
	for i := range n.recorded {
		x := &n.recorded[i]
		if x.Method == "" {
			x.Method = http.MethodGet
		}
		if x.Status == 0 {
			x.Status = http.StatusOK
		}
	}
	return n
}

// client returns the HTTP client for a plugin's tool. It replays or records the
// requests of the current case.
func (s *stage) client(caller string, hosts []string) *http.Client {
	if s.o.Record != nil {
		c := *s.o.Record(caller, hosts)
		c.Transport = recorder{s, c.Transport}
		return &c
	}
	return &http.Client{Transport: replay{s, hosts}, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > policy.MaxRedirects {
			return message.Error("kit.too_many_redirects", "limit", policy.MaxRedirects)
		}
		return nil
	}}
}

func (s *stage) network() *network {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.net
}

// replay answers requests from the recording. It fails requests that were not
// recorded, and requests to hosts that the manifest does not permit.
type replay struct {
	s     *stage
	hosts []string
}

// anyHost permits everything that a user's settings could permit, so that only
// the manifest decides and the result does not depend on the machine.
var anyHost = sync.OnceValues(func() (*policy.Policy, error) {
	return policy.New(policy.Settings{
		AllowedDomains: []string{"*", "http://*"},
		AllowPrivate:   []string{"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"},
	})
})

// RoundTrip implements [http.RoundTripper].
func (r replay) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	p, err := anyHost()
	if err != nil {
		return nil, err
	}
	if d := p.Decide(policy.Request{Kind: policy.KindFetch, URL: req.URL.String(), Hosts: r.hosts}); d.Verdict != policy.Allow {
		return nil, &refusal{d}
	}
	n := r.s.network()
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, x := range n.recorded {
		if n.used[i] || x.Method != req.Method || x.URL != req.URL.String() {
			continue
		}
		n.used[i] = true
		resp := &http.Response{
			Status: fmt.Sprintf("%d %s", x.Status, http.StatusText(x.Status)), StatusCode: x.Status,
			Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: req,
			Body: io.NopCloser(strings.NewReader(x.Body)), ContentLength: int64(len(x.Body)),
		}
		for name, value := range x.Headers {
			resp.Header.Set(name, value)
		}
		return resp, nil
	}
	return nil, message.Error("kit.no_recorded_answer", "method", req.Method, "url", req.URL)
}

// unusedExchanges returns the recorded requests that were not made.
func (n *network) unusedExchanges() []manifest.Exchange {
	n.mu.Lock()
	defer n.mu.Unlock()
	var unused []manifest.Exchange
	for i, x := range n.recorded {
		if !n.used[i] {
			unused = append(unused, x)
		}
	}
	return unused
}

// refusal is a denial by policy in the form that the host expects.
type refusal struct{ decision policy.Decision }

func (r *refusal) Error() string              { return r.decision.Reason.String() }
func (r *refusal) AsMessage() message.Message { return r.decision.Reason }
func (r *refusal) Refusal() policy.Decision   { return r.decision }

// recorder records the exchanges of its transport.
type recorder struct {
	s    *stage
	next http.RoundTripper
}

// headers are the response headers to record. They matter to the plugin; times,
// cookies and server names are omitted.
var headers = []string{"Content-Type", "Content-Language", "Location", "Link", "ETag", "Last-Modified", "Retry-After"}

// maxBody is the maximum size of a recorded response in bytes, because people read
// the file.
const maxBody = 256 << 10

// RoundTrip implements [http.RoundTripper].
func (r recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	n := r.s.network()
	n.mu.Lock()
	defer n.mu.Unlock()
	x := manifest.Exchange{Method: req.Method, URL: req.URL.String(), Status: resp.StatusCode, Body: string(body)}
	switch {
	case len(body) > maxBody:
		n.recordErr = message.Error("kit.answer_too_long", "url", req.URL, "limit", maxBody)
		return nil, n.recordErr
	case !utf8.Valid(body):
		n.recordErr = message.Error("kit.answer_not_text", "url", req.URL)
		return nil, n.recordErr
	}
	for _, name := range headers {
		if value := resp.Header.Get(name); value != "" {
			if x.Headers == nil {
				x.Headers = map[string]string{}
			}
			x.Headers[strings.ToLower(name)] = value
		}
	}
	n.newExchanges = append(n.newExchanges, x)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}
