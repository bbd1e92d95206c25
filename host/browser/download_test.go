//go:build unix

package browser_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/tool"
)

// filesOf serves files on a.example, some of them hostile, and a page with links to them. /slow
// sends half of the file, closes began, and continues when goOn is closed.
func filesOf(w *world) (began, goOn chan struct{}) {
	began, goOn = make(chan struct{}, 10), make(chan struct{})
	w.https("forbidden.example", http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, "secret") }))
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		attach := func(name, content string) {
			rw.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			_, _ = io.WriteString(rw, content)
		}
		endless := func(chunk int, pause time.Duration) {
			rw.Header().Set("Content-Disposition", "attachment")
			for {
				if _, err := rw.Write(make([]byte, chunk)); err != nil {
					return
				}
				rw.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
					return
				case <-time.After(pause):
				}
			}
		}
		switch r.URL.Path {
		case "/plain.txt":
			attach("plain.txt", "hello")
		case "/hostile":
			attach(`../../.ssh/invoice.pdf   .exe`, "MZ")
		case "/report.pdf":
			rw.Header().Set("Content-Type", "application/pdf")
			_, _ = io.WriteString(rw, "%PDF-1.4\n")
		case "/inline.png":
			rw.Header().Set("Content-Type", "image/png")
			rw.Header().Set("Content-Disposition", `inline; filename="pic.png"`)
			_, _ = io.WriteString(rw, "\x89PNG")
		case "/page":
			html("<title>a page</title>").ServeHTTP(rw, r)
		case "/hop":
			http.Redirect(rw, r, "/plain.txt", http.StatusFound)
		case "/astray":
			http.Redirect(rw, r, "https://forbidden.example/x", http.StatusFound)
		case "/", "/download/":
			html("<title>files</title>").ServeHTTP(rw, r)
		case "/missing":
			http.Error(rw, "no", http.StatusNotFound)
		case "/nothing":
			rw.WriteHeader(http.StatusNoContent)
		case "/empty":
			rw.Header().Set("Content-Length", "0")
		case "/empty.txt":
			attach("empty.txt", "")
			rw.(http.Flusher).Flush() // without a length
		case "/empty.html":
			rw.Header().Set("Content-Type", "text/html")
		case "/huge":
			rw.Header().Set("Content-Length", "500000000")
			rw.Header().Set("Content-Disposition", "attachment")
			for range 500 {
				if _, err := rw.Write(make([]byte, 1_000_000)); err != nil {
					return
				}
			}
		case "/endless":
			endless(200_000, time.Millisecond)
		case "/slow":
			rw.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
			_, _ = rw.Write(make([]byte, 1000))
			rw.(http.Flusher).Flush()
			began <- struct{}{}
			select {
			case <-goOn:
			case <-r.Context().Done():
			}
			_, _ = rw.Write(make([]byte, 1000))
		case "/broken":
			rw.Header().Set("Content-Length", "1000")
			rw.Header().Set("Content-Disposition", "attachment")
			_, _ = rw.Write(make([]byte, 500))
			rw.(http.Flusher).Flush()
			time.Sleep(300 * time.Millisecond)
			panic(http.ErrAbortHandler)
		case "/links":
			html(`<title>links</title><a href="/plain.txt" download>The text</a> <a href="/report.pdf">Our report</a> <a href="/hop">plain.txt</a>
				<a href="/report.pdf" target="_blank">In a window</a> <a href="/page">No file</a> <a href="/soon">Soon</a> <a href="/empty.txt" download>Empty</a>
				<button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob([])); a.download = 'blob.txt'; a.click()">Void</button>
				<button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['made here'])); a.download = 'made.txt'; a.click()">Make</button>
				<a href="https://forbidden.example/x" download>Astray</a><a href="/one/same.zip">1</a><a href="/two/same.zip">2</a>`).ServeHTTP(rw, r)
		case "/soon":
			html(`<title>soon</title><script>setTimeout(() => location = "/plain.txt", 200)</script>`).ServeHTTP(rw, r)
		case "/pushy":
			html(`<title>pushy</title><script>setInterval(() => location = "/plain.txt", 50)</script>`).ServeHTTP(rw, r)
		default:
			http.NotFound(rw, r)
		}
	}))
	return began, goOn
}

// downloader calls browser.download in a test browser with one granted folder.
type downloader struct {
	t     *testing.T
	w     *world
	b     *page.Browser
	dir   string // of the browser
	root  string
	set   *tool.Set
	notes *notebook

	began, goOn chan struct{} // of /slow
}

func newDownloader(t *testing.T) *downloader {
	w := newWorld(t)
	began, goOn := filesOf(w)
	d := &downloader{began: began, goOn: goOn, t: t, w: w, dir: t.TempDir(), root: filepath.Join(t.TempDir(), "Downloads"), notes: &notebook{}}
	d.b = w.launch(func(o *page.Options) {
		o.Dir, o.Note, o.Decide = d.dir, d.notes.write, allowHosts("a.example")
	})
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return d.b, nil }, Running: func(context.Context) *page.Browser { return d.b },
		Files: actions.Files{Roots: func() []string { return []string{d.root} }, Downloads: func() string { return d.root }},
	})...)
	must.Succeed(t, err)
	d.set = set
	return d
}

func (d *downloader) call(name string, args map[string]any) tool.Result {
	d.t.Helper()
	x, ok := d.set.Get(name)
	if !ok {
		d.t.Fatalf("there is no %s", name)
	}
	r, err := x.Call(d.t.Context(), tool.Call{Args: args})
	must.Succeed(d.t, err)
	return r
}

// clean checks that only finished downloads are left.
func (d *downloader) clean(want ...string) {
	d.t.Helper()
	defer d.emptied()
	var got []string
	entries, _ := os.ReadDir(d.root)
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		d.t.Errorf("in the folder: %q, want %q", got, want)
	}
}

// emptied checks that the browser's own folder has no downloads.
func (d *downloader) emptied() {
	d.t.Helper()
	if !poll.WaitUntil(func() bool {
		left, _ := filepath.Glob(d.dir + "/*/downloads/*")
		return len(left) == 0
	}) {
		left, _ := filepath.Glob(d.dir + "/*/downloads/*")
		d.t.Errorf("the browser's folder holds %q", left)
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	tests := []struct {
		name      string
		args      map[string]any
		want      string // the file's name
		wantURL   string
		wantBytes string
	}{
		{"an attachment", map[string]any{"url": "https://a.example/plain.txt"}, "plain.txt", "https://a.example/plain.txt", "hello"},
		{"again: nothing is overwritten", map[string]any{"url": "https://a.example/plain.txt"}, "plain (2).txt", "https://a.example/plain.txt", "hello"},
		{"a redirect", map[string]any{"url": "https://a.example/hop", "name": "hop.txt"}, "hop.txt", "https://a.example/plain.txt", "hello"},
		{"a name with a path, which hides what it is", map[string]any{"url": "https://a.example/hostile"}, "", "https://a.example/hostile", "MZ"},
		{"what would be shown", map[string]any{"url": "https://a.example/report.pdf"}, "report.pdf", "https://a.example/report.pdf", "%PDF-1.4\n"},
		{"what says that it is to be shown", map[string]any{"url": "https://a.example/inline.png"}, "pic.png", "https://a.example/inline.png", "\x89PNG"},
		{"a page", map[string]any{"url": "https://a.example/page", "name": "page.html"}, "page.html", "https://a.example/page", "<!doctype html><title>a page</title>"},
		{"a page that nobody named", map[string]any{"url": "https://a.example/"}, "a.example.html", "https://a.example/", "<!doctype html><title>files</title>"},
		{"another one", map[string]any{"url": "https://a.example/download/"}, "a.example (2).html", "https://a.example/download/", "<!doctype html><title>files</title>"},
		{"into a folder", map[string]any{"url": "https://a.example/plain.txt", "path": d.root + "/new/deep/"}, "plain.txt", "https://a.example/plain.txt", "hello"},
		{"by its whole path", map[string]any{"url": "https://a.example/plain.txt", "path": d.root + "/new/mine.txt"}, "mine.txt", "https://a.example/plain.txt", "hello"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := d.call("browser.download", tt.args)
			if !r.OK {
				t.Fatalf("%v (%s)", r.Error, r.Error.Hint)
			}
			p := r.Payload.(map[string]any)
			path := p["path"].(string)
			if tt.want != "" && filepath.Base(path) != tt.want || p["name"] != filepath.Base(path) || p["url"] != tt.wantURL {
				t.Errorf("payload = %v", p)
			}
			if !strings.HasPrefix(path, d.root+"/") || filepath.Clean(path) != path {
				t.Errorf("path %q is outside", path)
			}
			got, err := os.ReadFile(path)
			sum := sha256.Sum256(got)
			if err != nil || string(got) != tt.wantBytes || p["sha256"] != hex.EncodeToString(sum[:]) || p["size"] != int64(len(got)) {
				t.Errorf("%q, %v, payload %v", got, err, p)
			}
			if info, err := os.Stat(path); err != nil || info.Mode()&0o111 != 0 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if r.Undo == nil || r.Undo.Tool != "files.delete_file" || r.Undo.Args["path"] != path {
				t.Errorf("undo = %+v", r.Undo)
			}
			if tt.want == "" && filepath.Ext(path) != ".exe" {
				t.Errorf("%q hides what it is", path)
			}
		})
	}
}

func TestDownloadFromPage(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	tests := []struct {
		name string
		args map[string]any
		want string
	}{
		{"by its name", map[string]any{"file": "report.pdf"}, "report.pdf"},
		{"by the link's words", map[string]any{"file": "our report", "name": "words.pdf"}, "words.pdf"},
		{"a link that says so", map[string]any{"locator": map[string]any{"text": "The text"}}, "plain.txt"},
		{"a link to a PDF", map[string]any{"locator": map[string]any{"text": "Our report"}, "name": "clicked.pdf"}, "clicked.pdf"},
		{"a link that opens a window", map[string]any{"locator": map[string]any{"text": "In a window"}, "name": "window.pdf"}, "window.pdf"},
		{"what the page makes", map[string]any{"locator": map[string]any{"role": "button", "name": "Make"}}, "made.txt"},
		{"a page on the way", map[string]any{"locator": map[string]any{"text": "Soon"}, "name": "soon.txt"}, "soon.txt"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := d.b.Open(t.Context(), "https://a.example/links"); err != nil {
				t.Fatal(err)
			}
			r := d.call("browser.download", tt.args)
			if !r.OK {
				t.Fatalf("%v (%s)", r.Error, r.Error.Hint)
			}
			if name := r.Payload.(map[string]any)["name"]; name != tt.want {
				t.Errorf("name = %v, want %s", name, tt.want)
			}
		})
	}
	tabs, err := d.b.Tabs(t.Context())
	if err != nil || len(tabs) != len(tests) {
		t.Errorf("tabs = %v, %v: a window was left open", tabs, err)
	}
	t.Run("nothing is left allowed", func(t *testing.T) {
		_, err := d.b.Open(t.Context(), "https://a.example/plain.txt")
		wantError(t, err, tool.PolicyDenied, "download_denied", "")
	})
	d.clean("clicked.pdf", "made.txt", "plain.txt", "report.pdf", "soon.txt", "window.pdf", "words.pdf")
}

func TestDownloadFailures(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	outside := t.TempDir()
	must.Succeed(t, os.MkdirAll(d.root, 0o755))
	must.Succeed(t, os.Symlink(outside, filepath.Join(d.root, "out")))
	if _, err := d.b.Open(t.Context(), "https://a.example/links"); err != nil {
		t.Fatal(err)
	}
	url := func(path string, more ...any) map[string]any {
		a := map[string]any{"url": "https://a.example" + path}
		for i := 0; i+1 < len(more); i += 2 {
			a[more[i].(string)] = more[i+1]
		}
		return a
	}
	text := func(s string) map[string]any { return map[string]any{"locator": map[string]any{"text": s}} }
	tests := []struct {
		name        string
		args        map[string]any
		wantClass   tool.Class
		wantCode    string
		wantMessage string
	}{
		{"not allowed", map[string]any{"url": "https://forbidden.example/x"}, tool.PolicyDenied, "navigation_needs_approval", "forbidden.example"},
		{"redirect to what is not allowed", url("/astray"), tool.PolicyDenied, "navigation_needs_approval", "forbidden.example"},
		{"a link to what is not allowed", text("Astray"), "", "", "forbidden.example"},
		{"another scheme", map[string]any{"url": "file:///etc/passwd"}, tool.PolicyDenied, "navigation_denied", ""},
		{"500 MB, said to be", url("/huge"), tool.ExecutionError, "download_too_large", "at least 476 MiB"},
		{"without end", url("/endless", "max_bytes", 3_000_000), tool.ExecutionError, "download_too_large", "the limit is 2.9 MiB"},
		{"breaks off", url("/broken"), tool.ToolUnavailable, "download_broken", ""},
		{"an error page", url("/missing"), tool.ExecutionError, "http_error", "status 404"},
		{"nothing", url("/nothing"), tool.ExecutionError, "nothing_to_download", ""},
		{"nothing, said to be", url("/empty"), tool.ExecutionError, "nothing_to_download", "a.example answered with nothing"},
		{"nothing, attached", url("/empty.txt", "name", "mine.txt"), tool.ExecutionError, "nothing_to_download", ""},
		{"a page of nothing", url("/empty.html"), tool.ExecutionError, "nothing_to_download", ""},
		{"a link to nothing", text("Empty"), tool.ExecutionError, "nothing_to_download", ""},
		{"nothing that the page makes", text("Void"), tool.ExecutionError, "nothing_to_download", ""},
		{"a name that is a path", url("/plain.txt", "name", "../x"), tool.ValidationError, "bad_file_name", ""},
		{"a device", url("/plain.txt", "name", "con.txt"), tool.ValidationError, "bad_file_name", ""},
		{"outside of what is granted", url("/plain.txt", "path", outside+"/x"), tool.PolicyDenied, "path_outside_roots", ""},
		{"outside, by dots", url("/plain.txt", "path", d.root+"/../x"), tool.PolicyDenied, "path_outside_roots", ""},
		{"outside, by a link", url("/plain.txt", "path", d.root+"/out/x"), tool.ExecutionError, "file_not_saved", ""},
		{"neither url nor locator", map[string]any{"name": "x"}, tool.ValidationError, "invalid_args", ""},
		{"no such file on the page", map[string]any{"file": "none.zip"}, tool.ExecutionError, "no_such_file", ""},
		{"two of that name", map[string]any{"file": "same.zip"}, tool.ExecutionError, "ambiguous_file", "/one/same.zip, https://a.example/two/same.zip"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			began := time.Now()
			r := d.call("browser.download", tt.args)
			if r.OK {
				t.Fatalf("payload %v", r.Payload)
			}
			if tt.wantCode != "" {
				wantError(t, r.Error, tt.wantClass, tt.wantCode, tt.wantMessage)
			}
			if took := time.Since(began); took > poll.Patience {
				t.Errorf("it took %s", took)
			}
			t.Log(r.Error)
		})
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside: %v, %v", entries, err)
	}
	if d.w.reached("forbidden.example") {
		t.Error("the forbidden host was reached")
	}
	d.clean("out")
	t.Run("and then it works", func(t *testing.T) {
		if r := d.call("browser.download", url("/plain.txt")); !r.OK {
			t.Error(r.Error)
		}
	})
}

// TestOtherPagesCannotDownload checks that other pages can't download while one page may.
func TestOtherPagesCannotDownload(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	done := make(chan tool.Result, 1)
	go func() { done <- d.call("browser.download", map[string]any{"url": "https://a.example/slow"}) }()
	<-d.began
	_, _ = d.b.Open(t.Context(), "https://a.example/pushy")
	poll.Await(t, "what the other page begins is denied", func() bool {
		return d.notes.has("page", map[string]any{"event": "download_denied", "name": "plain.txt"})
	})
	close(d.goOn)
	r := <-done
	if !r.OK || r.Payload.(map[string]any)["size"] != int64(2000) {
		t.Errorf("%v, %v", r.Payload, r.Error)
	}
	d.clean("slow.bin")
}

// TestDownloadsAtTheEndOfAnother checks that downloads that other pages begin while a permitted
// one ends are deleted. Chromium's switch is still on then.
func TestDownloadsAtTheEndOfAnother(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	for range 3 {
		_, _ = d.b.Open(t.Context(), "https://a.example/pushy")
	}
	for range 12 {
		if r := d.call("browser.download", map[string]any{"url": "https://a.example/plain.txt"}); !r.OK {
			t.Fatal(r.Error)
		}
	}
	d.emptied()
}

// TestLateFilesOfDownloads checks that a denied download's file is deleted even if Chromium
// moves it to its place after the cancel.
func TestLateFilesOfDownloads(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	if r := d.call("browser.download", map[string]any{"url": "https://a.example/plain.txt"}); !r.OK {
		t.Fatal(r.Error)
	}
	folders, _ := filepath.Glob(d.dir + "/*/downloads")
	if len(folders) != 1 {
		t.Fatalf("folders %q", folders)
	}
	for _, name := range []string{"6b9b7b8f-d506-4c26-bec3-b037e6794b11", "6b9b7b8f-d506-4c26-bec3-b037e6794b12.crdownload"} {
		must.Succeed(t, os.WriteFile(filepath.Join(folders[0], name), []byte("late"), 0o600))
	}
	d.clean("plain.txt")
}

// TestDownloadCancelled checks that a cancelled download leaves no file.
func TestDownloadCancelled(t *testing.T) {
	t.Parallel()
	d := newDownloader(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-d.began
		cancel()
	}()
	x, _ := d.set.Get("browser.download")
	r, err := x.Call(ctx, tool.Call{Args: map[string]any{"url": "https://a.example/slow"}})
	if err != nil || r.OK || r.Error.Code != "interrupted" {
		t.Errorf("%v, %v", r.Error, err)
	}
	d.clean()
}

// TestForecastDownload checks that the forecast names the file's destination and writes nothing.
func TestForecastDownload(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.tar.gz", "a (2).tar.gz"} {
		must.Succeed(t, os.WriteFile(filepath.Join(root, name), nil, 0o600))
	}
	needed := actions.Files{Roots: func() []string { return []string{root} }, Downloads: func() string { return root }}
	set, err := tool.NewSet(actions.New(actions.Options{Files: needed})...)
	must.Succeed(t, err)
	x, _ := set.Get("browser.download")
	for _, tt := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"url": "https://a.example/b/c.zip"}, ", under the site's file name or as c.zip"},
		{map[string]any{"url": "https://a.example/"}, ", under the site's file name or as a.example"},
		{map[string]any{"file": "c.zip"}, ", under the site's file name"},
		{map[string]any{"url": "https://a.example/", "name": "a.tar.gz"}, " as a (3).tar.gz, because a.tar.gz exists"},
	} {
		f, err := x.(tool.Forecaster).Forecast(t.Context(), tool.Call{Args: tt.args})
		if note, want := i18n.English().Text(f.Note), "up to 190 MiB, into "+root+tt.want; err != nil || note != want {
			t.Errorf("%v: %q, want %q, %v", tt.args, note, want, err)
		}
	}
	f, err := x.(tool.Forecaster).Forecast(t.Context(), tool.Call{Args: map[string]any{"url": "https://a.example/", "max_bytes": 5000.0, "name": "a.zip"}})
	if err != nil || !f.Reversible || i18n.English().Text(f.Note) != "up to 4.9 KiB, into "+root+" as a.zip" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := x.(tool.Forecaster).Forecast(t.Context(), tool.Call{Args: map[string]any{"url": "https://a.example/", "path": "/elsewhere/"}}); err == nil {
		t.Error("a folder that is not granted has a forecast")
	}
	if !bytes.Contains(x.Spec().ArgsSchema, []byte("max_bytes")) || x.Spec().Opens[0] != "url" {
		t.Errorf("spec = %+v", x.Spec())
	}
}
