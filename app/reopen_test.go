package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/app/recipes"
	"errand/app/runs"
	"errand/app/runs/pagepath"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
)

// pagesSite is a site whose second page is not ready at first. It counts how
// often each of its addresses is asked for.
type pagesSite struct {
	*httptest.Server
	mu    sync.Mutex
	ready bool
	asked map[string]int
}

func newPagesSite(t *testing.T) *pagesSite {
	s := &pagesSite{asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[r.Method+" "+r.URL.Path]++
		rw.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(rw, `<title>first</title><a href="/two">two</a><form method=post action=/sent><input aria-label=Name><button>Order</button></form>`)
		case r.URL.Path == "/two" && s.ready:
			fmt.Fprint(rw, `<title>second</title><p>ready</p><form method=post action=/sent><button>Send</button></form>`)
		default:
			fmt.Fprint(rw, `<title>other</title><p>not yet</p>`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *pagesSite) makeReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = true
}

func (s *pagesSite) times(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[what]
}

const (
	stepFill = "[[step]]\ntool = \"browser.fill\"\nargs = { locator = { label = \"Name\" }, value = \"Ann\" }\n"
	stepTwo  = "[[step]]\ntool = \"browser.click\"\nargs = { locator = { role = \"link\", name = \"two\" }, expect = \"link\" }\n"
	stepWait = "[[step]]\ntool = \"browser.wait\"\nargs = { text = \"ready\", timeout_ms = 300 }\n"
	stepSend = "[[step]]\ntool = \"browser.click\"\nargs = { locator = { role = \"button\", name = \"Send\" }, timeout_ms = 300 }\n"
)

// ofSteps keeps a recipe that opens the site and does the steps there.
func ofSteps(t *testing.T, a *App, s *pagesSite, steps ...string) *recipes.Run {
	t.Helper()
	text := "schema = 1\nname = \"r\"\n[[step]]\ntool = \"system.apps.launch.shell\"\nargs = { app_name = \"chrome\", url = \"" + s.URL + "/\" }\n"
	must.Succeed(t, os.MkdirAll(a.Recipes().Dir(), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(a.Recipes().Dir(), "r.toml"), []byte(text+strings.Join(steps, "")), 0o600))
	return &recipes.Run{Ref: "r"}
}

func begun(t *testing.T, s *pagesSite, steps ...string) (*App, runs.Report) {
	t.Helper()
	needsBrowser(t)
	a, _ := opened(t, Options{}, "ERRAND_POLICY_ALLOW_PRIVATE="+strings.TrimPrefix(s.URL, "http://"), "XDG_DATA_HOME="+t.TempDir())
	r, err := startRecipe(t, a, ofSteps(t, a, s, steps...), runs.Request{Yes: true})
	if err != nil || r.Status != trace.Failed {
		t.Fatalf("at first: %s, %+v, %v", r.Status, r.Error, err)
	}
	return a, r
}

// wentBack are the steps of a run that were done again to get to their page.
func wentBack(t *testing.T, a *App, runID string) []string {
	t.Helper()
	s, err := a.storage()
	must.Succeed(t, err)
	rec, err := s.Record(t.Context(), runID)
	must.Succeed(t, err)
	var ids []string
	for _, e := range rec.Events {
		if e.Kind == "page" && e.Data["event"] == "again" {
			ids = append(ids, e.StepID)
		}
	}
	return ids
}

// TestSlowPageIsReopened: nobody saw the page come, and nobody has to
// look for an effect of it.
func TestSlowPageIsReopened(t *testing.T) {
	needsBrowser(t)
	slow := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		select {
		case <-slow:
		case <-r.Context().Done():
		}
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprint(rw, `<title>here at last</title>`)
	}))
	t.Cleanup(site.Close)
	a, _ := opened(t, Options{}, "ERRAND_POLICY_ALLOW_PRIVATE="+strings.TrimPrefix(site.URL, "http://"), "XDG_DATA_HOME="+t.TempDir(), "ERRAND_RUN_STEP_TIMEOUT_MS=5000")
	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open " + site.URL})
	if err != nil || r.Status != trace.Failed {
		t.Fatalf("at first: %s, %+v, %v", r.Status, r.Error, err)
	}
	close(slow)
	again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
	if err != nil || again.Status != trace.Done {
		t.Errorf("resumed: %s, %+v, %v", again.Status, again.Error, err)
	}
}

// TestPageIsReopened: a run that goes on, in another browser, first gets
// back to where it was, as long as all that led there only read and navigated.
func TestPageIsReopened(t *testing.T) {
	t.Run("resumed", func(t *testing.T) {
		s := newPagesSite(t)
		a, r := begun(t, s, stepTwo, stepWait)
		s.makeReady()
		again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
		if err != nil || again.Status != trace.Done || len(again.Steps) != 1 || again.Steps[0].StepID != "a3" {
			t.Fatalf("%s, %+v, %v: %+v", again.Status, again.Error, err, again.Steps)
		}
		if back := wentBack(t, a, r.RunID); !slices.Equal(back, []string{"a1", "a2"}) || s.times("GET /two") != 2 {
			t.Errorf("done again: %v; the page was asked for %d times", back, s.times("GET /two"))
		}
	})

	t.Run("resumed with a write", func(t *testing.T) {
		s := newPagesSite(t)
		a, r := begun(t, s, stepTwo, stepSend)
		s.makeReady()
		again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID, Yes: true})
		if err != nil || again.Status != trace.Done || s.times("POST /sent") != 1 {
			t.Errorf("%s, %+v, %v; sent %d times", again.Status, again.Error, err, s.times("POST /sent"))
		}
	})

	t.Run("what was done on it is not done twice", func(t *testing.T) {
		s := newPagesSite(t)
		a, r := begun(t, s, stepFill, stepTwo, stepWait)
		s.makeReady()
		for range 2 { // and it stays so
			again, err := a.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID, Yes: true})
			if err != nil || again.Status != trace.Failed || again.Error.Code != pagepath.CodePageGone || !again.Error.Recoverable ||
				!strings.Contains(say(again.Error.Message), "a2 (browser.fill)") || !strings.Contains(say(again.Error.Hint), "errand run --recipe r") {
				t.Fatalf("%s, %+v, %v", again.Status, again.Error, err)
			}
		}
		if s.times("GET /") != 1 || len(wentBack(t, a, r.RunID)) != 0 {
			t.Errorf("the site was asked %d times", s.times("GET /"))
		}
	})

	t.Run("policy is asked again", func(t *testing.T) {
		s := newPagesSite(t)
		a, r := begun(t, s, stepTwo, stepWait)
		s.makeReady()
		config := filepath.Join(t.TempDir(), "errand.toml")
		must.Succeed(t, os.WriteFile(config, []byte("[[policy.rules]]\nverdict = \"deny\"\ntool = \"browser.open\"\nreason = \"not any more\"\n"), 0o600))
		o := a.o
		o.Config.File = config
		later, err := Open(o)
		must.Succeed(t, err)
		defer later.Close()
		again, err := later.Resume(t.Context(), runs.ResumeRequest{ID: r.RunID})
		if err != nil || again.Status == trace.Done || again.Error == nil || !strings.Contains(say(again.Error.Message), "a1 was closed and could not be opened again: not any more") {
			t.Errorf("%s, %+v, %v", again.Status, again.Error, err)
		}
		if s.times("GET /") != 1 {
			t.Errorf("the site was asked %d times", s.times("GET /"))
		}
	})
}
