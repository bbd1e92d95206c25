//go:build unix

package browser_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/planner/message"
)

func TestOpen(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			rw.WriteHeader(http.StatusNotFound)
		}
		html(`<title>nvidia - results</title><body style="background:#0a7">`).ServeHTTP(rw, r)
	}))
	w.https("www.example", http.RedirectHandler("https://a.example/after?x=1", http.StatusMovedPermanently))
	w.http("plain.example", html("<p>no title"))
	w.https("script.example", html(`<script>location.replace("https://a.example/by-script")</script>`))
	w.https("meta.example", html(`<meta http-equiv="refresh" content="0;url=https://a.example/by-meta">`))
	b := w.launch()

	tests := []struct {
		name, url          string
		wantURL, wantTitle string
		wantStatus         int
	}{
		{"https", "https://a.example/results?q=nvidia", "https://a.example/results?q=nvidia", "nvidia - results", 200},
		{"redirect", "https://www.example/", "https://a.example/after?x=1", "nvidia - results", 200},
		{"an error page is a page", "https://a.example/missing", "https://a.example/missing", "nvidia - results", 404},
		{"http without a title", "http://plain.example/", "http://plain.example/", "", 200},
		{"redirect by script", "https://script.example/", "https://a.example/by-script", "nvidia - results", 200},
		{"redirect by meta", "https://meta.example/", "https://a.example/by-meta", "nvidia - results", 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page, err := b.Open(t.Context(), tt.url)
			must.Succeed(t, err)
			if page.URL != tt.wantURL || page.Title != tt.wantTitle || page.Status != tt.wantStatus {
				t.Errorf("page = %q, %q, %d, want %q, %q, %d", page.URL, page.Title, page.Status, tt.wantURL, tt.wantTitle, tt.wantStatus)
			}
		})
	}

	t.Run("picture", func(t *testing.T) {
		page, err := b.Open(t.Context(), "https://a.example/")
		must.Succeed(t, err)
		img, err := png.Decode(bytes.NewReader(page.Screenshot))
		must.Succeed(t, err)
		if size := img.Bounds().Size(); size.X != 1280 || size.Y < 600 {
			t.Errorf("picture is %v, want the width of 1280", size)
		}
		if r, g, bl, _ := img.At(640, 300).RGBA(); r>>8 != 0x00 || g>>8 != 0xaa || bl>>8 != 0x77 {
			t.Errorf("the middle of the picture is %x %x %x, want the page's 00 aa 77", r>>8, g>>8, bl>>8)
		}
	})
}

func TestOpenFailures(t *testing.T) {
	w := newWorld(t)
	ok := html("<title>ok</title>")
	w.https("a.example", ok)
	w.https("hop.example", http.RedirectHandler("https://forbidden.example/", http.StatusFound))
	w.https("script.example", html(`<title>here</title><script>setTimeout(() => location = "https://forbidden.example/x", 50)</script>`))
	w.https("file.example", http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Disposition", `attachment; filename="a.bin"`)
		_, _ = rw.Write(make([]byte, 1000))
	}))
	w.https("nothing.example", http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) }))
	w.https("tofile.example", http.RedirectHandler("file:///etc/passwd", http.StatusFound))
	w.https("forbidden.example", ok)
	w.https("crash.example", ok)
	b := w.launch(func(o *page.Options) {
		o.Decide = allowHosts("a.example", "hop.example", "script.example", "file.example", "nothing.example", "tofile.example",
			"missing.example", "crash.example")
	})

	tests := []struct {
		name, url   string
		wantClass   tool.Class
		wantCode    string
		wantMessage string // a part of it
	}{
		{"not allowed", "https://forbidden.example/", tool.PolicyDenied, "navigation_needs_approval", "forbidden.example is not allowed (test.unlisted)"},
		{"redirect to what is not allowed", "https://hop.example/", tool.PolicyDenied, "navigation_needs_approval", `follow the page to "https://forbidden.example/"`},
		{"the same by script", "https://script.example/", tool.PolicyDenied, "navigation_needs_approval", `follow the page to "https://forbidden.example/x"`},
		{"file", "file:///etc/passwd", tool.PolicyDenied, "navigation_denied", "file:"},
		{"redirect to file", "https://tofile.example/", tool.PolicyDenied, "navigation_denied", ""},
		{"data", "data:text/html,x", tool.PolicyDenied, "navigation_denied", "browser.scheme"},
		{"chrome", "chrome://settings", tool.PolicyDenied, "navigation_denied", "browser.scheme"},
		{"no scheme", "a.example", tool.PolicyDenied, "navigation_denied", "has no scheme"},
		{"unresolved, https", "https://missing.example/", tool.ToolUnavailable, "host_unreachable", "missing.example"},
		{"unresolved, http", "http://missing.example/", tool.ToolUnavailable, "name_not_resolved", "missing.example could not be resolved"},
		{"download", "https://file.example/", tool.PolicyDenied, "download_denied", ""},
		{"nothing to show", "https://nothing.example/", tool.ExecutionError, "page_aborted", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page, err := b.Open(t.Context(), tt.url)
			var e *tool.Error
			if !errors.As(err, &e) {
				t.Fatalf("Open = %q, %v; want a *tool.Error", page.Title, err)
			}
			if e.Class != tt.wantClass || e.Code != tt.wantCode || !strings.Contains(i18n.English().Text(e.Message), tt.wantMessage) {
				t.Errorf("error = %s %s %q\nwant %s %s …%q…", e.Class, e.Code, e.Message, tt.wantClass, tt.wantCode, tt.wantMessage)
			}
		})
	}
	if w.reached("forbidden.example") {
		t.Error("the proxy was asked for a host that interception had refused")
	}
	t.Run("and then it works", func(t *testing.T) {
		if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
			t.Error(err)
		}
	})
}

// TestExplain checks that the proxy's reason for a failed tunnel replaces the browser's error.
func TestExplain(t *testing.T) {
	w := newWorld(t)
	b := w.launch(func(o *page.Options) {
		o.Explain = func(hostport string) error {
			return tool.NewError(tool.ToolUnavailable, "name_not_resolved", message.New("network.name_not_resolved", "host", hostport))
		}
	})
	_, err := b.Open(t.Context(), "https://missing.example/")
	if got, want := fmt.Sprint(err), "network.name_not_resolved(host=missing.example:443)"; got != want {
		t.Errorf("error = %q, want %q", got, want)
	}
}

// TestHostilePages checks that pages that never finish loading end in a typed error or a
// screenshot, within their deadlines, and that the browser keeps working.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("a.example", html("<title>ok</title>"))
	w.https("endless.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		for {
			if _, err := io.WriteString(rw, strings.Repeat("<p>more</p>", 50)); err != nil {
				return
			}
			rw.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}))
	w.https("silent.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	w.https("dialogs.example", html(`<title>d</title><script>while (true) confirm("Buy?")</script>`))
	w.https("restless.example", html(`<title>r</title><meta http-equiv="refresh" content="0"><p>again`))
	w.https("busy.example", html(`<title>b</title><script>while (true) {}</script>`))
	w.https("chatty.example", html(`<title>chatty</title><script>setInterval(() => fetch("/x" + Math.random()), 20)</script>`))
	w.https("polite.example", html(`<title>polite</title><script>alert("hello"); document.title += String(confirm("sure?")) + prompt("name?", "x")</script>`))
	notes := &notebook{}
	b := w.launch(func(o *page.Options) { o.Note = notes.write })

	tests := []struct {
		name, url string
		want      string // title, or code of the error
	}{
		{"a page that polls is settled by the clock", "https://chatty.example/", "chatty"},
		{"dialogs are answered with no", "https://polite.example/", "politefalsenull"},
		{"endless response", "https://endless.example/", "page_timeout"},
		{"no response", "https://silent.example/", "page_timeout"},
		{"dialogs in a loop", "https://dialogs.example/", "dialog_loop"},
		{"a page that comes again and again", "https://restless.example/", "page_timeout"},
		{"script in a loop", "https://busy.example/", "page_timeout"},
	}
	// All at once, in one browser: none may delay another. (Parallel subtests
	// would take turns on a machine with few cores.)
	var all sync.WaitGroup
	for _, tt := range tests {
		all.Go(func() {
			began := time.Now()
			page, err := b.Open(t.Context(), tt.url)
			got := page.Title
			var e *tool.Error
			if errors.As(err, &e) {
				got = e.Code
			}
			if got != tt.want {
				t.Errorf("%s: Open = %q (%v), want %q", tt.name, got, err, tt.want)
			}
			if took := time.Since(began); took > poll.Patience {
				t.Errorf("%s: it took %s", tt.name, took)
			}
		})
	}
	all.Wait()
	if !notes.has("page", map[string]any{"event": "dialog_dismissed", "type": "confirm", "message": "Buy?"}) {
		t.Error("the dialog was not noted")
	}
	if page, err := b.Open(t.Context(), "https://a.example/"); err != nil || page.Title != "ok" {
		t.Errorf("afterwards: %q, %v", page.Title, err)
	}
}

func TestOpenCancelled(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.https("silent.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	b := w.launch()
	_, err := b.Open(ctx, "https://silent.example/")
	var e *tool.Error
	if !errors.As(err, &e) || e.Code != "interrupted" {
		t.Errorf("error = %v, want code interrupted", err)
	}
}
