package web

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"errand/app"
	"errand/app/config"
	"errand/app/desktop"
	"errand/app/desktop/view"
	"errand/build/must"
	"errand/build/poll"
)

// needBrowser skips where there is no Chromium, and fails in CI.
func needBrowser(t *testing.T) {
	t.Helper()
	for _, name := range []string{"chromium", "google-chrome", "chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("Chromium is missing")
	}
	t.Skip("needs Chromium")
}

// TestTheMainJobOverHTTP carries out the litmus goal against the demo site as the
// page does: the events tell of it, its picture can be seen with the key alone,
// and no process is left.
func TestTheMainJobOverHTTP(t *testing.T) {
	needBrowser(t)
	conf := config.Options{Env: []string{"HOME=" + t.TempDir(), "USER=ann"}}
	s, err := Listen(Options{
		Addr: "127.0.0.1:0", Page: testPage, Config: conf, Demo: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Open: func() (*desktop.Engine, error) { return desktop.OpenEngine(app.Options{Config: conf, Demo: true}) },
	})
	must.Succeed(t, err)
	c := serving(t, s)
	const goal = "open youtube and search nvidia"
	var run struct{ Result view.Run }
	if status := c.post("/api/Run", []any{map[string]any{"goal": map[string]any{"text": goal}}}, &run); status != http.StatusOK {
		t.Fatalf("Run: %d", status)
	}
	id := run.Result.RunID
	poll.Await(t, "the run ends", func() bool {
		if status := c.post("/api/Get", []any{id}, &run); status != http.StatusOK {
			t.Fatalf("Get: %d", status)
		}
		return run.Result.Status != "running"
	})
	v := run.Result
	if v.Status != "done" || v.Answer.IsZero() || v.Processes > 0 || v.Connections.Allowed == 0 {
		t.Fatalf("run %+v, error %+v", v, v.Error)
	}
	shot := v.Plan.Steps[0].Page.Screenshot
	if response, body := c.ask(http.MethodGet, shot+"?key="+c.keys.View, "", nil); response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "image/png" || !strings.HasPrefix(body, "\x89PNG") {
		t.Errorf("%s: %d %s", shot, response.StatusCode, response.Header)
	}
	if response, _ := c.ask(http.MethodGet, shot, "", nil); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a key: %d", response.StatusCode)
	}
	var last view.RunEvent
	for many := v.Seq; last.Seq < v.Seq; many++ { // among them are events about the drafts that wait
		all := c.listen("&after="+s.events.name+"-0", nil, many)
		if len(all) < many {
			break // there are no more
		}
		if m := all[many-1]; m.event == "run" {
			must.Succeed(t, json.Unmarshal([]byte(m.data), &last))
		}
	}
	if last.Run == nil || last.Run.Status != "done" || last.Seq != v.Seq {
		t.Errorf("the last event is number %d, want %d", last.Seq, v.Seq)
	}
}

// serving is a client of a server that ends with the test.
func serving(t *testing.T, s *Server) *client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	c := &client{t: t, s: s, base: "http://" + s.listener.Addr().String()}
	ended := false
	c.end = func() error {
		ended = true
		cancel()
		return <-served
	}
	t.Cleanup(func() {
		if !ended {
			if err := c.end(); err != nil {
				t.Error(err)
			}
		}
	})
	_, token, _ := strings.Cut(s.URL(), "#token=")
	if status := c.post("/api/session", map[string]string{"token": token}, &c.keys); status != http.StatusOK {
		t.Fatalf("session: %d", status)
	}
	return c
}
