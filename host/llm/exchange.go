package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"errand/planner/message"
	"errand/policy"
)

// Bounds of exchanges.
const (
	maxAnswer      = 8 << 20 // bytes of an answer
	maxErrorAnswer = 64 << 10
	maxDetail      = 300 // bytes of a provider's own text
	defaultTimeout = 60 * time.Second
)

// Endpoint is where a provider answers.
type Endpoint struct {
	Provider string // its name in the configuration
	BaseURL  string // without a slash at the end
	Client   *http.Client
	Header   http.Header   // with the key
	Key      string        // removed from texts; empty: none
	KeyEnv   string        // the variable that has the key, for hints
	Timeout  time.Duration // of one exchange; 0: a minute
}

// Exchange posts a value as JSON, or gets if in is nil, and decodes the answer into out. A
// text that is not JSON is transient: proxies cut answers and send pages of their own. The
// error is a *[Failure] or that of ctx.
func (e Endpoint) Exchange(ctx context.Context, path string, in, out any) error {
	return e.limited(ctx, func(ctx context.Context) error {
		resp, err := e.send(ctx, path, in, "application/json")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		return e.decode(resp, out)
	})
}

// limited bounds the time of an exchange.
func (e Endpoint) limited(ctx context.Context, exchange func(context.Context) error) error {
	timeout := e.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	inner, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := exchange(inner)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// send sends a request. The answer has the status 200; the caller closes its body.
func (e Endpoint) send(ctx context.Context, path string, in any, accept string) (*http.Response, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if in != nil {
		method, body = http.MethodPost, bytes.NewReader(Marshal(in))
	}
	req, err := http.NewRequestWithContext(ctx, method, e.BaseURL+path, body)
	if err != nil {
		return nil, e.fail(Rejected, 0, e.cause(err))
	}
	for name, values := range e.Header {
		req.Header[name] = values
	}
	req.Header.Set("Accept", accept)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := e.Client.Do(req)
	if err != nil {
		var denied interface{ Refusal() policy.Decision }
		if errors.As(err, &denied) {
			return nil, e.fail(Blocked, 0, denied.Refusal().Reason)
		}
		return nil, e.fail(Transient, 0, e.cause(err))
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, e.refusal(resp)
	}
	return resp, nil
}

// decode decodes a whole answer into out.
func (e Endpoint) decode(resp *http.Response, out any) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return e.fail(Transient, resp.StatusCode, e.cause(err))
	case len(text) > maxAnswer:
		return e.fail(Rejected, resp.StatusCode, message.New("llm.answer_too_large", "limit", maxAnswer))
	}
	return e.unmarshal(text, out)
}

func (e Endpoint) unmarshal(text []byte, out any) error {
	if err := json.Unmarshal(text, out); err != nil {
		return e.fail(Transient, http.StatusOK, message.New("llm.bad_answer", "cause", message.Verbatim(e.cleanDetail(err.Error()))))
	}
	return nil
}

// Fail returns a failure of an answer that was decoded but is not one.
func (e Endpoint) Fail(detail message.Message) error {
	return e.fail(Transient, http.StatusOK, detail)
}

func (e Endpoint) fail(reason Reason, status int, detail message.Message) *Failure {
	return &Failure{Provider: e.Provider, Reason: reason, Status: status, Detail: detail}
}

// cause describes an error without the request's URL, which users know, and without the key.
func (e Endpoint) cause(err error) message.Message {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if e.Key != "" && strings.Contains(err.Error(), e.Key) {
		return message.Verbatim(e.cleanDetail(err.Error()))
	}
	return message.FromError(err)
}

// transient are statuses after which the same request may succeed.
var transient = []int{408, 409, 425, 429, 500, 502, 503, 504, 529}

// refusal reads an answer that is an error.
func (e Endpoint) refusal(resp *http.Response) error {
	f := e.fail(Rejected, resp.StatusCode, message.Message{})
	switch status := resp.StatusCode; {
	case status == http.StatusUnauthorized || status == http.StatusForbidden: // the text may repeat the key
		f.Reason = Unauthorized
		if e.KeyEnv != "" {
			f.Hint = message.New("llm.check_key", "variable", e.KeyEnv)
		}
		return f
	case slices.Contains(transient, status):
		f.Reason, f.RetryAfter = Transient, retryAfter(resp.Header)
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorAnswer)) // a part is good enough
	f.Detail = message.Verbatim(e.cleanDetail(errorText(text)))
	if resp.StatusCode == http.StatusNotFound {
		f.Hint = message.New("llm.check_model", "provider", e.Provider)
	}
	return f
}

// errorText finds the message in an error of any of the providers:
// {"error": {"message": "…"}}, {"error": "…"} or a text.
func errorText(text []byte) string {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(text, &answer) == nil && len(answer.Error) > 0 {
		var plain string
		var typed struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(answer.Error, &plain) == nil {
			return plain
		}
		if json.Unmarshal(answer.Error, &typed) == nil && typed.Message != "" {
			return typed.Message
		}
	}
	return string(text)
}

// cleanDetail returns a text of a provider as one short line without the key.
func (e Endpoint) cleanDetail(text string) string {
	if e.Key != "" {
		text = strings.ReplaceAll(text, e.Key, "…")
	}
	return clip(strings.Join(strings.Fields(text), " "), maxDetail)
}

// retryAfter reads how long a provider asks to wait: retry-after-ms, or Retry-After in seconds
// or as a date. It is 0 without one, and never negative.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bound(ms, time.Millisecond)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return bound(seconds, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// bound multiplies without an overflow; a day is the most.
func bound(n float64, unit time.Duration) time.Duration {
	if !(n > 0) { // NaN too
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(24*time.Hour)))
}
