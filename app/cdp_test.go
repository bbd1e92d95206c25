package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"errand/app/doctor"
	"errand/app/runs"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/trace"
	"errand/planner/plan"
)

// ownBrowser starts a browser as a person would for `cdp`, and answers its
// address.
func ownBrowser(t *testing.T) string {
	t.Helper()
	bin := needsBrowser(t)
	dir := t.TempDir()
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + dir, "--no-first-run"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(bin, args...)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() {
		_, _ = cmd.Process.Kill(), cmd.Wait()
		poll.WaitUntil(func() bool { return os.RemoveAll(dir) == nil }) // its children write into the folder until they notice
	})
	var port string
	poll.Await(t, "the browser starts", func() bool {
		b, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		var ok bool
		port, _, ok = strings.Cut(string(b), "\n")
		return err == nil && ok
	})
	return "http://127.0.0.1:" + port
}

// TestOwnBrowser: a run in the person's own browser says in its result, in its
// record and at the doctor's that the network policy is not enforced, and what
// can be decided is.
func TestOwnBrowser(t *testing.T) {
	at := ownBrowser(t)
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(rw, "<!doctype html><title>mine</title><p>hello")
	}))
	defer site.Close()
	address := strings.TrimPrefix(site.URL, "http://")
	a, _ := opened(t, Options{}, "ERRAND_BROWSER_CDP="+at, "ERRAND_POLICY_ALLOW_PRIVATE="+address)

	r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open " + site.URL + "/"})
	if err != nil || r.Status != trace.Done || r.NetworkPolicy != "not enforced" {
		t.Fatalf("Run = %s, %q, %v, %v", r.Status, r.NetworkPolicy, r.Error, err)
	}
	rec, err := a.Record(t.Context(), r.RunID)
	must.Succeed(t, err)
	if sum, noted := trace.EgressOf(rec); !noted || !sum.Unenforced {
		t.Errorf("egress = %+v, %t", sum, noted)
	}
	noted := false
	for _, e := range rec.Events {
		noted = noted || e.Kind == "browser" && e.Data["network_policy"] == "not enforced"
	}
	if !noted {
		t.Error("the record's events do not say it")
	}
	if r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open http://127.0.0.1:1/"}); err != nil || r.Status != trace.Denied {
		t.Errorf("an address that is not allowed = %s, %v", r.Status, err)
	}
	for _, c := range a.Doctor().Check(t.Context()) {
		switch {
		case c.Name == "own browser" && (c.Status != doctor.Warn || !strings.Contains(say(c.Detail), "network policy not enforced") || !strings.Contains(say(c.Detail), "Chrome/")):
			t.Errorf("doctor: %+v", c)
		case c.Name == "browser":
			t.Errorf("doctor looks for a browser that is not used: %+v", c)
		}
	}
}

// TestOwnBrowserMissing: what listens at the address is no browser, or
// nothing does.
func TestOwnBrowserMissing(t *testing.T) {
	elsewhere := httptest.NewServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	defer elsewhere.Close()
	odd := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(rw, `{"webSocketDebuggerUrl": "http://192.0.2.1/devil"}`)
	}))
	defer odd.Close()
	for _, at := range []string{elsewhere.URL, odd.URL, "http://127.0.0.1:1", "ws://127.0.0.1:1/devtools/browser/1"} {
		a, _ := opened(t, Options{}, "ERRAND_BROWSER_CDP="+at, "ERRAND_POLICY_ALLOW_PRIVATE=127.0.0.1:19999")
		r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open http://127.0.0.1:19999/"})
		if err != nil || r.Status != trace.Failed || r.Error.Code != "cdp_unreachable" || r.NetworkPolicy != "" {
			t.Errorf("%s: %s, %v, %v", at, r.Status, r.Error, err)
		}
	}
}
