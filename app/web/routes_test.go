package web

import (
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/fstest"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop"
	"errand/build/must"
)

// TestRoutes checks that the routes of the local API are behind the guard of the server, that they
// need no page, and that without them nobody answers.
func TestRoutes(t *testing.T) {
	conf := config.Options{Env: []string{"HOME=" + t.TempDir(), "USER=ann"}}
	options := Options{
		Addr: "127.0.0.1:0", Page: fstest.MapFS{}, Config: conf, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Open: func() (*desktop.Engine, error) { return desktop.OpenEngine(app.Options{Config: conf}) },
	}
	if _, err := Listen(options); err == nil {
		t.Fatal("serves neither a page nor an API")
	}
	asked := 0
	count := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++ })
	options.Routes = map[string]http.Handler{"GET /api/jobs": count, "POST /api/wraith": count, "GET /api/jobs/{id}": count}
	s, err := Listen(options)
	must.Succeed(t, err)
	c := serving(t, s)
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	t.Run("S3-H38 requests from a page of another site", func(t *testing.T) {
		for name, change := range map[string]func(*http.Request){
			"its origin": set("Origin", "https://evil.example"), "no origin of its own": set("Origin", "null"), "cross-site": set("Sec-Fetch-Site", "cross-site"),
			"a name that leads here": func(r *http.Request) { r.Host = "rebound.example" },
		} {
			for _, r := range [][2]string{{"GET", "/api/jobs"}, {"GET", "/api/jobs/x"}, {"POST", "/api/wraith"}} {
				if response, body := c.ask(r[0], r[1], "{}", change); response.StatusCode != http.StatusForbidden || asked > 0 {
					t.Errorf("%s, %s: %d %s", name, r[1], response.StatusCode, body)
				}
			}
		}
		if address := s.listener.Addr().String(); address[:10] != "127.0.0.1:" {
			t.Errorf("it listens on %s", address)
		}
	})
	for _, r := range [][2]string{{"GET", "/api/jobs"}, {"GET", "/api/jobs/x"}, {"POST", "/api/wraith"}} {
		if response, body := c.ask(r[0], r[1], "{}", nil); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d %s", r[1], response.StatusCode, body)
		}
	}
	if asked != 3 {
		t.Errorf("%d requests arrive, want 3", asked)
	}
	for _, r := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/api/nothing", 404},
		{"GET", "/api/jobs/x/y/z", 404},
		{"DELETE", "/api/nothing/at/all", 404},
		{"DELETE", "/api/jobs", 405},
		{"POST", "/api/jobs/x", 405},
		{"GET", "/api/wraith", 405},
		{"GET", "/api/session", 405},
		{"GET", "/api/Stop", 405},
	} {
		if response, body := c.ask(r.method, r.path, "{}", nil); response.StatusCode != r.status {
			t.Errorf("%s %s: %d %s, want %d", r.method, r.path, response.StatusCode, body, r.status)
		}
	}
	off := serve(t)
	for _, r := range [][2]string{{"GET", "/api/jobs"}, {"POST", "/api/wraith"}, {"POST", "/api/jobs/create"}} {
		response, body := off.ask(r[0], r[1], "[]", set("Authorization", "Bearer errand_x"))
		if response.StatusCode != http.StatusUnauthorized && response.StatusCode != http.StatusNotFound {
			t.Errorf("without the API, %s: %d %s", r[1], response.StatusCode, body)
		}
	}
}
