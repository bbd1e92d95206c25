package trial

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"errand/host/wasm/manifest"
	"errand/policy"
)

// network is what stands in place of the network while a case runs.
type network struct {
	mu       sync.Mutex
	recorded []manifest.Exchange
	used     []bool
	made     []manifest.Exchange // what was recorded now
	fault    error               // what could not be recorded
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

// client is what a plugin's tool gets: each request is looked up in the case
// that is on, or recorded for it.
func (s *stage) client(caller string, hosts []string) *http.Client {
	if s.o.Record != nil {
		c := *s.o.Record(caller, hosts)
		c.Transport = recorder{s, c.Transport}
		return &c
	}
	return &http.Client{Transport: replay{s, policy.Within(hosts)}, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > policy.MaxRedirects {
			return fmt.Errorf("more than %d redirects", policy.MaxRedirects)
		}
		return nil
	}}
}

func (s *stage) network() *network {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now.net
}

// replay answers from what is recorded. What isn't fails the call, and so does
// a host that the manifest does not name: a recording is no permission.
type replay struct {
	s      *stage
	within func(*url.URL) bool
}

// RoundTrip implements [http.RoundTripper].
func (r replay) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	if r.within == nil || !r.within(req.URL) {
		return nil, &refusal{policy.Decision{Verdict: policy.Deny, Rule: "case.hosts", Reason: "hosts of plugin.toml doesn't name it"}}
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
	return nil, fmt.Errorf("the case has no recorded answer for %s %s (record it: errand plugin test --record)", req.Method, req.URL)
}

// unused are the recorded requests that nobody made.
func (n *network) unused() []manifest.Exchange {
	n.mu.Lock()
	defer n.mu.Unlock()
	var left []manifest.Exchange
	for i, x := range n.recorded {
		if !n.used[i] {
			left = append(left, x)
		}
	}
	return left
}

// refusal is policy's no as the host understands it.
type refusal struct{ decision policy.Decision }

func (r *refusal) Error() string            { return r.decision.Reason }
func (r *refusal) Refusal() policy.Decision { return r.decision }

// recorder writes down what passes through it.
type recorder struct {
	s    *stage
	next http.RoundTripper
}

// headers are the names of an answer's headers that are recorded: those that
// mean something to who asked, and neither a time, a cookie nor a server's name.
var headers = []string{"Content-Type", "Content-Language", "Location", "Link", "ETag", "Last-Modified", "Retry-After"}

// maxBody is the most bytes of an answer that is recorded: it goes into a file
// that people read.
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
		n.fault = fmt.Errorf("the answer of %s is longer than the %d bytes that a case can hold", req.URL, maxBody)
		return nil, n.fault
	case !utf8.Valid(body):
		n.fault = fmt.Errorf("the answer of %s is no text, which is all that a case can hold", req.URL)
		return nil, n.fault
	}
	for _, name := range headers {
		if value := resp.Header.Get(name); value != "" {
			if x.Headers == nil {
				x.Headers = map[string]string{}
			}
			x.Headers[strings.ToLower(name)] = value
		}
	}
	n.made = append(n.made, x)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}
