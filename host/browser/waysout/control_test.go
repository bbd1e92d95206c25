//go:build unix

package waysout_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/browser/chromium"
	"errand/host/browser/waysout"
)

// TestRoutesLeadOutUnguarded checks that the ways lead out of an unprotected browser. Otherwise
// the egress test would prove nothing.
func TestRoutesLeadOutUnguarded(t *testing.T) {
	site, err := waysout.Start(t.Context())
	must.Succeed(t, err)
	defer site.Close()
	bare(t, site)
	wait, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	barred := site.Barred()
	for {
		r := site.Report()
		var missing []string
		for _, o := range r.Ways {
			if o.Hits == 0 && !slices.Contains(barred, o.Name) {
				missing = append(missing, o.Name)
			}
		}
		if len(missing) == 0 {
			break
		}
		select {
		case <-time.After(100 * time.Millisecond):
			continue
		case <-wait.Done():
		}
		t.Errorf("no way out of %d: %v", len(r.Ways), missing)
		break
	}
	r := site.Report()
	for _, o := range r.Ways {
		if slices.Contains(barred, o.Name) && o.Hits > 0 {
			t.Errorf("%s leads out now: it is no longer barred", o.Name)
		}
		if o.Error != "" {
			t.Log(o.Name, o.Error)
		}
	}
	if u := r.NotTried(); len(u) > 0 {
		t.Errorf("untried: %v", u)
	}
	t.Logf("%d of %d ways lead out of a bare browser", len(r.Hits()), len(r.Ways))
}

// bare starts a Chromium without protection at the site's pages.
func bare(t *testing.T, site *waysout.Site) {
	t.Helper()
	bin, _, err := chromium.Find("")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	var rules []string
	for hostPort, a := range site.Hosts() {
		rules = append(rules, fmt.Sprintf("MAP %s %s", hostPort, a))
	}
	for _, name := range []string{waysout.Private, waysout.Mixed, "unlisted.errand.example"} {
		rules = append(rules, "MAP "+name+" 127.0.0.1")
	}
	rules = append(rules, "MAP *.example ~NOTFOUND", "MAP *.com ~NOTFOUND")
	args := []string{
		"--headless=new", "--user-data-dir=" + filepath.Join(t.TempDir(), "data"), "--no-first-run",
		"--host-resolver-rules=" + strings.Join(rules, ","), "--ignore-certificate-errors-spki-list=" + site.SPKI(),
		"--disable-popup-blocking", "--autoplay-policy=no-user-gesture-required", "--short-reporting-delay",
		"--disable-background-networking", "--disable-component-update",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	// Without a window it opens only one address, whose page opens the others.
	pages := must.JSON(t, site.Pages())
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<script>%s.forEach(u => open(u, "", "noopener,popup"))</script>`, pages)
	}))
	t.Cleanup(first.Close)
	cmd := exec.Command(bin, append(args, first.URL)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
}
