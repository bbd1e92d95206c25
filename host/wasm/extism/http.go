package extism

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"errand/host/tool"
	"errand/host/wasm/manifest"
	"errand/planner/message"
	"errand/policy"
)

// httpRequest implements the ABI's http_request. A refused host, an invalid URL, a
// network failure or a too large response ends the call; an HTTP status does not. The
// request must finish before the call's deadline.
func (c *Call) httpRequest(req, body uint64) uint64 {
	c.httpStatus, c.httpHeader, c.httpFrom = 0, nil, ""
	requested := readRequest(bytes.Clone(c.message("http_request", req)))
	r, client := c.newRequest(requested, copyMemory(c.bytes("http_request", body), c.pause))
	c.kernel.free(req)
	c.kernel.free(body)
	if c.requests++; c.requests > c.Limits.HTTPRequests {
		panic(c.limitError(tool.ExecutionError, "http_requests_limit", "http_requests",
			message.New("plugin.http_requests_limit", "name", c.name(), "limit", c.Limits.HTTPRequests)))
	}
	resp, err := client.Do(r)
	if err != nil {
		panic(requestFailed(r.URL, err))
	}
	defer resp.Body.Close()
	c.checkAnswer(resp)
	limit := min(c.Limits.HTTPBody, MaxMemory)
	b, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	if err != nil {
		panic(requestFailed(r.URL, err))
	}
	if uint64(len(b)) > limit {
		panic(c.limitError(tool.ExecutionError, "http_body_limit", "http_body",
			message.New("plugin.http_body_limit", "name", c.name(), "url", r.URL.Redacted(), "limit", manifest.Size(limit))))
	}
	c.httpStatus, c.httpHeader = int32(resp.StatusCode), resp.Header
	if requested.TellURL {
		resp.Header.Del(fromHeader)
		c.httpFrom = redirectedURL(r.URL, resp)
	}
	if c.hidesSecrets() {
		b = []byte(c.hideSecrets(string(b)))
	}
	return c.answer(message.New("plugin.data_of_answer", "url", r.URL.Redacted()), b)
}

func (c *Call) newRequest(requested request, body []byte) (*http.Request, *http.Client) {
	if c.Starting {
		panic(refusedError(requested.URL, message.New("plugin.request_at_start")).WithHint(message.New("plugin.request_in_function")))
	}
	if c.Previewing {
		panic(refusedError(requested.URL, message.New("plugin.request_in_preview")).WithHint(message.New("plugin.preview_offline")))
	}
	if c.Client == nil || len(c.Hosts) == 0 {
		hint := message.New("plugin.list_host")
		if c.ByFlag {
			hint = message.New("plugin.allow_host", "host", hostPattern(requested.URL))
		}
		panic(refusedError(requested.URL, message.New("plugin.no_hosts")).WithHint(hint))
	}
	method := strings.ToUpper(requested.Method)
	if method == "" {
		method = http.MethodGet
	}
	if method == http.MethodTrace || method == http.MethodConnect {
		panic(tool.NewError(tool.PolicyDenied, "method_denied",
			message.New("plugin.method_reveals", "method", method, "url", requested.URL)).
			WithHint(message.New("plugin.use_other_method")))
	}
	if c.ReadOnly && method != http.MethodGet && method != http.MethodHead {
		panic(tool.NewError(tool.PolicyDenied, "method_denied",
			message.New("plugin.method_of_read", "method", method, "url", requested.URL)).
			WithHint(message.New("plugin.declare_write")))
	}
	if c.ReadOnly && len(body) > 0 {
		panic(tool.NewError(tool.PolicyDenied, "method_denied", message.New("plugin.body_of_read", "url", requested.URL)).
			WithHint(message.New("plugin.declare_write")))
	}
	var content io.Reader
	if len(body) > 0 {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(longContext(c.ctx), method, requested.URL, content)
	if err != nil {
		panic(badRequest(message.FromError(err)))
	}
	client := c.Client
	perHop := hopHeaders(requested.Headers)
	for _, name := range slices.Sorted(maps.Keys(requested.Headers)) {
		if slices.Contains(perHop, strings.ToLower(name)) {
			continue // the connection is the host's
		}
		if namesURL(name) {
			panic(refusedError(requested.URL, message.New("plugin.url_header", "name", name)).WithHint(message.New("plugin.ask_for_url")))
		}
		if namesRange(name) && c.mayKnowSecret(r.URL) {
			panic(refusedError(requested.URL, message.New("plugin.range_header", "name", name)).WithHint(message.New("plugin.ask_for_whole")))
		}
		if c.ReadOnly && namesMethod(name) {
			panic(tool.NewError(tool.PolicyDenied, "method_denied", message.New("plugin.method_header_of_read", "name", name, "url", requested.URL)).
				WithHint(message.New("plugin.declare_write")))
		}
		value, names := c.reveal(headerValue(name, requested.Headers[name]))
		if len(names) > 0 {
			client = c.checkSecretURL(client, r.URL, names)
		}
		setHeader(r.Header, name, value)
	}
	if c.hidesSecrets() {
		r.Header.Del("Accept-Encoding") // secrets in an encoded response would not be found
	}
	return r, client
}

// longContext returns a context that may be retained after the call. net/http retains
// the context of a request while it opens the connection, but the next call may reuse
// ctx.
func longContext(ctx context.Context) context.Context {
	if l, ok := ctx.(interface{ LongContext() context.Context }); ok {
		return l.LongContext()
	}
	return ctx
}

// refusedError returns the error of a request that is not permitted.
func refusedError(url string, why message.Message) *tool.Error {
	return tool.NewError(tool.PolicyDenied, "host_denied", message.New("plugin.host_denied", "url", url, "reason", why))
}

// requestFailed returns the error of a failed request. A refusal by the policy keeps its
// class and hint.
func requestFailed(u *url.URL, err error) error {
	var typed *tool.Error
	var policed interface{ Refusal() policy.Decision }
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.As(err, &policed):
		d := policed.Refusal()
		e := refusedError(u.Redacted(), d.Reason)
		if to := redirectTarget(u, err); to != "" {
			e.Message = message.New("plugin.redirect_denied", "url", u.Redacted(), "target", to, "reason", d.Reason)
		}
		if !d.Hint.IsZero() {
			e = e.WithHint(d.Hint)
		}
		return e
	}
	return tool.NewError(tool.ToolUnavailable, "http_failed", message.New("plugin.http_failed", "url", u.Redacted(), "cause", cause(err)))
}

// redirectTarget returns the URL that a redirect of a request to u led to, if the request
// failed there, or "".
func redirectTarget(u *url.URL, err error) string {
	var failed *url.Error
	if !errors.As(err, &failed) {
		return ""
	}
	to, parseErr := url.Parse(failed.URL)
	if parseErr != nil || to.Redacted() == u.Redacted() {
		return ""
	}
	return to.Redacted()
}

// cause returns err without net/http's prefix of method and URL.
func cause(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// fromHeader is a header that the host adds to a response after redirects if the request
// has "tell_url": the URL of the response. The ABI has no field for it. A header of the
// server with this name is removed.
const fromHeader = "errand-url"

// redirectedURL returns the URL of a response after redirects, or "" if it is the requested one.
func redirectedURL(requested *url.URL, resp *http.Response) string {
	if resp.Request == nil || resp.Request.URL == nil || resp.Request.URL.String() == requested.String() {
		return ""
	}
	u := *resp.Request.URL
	u.User = nil
	return u.String()
}

// httpHeaders implements the ABI's http_headers: the headers of the last response as a
// JSON object. Names are in lower case, and values of a repeated name are joined.
func (c *Call) httpHeaders() uint64 {
	if c.httpHeader == nil {
		return 0
	}
	headers := make(map[string]string, len(c.httpHeader))
	for name, values := range c.httpHeader {
		headers[strings.ToLower(c.hideSecrets(name))] = c.hideSecrets(strings.Join(values, ","))
	}
	if c.httpFrom != "" {
		headers[fromHeader] = c.hideSecrets(c.httpFrom)
	}
	b, err := json.Marshal(headers)
	if err != nil {
		return 0
	}
	return c.answer(message.New("plugin.data_of_headers"), b)
}
