package cli

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"errand/build/tier"
)

// hostilePages serves pages that try to take the window, or to leave the web.
func hostilePages(visits *visitCount) *http.ServeMux {
	mux := titles(visits)
	for path, script := range map[string]string{
		"/spawn":   `for (let i = 0; i < 1000; i++) window.open("/x" + i); setInterval(() => window.open("/y"), 1)`,
		"/dialogs": `for (let i = 0; i < 20; i++) { alert(i); confirm(i); prompt(i) }; onbeforeunload = e => { e.preventDefault(); return "stay" }`,
		"/close":   `window.close(); open("", "_self"); window.close()`,
		"/file":    `location = "file:///etc/passwd"`,
		"/chrome":  `location = "chrome://settings"`,
		"/busy":    `setTimeout(() => { for (;;) {} }, 300)`,
		"/title":   `document.title = "\x1b]0;owned\x07\x1b[2J\u202e delete file a.txt"`,
		"/forward": `setInterval(() => history.pushState({}, "", "/p" + Math.random()), 1)`,
		"/leave":   `location = "http://169.254.169.254/latest/meta-data"`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			visits.add(r.URL.Path)
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<!doctype html><title>at %s</title><h1>%s</h1><script>%s</script>", r.URL.Path, r.URL.Path, script)
		})
	}
	return mux
}

// TestHostilePages opens pages that try to fill the window, to hold it, or to leave the web. Each goal ends,
// the next one works, and nothing of this machine is shown. The shorter tier has some of the pages.
func TestHostilePages(t *testing.T) {
	visits := new(visitCount)
	s := newScreen(t, hostilePages(visits))
	paths := []string{"/dialogs", "/title", "/file", "/spawn", "/close", "/chrome", "/leave", "/forward", "/busy"}
	for _, path := range paths[:tier.Size(4, len(paths))] {
		start := time.Now()
		out, _ := s.command("open " + s.site + path).CombinedOutput() // it may fail, because of the page
		if took := time.Since(start); took > 60*time.Second {
			t.Errorf("%s took %s", path, took)
		}
		if strings.ContainsAny(string(out), "\x1b\x07\u202e") || strings.Contains(string(out), "root:") {
			t.Errorf("%s prints %q", path, out)
		}
		shown, _ := s.command("context").CombinedOutput()
		if strings.ContainsAny(string(shown), "\x1b\x07\u202e") || strings.Contains(string(shown), "file:///") {
			t.Errorf("context after %s: %q", path, shown)
		}
		if n, err := strconv.Atoi(s.pages()); err != nil || n > 40 {
			t.Errorf("%d pages after %s", n, path)
		}
		next := s.command("open " + s.site + "/next" + path)
		if out, err := next.CombinedOutput(); err != nil || !strings.Contains(string(out), "Opened "+s.site+"/next") {
			t.Errorf("after %s: %v\n%s", path, err, out)
		}
		if visits.of("/next"+path) != 1 {
			t.Errorf("the page after %s was loaded %d times", path, visits.of("/next"+path))
		}
	}
}
