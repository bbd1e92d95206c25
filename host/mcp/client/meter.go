package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// meter counts what a server has sent since it was last asked for something.
type meter struct{ bytes atomic.Int64 }

func (m *meter) reset()       { m.bytes.Store(0) }
func (m *meter) isOver() bool { return m != nil && m.bytes.Load() > maxUnasked }

var errTooMuch = errors.New("flooded")

// meteredReader fails when the server has sent too much.
type meteredReader struct {
	io.ReadCloser
	sent *meter
}

func (r meteredReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.sent.bytes.Add(int64(n)); r.sent.isOver() {
		return 0, errTooMuch
	}
	return n, err
}

// meteredHTTP counts the bodies of answers.
type meteredHTTP struct {
	http.RoundTripper
	sent *meter
}

func (t meteredHTTP) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = meteredReader{resp.Body, t.sent}
	}
	return resp, err
}

const maxText = 2000

// clipped cuts a text of a server.
func clipped(s string) string {
	if len(s) > maxText {
		return strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
