//go:build unix

package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/chromium"
	"errand/host/browser/page"
	"errand/host/tool"
	"errand/policy"
)

// personal is a browser that the user started. The world's names lead to its servers without a
// proxy.
type personal struct {
	t    *testing.T
	port string
	ws   string
}

func (w *world) personal(t *testing.T, open string) *personal {
	t.Helper()
	needsChromium(t)
	bin, _, err := chromium.Find("")
	must.Succeed(t, err)
	var maps []string
	w.mu.Lock()
	for name, addr := range w.routes {
		maps = append(maps, "MAP "+name+" "+addr)
	}
	w.mu.Unlock()
	dir := t.TempDir()
	args := []string{
		"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + dir, "--no-first-run", "--disable-component-update",
		"--host-resolver-rules=" + strings.Join(maps, ","), "--ignore-certificate-errors-spki-list=" + w.spki,
	}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(bin, append(args, open)...)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() {
		_, _ = cmd.Process.Kill(), cmd.Wait()
		poll.WaitUntil(func() bool { return len(processesOf(dir)) == 0 })
	})
	p := &personal{t: t}
	if !poll.WaitUntil(func() bool {
		b, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		lines := strings.Split(string(b), "\n")
		if err != nil || len(lines) < 2 {
			return false
		}
		p.port, p.ws = lines[0], "ws://127.0.0.1:"+lines[0]+lines[1]
		return true
	}) {
		t.Fatal("the person's browser did not start")
	}
	if !poll.WaitUntil(func() bool { return slices.Contains(p.pages(), open) }) {
		t.Fatalf("the person's page is not there: %v", p.pages())
	}
	return p
}

// pages returns the URLs of all pages that the browser shows.
func (p *personal) pages() []string {
	res, err := http.Get("http://127.0.0.1:" + p.port + "/json/list")
	if err != nil {
		return nil
	}
	defer res.Body.Close()
	var list []struct{ Type, URL string }
	_ = json.NewDecoder(res.Body).Decode(&list)
	var urls []string
	for _, e := range list {
		if e.Type == "page" {
			urls = append(urls, e.URL)
		}
	}
	slices.Sort(urls)
	return urls
}

func (p *personal) attach(change ...func(*page.Options)) *page.Browser {
	p.t.Helper()
	o := page.Options{Decide: allowAll}
	for _, c := range change {
		c(&o)
	}
	b, err := page.Attach(p.t.Context(), o, chromium.DevTools{URL: p.ws, Dialer: &net.Dialer{}})
	must.Succeed(p.t, err)
	p.t.Cleanup(func() {
		if err := b.Close(); err != nil {
			p.t.Error(err)
		}
	})
	return b
}

// TestAttach checks that requests of pages opened in the user's own browser are decided as far as
// possible, and that other pages are left alone.
func TestAttach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var mu sync.Mutex
	hits := map[string]int{}
	hit := func(name string) int { mu.Lock(); defer mu.Unlock(); return hits[name] }
	serve := func(host string, h http.Handler) {
		w.https(host, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			mu.Lock()
			hits[host+r.URL.Path]++
			mu.Unlock()
			h.ServeHTTP(rw, r)
		}))
	}
	serve("mine.example", html(`<title>mine</title><script>setInterval(() => fetch("/tick"), 100)</script>`))
	serve("a.example", html(`<title>a</title><style>body{margin:0} button{position:fixed;inset:0;width:100vw}</style>
		<img src="https://forbidden.example/img"><iframe src="https://forbidden.example/frame"></iframe>
		<script>fetch("https://forbidden.example/fetch"); new Worker(URL.createObjectURL(new Blob(['fetch("https://forbidden.example/worker")'])))</script>
		<button onclick="window.open('https://forbidden.example/popup')"></button>`))
	serve("b.example", html(`<title>b</title><iframe src="https://frame.example/"></iframe>`))
	serve("frame.example", html(`<img src="https://forbidden.example/img-in-frame">`))
	serve("hop.example", http.RedirectHandler("https://forbidden.example/hop", http.StatusFound))
	serve("forbidden.example", html("<title>no</title>"))
	p := w.personal(t, "https://mine.example/")
	notes := &notebook{}
	b := p.attach(func(o *page.Options) {
		o.Note = notes.write
		o.Decide = func(r policy.Request) policy.Decision {
			if strings.Contains(r.URL, "mine.example") {
				t.Errorf("asked about the person's own page: %s", r.URL)
			}
			return allowHosts("a.example", "b.example", "frame.example", "hop.example")(r)
		}
	})
	if info := b.Info(); !info.Attached || info.PID != 0 || !strings.HasPrefix(info.Product, "Chrome/") && !strings.HasPrefix(info.Product, "HeadlessChrome/") {
		t.Errorf("Info = %+v", info)
	}
	if !notes.has("browser", map[string]any{"network_policy": "not enforced"}) {
		t.Error("the record does not say that the policy is not enforced")
	}

	if page, err := b.Open(t.Context(), "https://a.example/"); err != nil || page.Title != "a" || len(page.Screenshot) == 0 {
		t.Fatalf("Open = %q, %v", page.Title, err)
	}
	must.Succeed(t, click(t.Context(), b, "https://a.example/", 100, 100))
	if !poll.WaitUntil(func() bool { return notes.has("page", map[string]any{"event": "popup_closed"}) }) {
		t.Errorf("the popup was not closed: %v", p.pages())
	}
	if page, err := b.Open(t.Context(), "https://b.example/"); err != nil || page.Title != "b" {
		t.Fatalf("Open = %q, %v", page.Title, err)
	}
	_, err := b.Open(t.Context(), "https://hop.example/")
	wantError(t, err, tool.PolicyDenied, "navigation_needs_approval", "follow the page to")
	_, err = b.Open(t.Context(), "https://forbidden.example/")
	wantError(t, err, tool.PolicyDenied, "navigation_needs_approval", "")
	poll.SettleDown()
	for _, way := range []string{"img", "frame", "fetch", "worker", "img-in-frame", "hop", ""} {
		if n := hit("forbidden.example/" + way); n > 0 {
			t.Errorf("/%s reached the forbidden host", way)
		}
	}
	if hit("frame.example/") == 0 {
		t.Error("the frame was not loaded: this shows less than it should")
	}

	before := hit("mine.example/tick")
	if !poll.WaitUntil(func() bool { return hit("mine.example/tick") > before }) {
		t.Error("the person's own page stands still")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if !poll.WaitUntil(func() bool { return fmt.Sprint(p.pages()) == "[https://mine.example/]" }) {
		t.Errorf("pages after Close: %v", p.pages())
	}
	before = hit("mine.example/tick")
	if !poll.WaitUntil(func() bool { return hit("mine.example/tick") > before }) {
		t.Error("the person's browser or page is gone")
	}

	t.Run("a page that is left to the person", func(t *testing.T) {
		b := p.attach(func(o *page.Options) { o.Show = true })
		if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		poll.SettleDown()
		if got := fmt.Sprint(p.pages()); !strings.Contains(got, "https://a.example/") {
			t.Errorf("pages after Close: %s", got)
		}
	})
	t.Run("the browser goes away", func(t *testing.T) {
		b := p.attach()
		res, err := http.Get("http://127.0.0.1:" + p.port + "/json/version")
		must.Succeed(t, err)
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		_ = proto.BrowserClose{}.Call(b.Root(t.Context()))
		if !poll.WaitUntil(func() bool { return !b.IsAlive() }) {
			t.Fatal("the browser is said to be alive")
		}
		_, err = b.Open(t.Context(), "https://a.example/")
		wantError(t, err, tool.ExecutionError, "browser_died", "your own")
	})
}

func TestAttachRefuses(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	address := closed.Addr().String()
	closed.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer silent.Close()
	tests := []struct {
		name     string
		at       chromium.DevTools
		wantCode string
	}{
		{"zero value", chromium.DevTools{}, "cdp_invalid"},
		{"nothing to dial with", chromium.DevTools{URL: "ws://127.0.0.1:1/"}, "cdp_invalid"},
		{"nobody there", chromium.DevTools{URL: "ws://" + address + "/devtools/browser/1", Dialer: &net.Dialer{}}, "cdp_unreachable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			b, err := page.Attach(ctx, page.Options{}, tt.at)
			if b != nil {
				t.Error("there is a browser")
			}
			var class tool.Class = tool.ToolUnavailable
			if tt.wantCode == "cdp_invalid" {
				class = tool.ValidationError
			}
			wantError(t, err, class, tt.wantCode, "")
		})
	}
}
