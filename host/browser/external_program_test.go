//go:build unix

package browser_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"errand/host/browser/page"
)

// TestNoExternalProgram checks that a page can't start a program of the desktop with a link, a
// frame or a script, not even a mail program, which Chromium starts without a prompt.
func TestNoExternalProgram(t *testing.T) {
	programs := t.TempDir()
	started := filepath.Join(programs, "started")
	for _, name := range []string{"xdg-open", "xdg-email", "xdg-settings", "xdg-mime", "gio", "kde-open", "exo-open", "gnome-open", "sensible-browser"} {
		script := "#!/bin/sh\necho " + name + " \"$@\" >> " + started + "\nexit 1\n"
		if err := os.WriteFile(filepath.Join(programs, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	pages := map[string]string{
		"/frames": `<iframe src="mailto:frame@example.com"></iframe><iframe src="news:frame"></iframe><iframe src="snews://frame/x"></iframe>`,
		"/link":   `<a href="mailto:link@example.com?subject=x&attach=/etc/passwd">Go</a>`,
		"/news":   `<a href="news:link">Go</a>`,
		"/window": `<button onclick="open('mailto:window@example.com')">Go</button>`,
		"/form":   `<form action="mailto:form@example.com" method=post><button name=x>Go</button></form>`,
		"/get":    `<form action="mailto:form@example.com"><button name=x>Go</button></form>`,
		"/snews":  `<a href="snews://link/x">Go</a>`,
		"/script": `<script>["mailto:script@example.com", "news:script", "tel:123", "x-unknown:123", "ftp://a.example/x", "webcal://a.example/x"]
			.forEach((to, i) => setTimeout(() => location = to, 100 * i))</script>`,
	}
	notes := &notebook{}
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { html(pages[r.URL.Path]).ServeHTTP(rw, r) }))
	h := newHands(t, w.launch(func(o *page.Options) { o.Decide, o.Note = allowHosts("a.example"), notes.write }))
	for _, path := range []string{"/frames", "/link", "/news", "/window", "/form", "/get", "/snews", "/script"} {
		h.call("open", `{"url": "https://a.example`+path+`"}`)
		if path != "/frames" && path != "/script" {
			h.call("click", `{"locator": {"text": "Go"}}`)
		}
		h.call("wait", `{"text": "never", "timeout_ms": 800}`)
	}
	note := notes.has("connection", map[string]any{"rule": "test.unlisted", "url": "https://program.invalid/?mailto%3Alink%40example.com%3Fsubject%3Dx%26attach%3D%2Fetc%2Fpasswd"})
	if !note {
		t.Errorf("the refused link is not noted: %v", notes.lines)
	}
	if got, err := os.ReadFile(started); err == nil {
		t.Errorf("the page started:\n%s", got)
	}
}
