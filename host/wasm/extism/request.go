package extism

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"errand/host/tool"
	"errand/planner/message"
)

// request is a plugin's request. A header value may be any scalar, because some
// PDKs send numbers and booleans.
type request struct {
	URL     string                     `json:"url"`
	Method  string                     `json:"method"`
	Headers map[string]json.RawMessage `json:"headers"`
	// TellURL is our extension: the response's headers include its final URL.
	TellURL bool `json:"tell_url"`
}

// readRequest parses a plugin's request. An invalid request ends the call, because
// it is a bug in the plugin and a retry won't help.
func readRequest(b []byte) request {
	var out request
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(b, &out); {
	case errors.As(err, &kind) && kind.Field == "":
		panic(badRequest(message.New("plugin.request_of_type", "type", kind.Value)))
	case errors.As(err, &kind):
		panic(badRequest(message.New("plugin.request_key_of_type", "key", kind.Field, "type", kind.Value)))
	case err != nil:
		panic(badRequest(message.FromError(err)))
	}
	u, err := url.Parse(out.URL)
	switch {
	case err != nil:
		panic(badRequest(message.FromError(err)))
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		panic(badRequest(message.New("plugin.request_url", "url", out.URL)))
	}
	return out
}

// hostPattern is the pattern that permits a valid request's host. A pattern without a
// scheme means https.
func hostPattern(rawURL string) string {
	u, err := url.Parse(rawURL)
	switch {
	case err != nil:
		return rawURL
	case u.Scheme == "https":
		return u.Host
	}
	return u.Scheme + "://" + u.Host
}

func badRequest(m message.Message) *tool.Error {
	e := tool.NewError(tool.ExecutionError, "bad_http_request", message.New("plugin.bad_http_request", "fault", m))
	return e.WithHint(message.New("plugin.write_http_request"))
}

// setHeader sets a header. It refuses names and values that would change on the
// wire.
func setHeader(h http.Header, name, value string) {
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return !inName(r) }):
		panic(badRequest(message.New("plugin.header_name", "name", name)))
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		panic(badRequest(message.New("plugin.header_value", "name", name)))
	}
	h.Set(name, value)
}

// inName reports whether a header name may contain r (RFC 9110, 5.6.2).
func inName(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
}

// headerValue parses a header's value: a string or another scalar.
func headerValue(name string, raw json.RawMessage) string {
	var s string
	switch {
	case json.Unmarshal(raw, &s) == nil:
		return s
	case raw[0] == '{' || raw[0] == '[':
		panic(badRequest(message.New("plugin.header_not_text", "name", name)))
	}
	return string(raw)
}
