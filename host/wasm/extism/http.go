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
	"errand/policy"
)

// request is what a plugin asks for. Header values may be any scalar, since
// some PDKs send numbers and booleans.
type request struct {
	URL     string                     `json:"url"`
	Method  string                     `json:"method"`
	Headers map[string]json.RawMessage `json:"headers"`
}

// httpRequest is the ABI's http_request: a refused host, a bad URL, a network
// failure and an answer that is too large end the call; an HTTP status never
// does.
func (k *Kernel) httpRequest(ctx context.Context, req, body uint64) uint64 {
	k.httpStatus, k.httpHeader = 0, nil
	r, client := k.newRequest(ctx, bytes.Clone(k.bytes("http_request", req)), bytes.Clone(k.bytes("http_request", body)))
	k.free(req)
	k.free(body)
	resp, err := client.Do(r)
	if err != nil {
		panic(requestFailed(r.URL, err))
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, MaxResponse+1))
	if err != nil {
		panic(requestFailed(r.URL, err))
	}
	if len(b) > MaxResponse {
		panic(tool.Errorf(tool.ExecutionError, "response_too_large", "the answer of %s is longer than the %d bytes allowed", r.URL.Redacted(), MaxResponse))
	}
	k.httpStatus, k.httpHeader = int32(resp.StatusCode), resp.Header
	at := k.write(b)
	if at == 0 && len(b) > 0 {
		panic(tool.Errorf(tool.ExecutionError, "response_too_large",
			"the answer of %s (%d bytes) does not fit in the plugin's memory limit of %d bytes", r.URL.Redacted(), len(b), k.Memory))
	}
	return at
}

func (k *Kernel) newRequest(ctx context.Context, req, body []byte) (*http.Request, *http.Client) {
	var asked request
	if err := json.Unmarshal(req, &asked); err != nil {
		panic(tool.Errorf(tool.ExecutionError, "bad_http_request", "the plugin's HTTP request is not what the ABI says: %v", err))
	}
	if k.Client == nil || len(k.Hosts) == 0 {
		panic(refused(asked.URL, "the plugin may reach no hosts").
			WithHint("list the host in hosts of the plugin's plugin.toml, or give it with --allow-host"))
	}
	method := strings.ToUpper(asked.Method)
	if method == "" {
		method = http.MethodGet
	}
	if k.ReadOnly && method != http.MethodGet && method != http.MethodHead {
		panic(tool.Errorf(tool.PolicyDenied, "method_denied",
			"HTTP request %s to '%s' is not allowed: the tool is of class read, which may only GET and HEAD", method, asked.URL).
			WithHint("where it changes something, its plugin.toml must say side_effect_class = \"write\""))
	}
	var content io.Reader
	if len(body) > 0 {
		content = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, asked.URL, content)
	if err != nil {
		panic(tool.Errorf(tool.ExecutionError, "bad_http_request", "the plugin's HTTP request is invalid: %v", err))
	}
	client := k.Client
	for _, name := range slices.Sorted(maps.Keys(asked.Headers)) {
		value, names := k.reveal(headerValue(asked.Headers[name]))
		if len(names) > 0 {
			client = k.bound(client, r.URL, names)
		}
		r.Header.Set(name, value)
	}
	return r, client
}

// headerValue reads a header's value, a string or another scalar.
func headerValue(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// refused is what a plugin ends with that asked for what it may not have.
func refused(url, why string) *tool.Error {
	return tool.Errorf(tool.PolicyDenied, "host_denied", "HTTP request to '%s' is not allowed: %s", url, why)
}

// requestFailed says why a request came to nothing. What policy refused keeps
// its class and its hint.
func requestFailed(u *url.URL, err error) error {
	var typed *tool.Error
	var policed interface{ Refusal() policy.Decision }
	switch {
	case errors.As(err, &typed):
		return typed
	case errors.As(err, &policed):
		d := policed.Refusal()
		e := refused(u.Redacted(), d.Reason)
		if d.Hint != "" {
			e = e.WithHint("%s", d.Hint)
		}
		return e
	}
	return tool.Errorf(tool.ToolUnavailable, "http_failed", "HTTP request to '%s' failed: %s", u.Redacted(), cause(err))
}

// cause is err without the method and URL that net/http puts before it.
func cause(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}

// httpHeaders is the ABI's http_headers: the last answer's as a JSON object,
// names in lower case, repeated ones joined.
func (k *Kernel) httpHeaders() uint64 {
	if k.httpHeader == nil {
		return 0
	}
	headers := make(map[string]string, len(k.httpHeader))
	for name, values := range k.httpHeader {
		headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	b, err := json.Marshal(headers)
	if err != nil {
		return 0
	}
	return k.write(b)
}
