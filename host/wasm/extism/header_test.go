package extism_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"errand/host/wasm/extism"
)

// TestHeadersOfAnotherURL: no header names a host or path that the patterns of hosts did not
// see, and none is about the connection.
func TestHeadersOfAnotherURL(t *testing.T) {
	var sent []http.Header
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { sent = append(sent, r.Header) }))
	defer server.Close()
	for _, tt := range []struct {
		name     string
		headers  string
		refused  bool
		received []string // of the plugin's headers
	}{
		{"IIS", `"X-Original-URL":"/admin"`, true, nil},
		{"IIS, in small letters", `"x-rewrite-url":"/admin"`, true, nil},
		{"underscores", `"X_Original_URL":"/admin"`, true, nil},
		{"nginx", `"X-Original-URI":"/admin"`, true, nil},
		{"a prefix", `"X-Forwarded-Prefix":"/admin"`, true, nil},
		{"a path", `"X-Forwarded-Path":"/admin"`, true, nil},
		{"Traefik", `"X-Forwarded-Uri":"/admin"`, true, nil},
		{"Envoy", `"X-Envoy-Original-Path":"/admin"`, true, nil},
		{"Azure", `"X-WAWS-Unencoded-URL":"/admin"`, true, nil},
		{"a host", `"X-Forwarded-Host":"other.example"`, true, nil},
		{"a host override", `"X-HTTP-Host-Override":"other.example"`, true, nil},
		{"X-Host", `"X-Host":"other.example"`, true, nil},
		{"the standard header", `"Forwarded":"host=other.example"`, true, nil},
		{"only hyphens", `"--":"/admin"`, false, []string{"--"}},
		{"an upgrade", `"Connection":"Upgrade, HTTP2-Settings","Upgrade":"h2c","HTTP2-Settings":"AAMAAABk","Accept":"a/b"`, false, []string{"Accept"}},
		{"an upgrade in small letters", `"connection":"upgrade","upgrade":"websocket"`, false, nil},
		{"listed as hop by hop", `"Connection":"close, X-Real","X-Real":"1","X-Other":"2"`, false, []string{"X-Other"}},
		{"transfer", `"Transfer-Encoding":"chunked","TE":"trailers","Trailer":"X-A","Keep-Alive":"1","Proxy-Authorization":"Basic eA=="`, false, nil},
		{
			"ordinary headers", `"Accept":"a/b","Authorization":"Bearer a","X-Request-Id":"1","X-Api-Key":"2","X-Goog-User-Project":"p","X-GitHub-Api-Version":"3"`, false,
			[]string{"Accept", "Authorization", "X-Api-Key", "X-Github-Api-Version", "X-Goog-User-Project", "X-Request-Id"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, readOnly := range []bool{true, false} {
				sent = nil
				g := newGuest(t, &extism.Call{
					Client: server.Client(), Hosts: []string{"http://127.0.0.1/ok/"}, ReadOnly: readOnly,
					Limits: extism.Limits{HTTPBody: 1 << 10, HTTPRequests: 1},
				}, 128<<10, "")
				request := g.text(`{"url":"` + server.URL + `/ok/a","headers":{` + tt.headers + `}}`)
				if tt.refused {
					if g.wantFault("host_denied", "http_request", request, 0); len(sent) > 0 {
						t.Errorf("read-only %v: it was sent", readOnly)
					}
					continue
				}
				g.call("http_request", request, 0)
				if len(sent) != 1 {
					t.Fatalf("%d requests", len(sent))
				}
				var received []string
				for name := range sent[0] {
					if name != "User-Agent" && name != "Accept-Encoding" {
						received = append(received, name)
					}
				}
				if slices.Sort(received); !slices.Equal(received, tt.received) {
					t.Errorf("read-only %v: received %v, want %v", readOnly, received, tt.received)
				}
			}
		})
	}
}
