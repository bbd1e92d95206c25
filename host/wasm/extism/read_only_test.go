package extism_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"errand/host/wasm/extism"
)

// TestReadOnlyRequests checks that a read-only tool sends nothing that a server may take for a
// change: no other method, no header that names one, and no body.
func TestReadOnlyRequests(t *testing.T) {
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent++ }))
	defer server.Close()
	for _, tt := range []struct {
		name, rest, body string
		ok               bool
	}{
		{"a GET", ``, "", true},
		{"a HEAD", `,"method":"head"`, "", true},
		{"cookies and other headers", `,"headers":{"Cookie":"a=b","Accept":"text/plain","X-Request-Id":"1"}`, "", true},
		{"a POST", `,"method":"POST"`, "", false},
		{"a body", ``, "_method=DELETE", false},
		{"a body of a HEAD", `,"method":"HEAD"`, "x", false},
		{"an override", `,"headers":{"X-HTTP-Method-Override":"DELETE"}`, "", false},
		{"an override of Microsoft's", `,"headers":{"x-http-method":"MERGE"}`, "", false},
		{"an override of IBM's", `,"headers":{"X-Method-Override":"PUT"}`, "", false},
		{"a verb", `,"headers":{"X-HTTP-Verb":"DELETE"}`, "", false},
		{"an override in one word", `,"headers":{"X-MethodOverride":"DELETE"}`, "", false},
		{"an override with underscores", `,"headers":{"X_HTTP_METHOD_OVERRIDE":"PUT"}`, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, readOnly := range []bool{true, false} {
				sent = 0
				g := newGuest(t, &extism.Call{
					Client: server.Client(), Hosts: []string{"127.0.0.1"}, ReadOnly: readOnly,
					Limits: extism.Limits{HTTPBody: 1 << 10, HTTPRequests: 1},
				}, 128<<10, "")
				request, body := g.text(`{"url":"`+server.URL+`"`+tt.rest+`}`), uint64(0)
				if tt.body != "" {
					body = g.text(tt.body)
				}
				want := 1
				if readOnly && !tt.ok {
					want = 0
					g.wantFault("method_denied", "http_request", request, body)
				} else {
					g.call("http_request", request, body)
				}
				if sent != want {
					t.Errorf("read-only %v: %d requests, want %d", readOnly, sent, want)
				}
			}
		})
	}
}
