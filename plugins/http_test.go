package plugins_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/tool"
	"errand/host/wasm"
)

// web is a site with http.fetch, which reaches nothing else. A page is a body after
// its Content-Type, its Content-Encoding where it has one, and an empty line, as on the
// wire; or "-> " and where it moved to.
func web(t *testing.T, pages map[string]string) (fetch func(path string, pairs ...any) tool.Result) {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			page = "text/html\n\n<h1>Not here</h1>"
		}
		kind, body, _ := strings.Cut(page, "\n\n")
		kind, encoding, _ := strings.Cut(kind, "\nContent-Encoding: ")
		w.Header().Set("Errand-Url", "https://forged.example/") // the host's word counts, and no server's
		if to, moved := strings.CutPrefix(kind, "-> "); moved {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		w.Header()["Content-Type"] = nil
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
		}
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(site.Close)
	h := wasm.New(wasm.Options{
		CacheDir: cache, KeyFile: cache + ".key",
		Client: func(string, []string) *http.Client { return site.Client() },
	})
	t.Cleanup(func() { h.Close(context.Background()) })
	p, err := h.LoadBundled(os.DirFS(filepath.Join(built, "http")))
	must.Succeed(t, err)
	return func(path string, pairs ...any) tool.Result {
		t.Helper()
		r, err := p.Tools()[0].Call(t.Context(), tool.Call{Tool: "http.fetch", Args: args(append([]any{"url", site.URL + path}, pairs...)...)})
		must.Succeed(t, err)
		return r
	}
}

const article = `text/html; charset=utf-8

<!doctype html><html><head><title> A  page </title><base href="/dir/"><style>p{color:red}</style><script>var x="<p>no</p>"</script></head>
<body><nav><a href="one">One</a> <a href="/two?a=1#f">Two</a></nav>
<h1>Head<em>line</em></h1><p>First   line<br>second <b>bold</b> &amp; &lt;i&gt; <code>x()</code>
<p hidden>hidden one<p style="color:red; DISPLAY : none">hidden two<p>shown<span aria-hidden="true">hidden three</span>
<noscript>hidden four</noscript><template>hidden five</template><!-- hidden six --><svg><text>hidden seven</text></svg><textarea>typed</textarea>
<ul><li>a<li>b<ol><li>b1<li>b2</ol></ul>
<table><tr><th>k<th>v<tr><td>1<td>2</table><pre>if x:
    y</pre><blockquote>said</blockquote><a href="javascript:alert(1)">no link</a></body></html>`

func TestFetch(t *testing.T) {
	text := "One Two\n\nHeadline\n\nFirst line\nsecond bold & <i> x()\n\nshown typed\n\n- a\n- b\n  1. b1\n  2. b2\n\nk | v\n1 | 2\n\nif x:\n    y\n\n  said\n\nno link"
	markdown := "[One](%[1]s/dir/one) [Two](%[1]s/two?a=1)\n\n# Head*line*\n\nFirst line\nsecond **bold** & <i> `x()`\n\nshown typed\n\n- a\n- b\n  1. b1\n  2. b2\n\nk | v\n1 | 2\n\n```\nif x:\n    y\n```\n\n> said\n\nno link"
	pages := map[string]string{
		"/article": article,
		"/1251":    "text/html; charset=windows-1251\n\n<title>\xcf\xf0\xe8\xe2\xe5\xf2</title><p>\xec\xe8\xf0",
		"/meta":    "text/html\n\n<meta http-equiv=content-type content='text/html; charset=koi8-r'><p>\xcd\xc9\xd2",
		"/latin":   "text/html\n\n<p>caf\xe9 \x80",
		"/bom":     "text/html; charset=latin1\n\n\xef\xbb\xbf<p>мир",
		"/sjis":    "text/html; charset=shift_jis\n\n<p>\x93\xfa\x96\x7b",
		"/bare":    "\n\n<!DOCTYPE html><p>bare",
		"/json":    "application/json\n\n {\"a\": \"<b>\"}\n",
		"/feed":    "application/rss+xml\n\n<rss/>",
		"/pdf":     "application/pdf\n\n%PDF-1.7",
		"/lie":     "text/plain\n\n\x00\x01\x02",
		"/png":     "\n\n\x89PNG\r\n\x1a\n\x00\x00",
		"/empty":   "text/html\n\n",
	}
	fetch := web(t, pages)
	base := fetch("/empty").Payload.(map[string]any)["url"].(string)
	base = strings.TrimSuffix(base, "/empty")
	tests := []struct {
		name, path string
		args       []any
		want       map[string]any // of the payload, beside the url and bytes
		code       string
	}{
		{"text", "/article", nil, args("title", "A page", "text", text, "charset", "UTF-8", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"markdown", "/article", args2("format", "markdown"), args("title", "A page", "text", fmt.Sprintf(markdown, base), "charset", "UTF-8", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"links", "/article", args2("links", true, "max_bytes", 8), args(
			"title", "A page", "text", "One Two", "charset", "UTF-8", "content_type", "text/html", "status", 200.0, "truncated", true,
			"links", []any{args("text", "One", "url", base+"/dir/one"), args("text", "Two", "url", base+"/two?a=1")}), ""},
		{"not found", "/gone", nil, args("title", "", "text", "Not here", "charset", "UTF-8", "content_type", "text/html", "status", 404.0, "truncated", false), ""},
		{"windows-1251", "/1251", nil, args("title", "Привет", "text", "мир", "charset", "windows-1251", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"its own word", "/meta", nil, args("title", "", "text", "мир", "charset", "KOI8-R", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"no word", "/latin", nil, args("title", "", "text", "café €", "charset", "windows-1252", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"a mark", "/bom", nil, args("title", "", "text", "мир", "charset", "UTF-8", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"japanese", "/sjis", nil, args("title", "", "text", "日本", "charset", "Shift_JIS", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
		{"no kind", "/bare", nil, args("title", "", "text", "bare", "charset", "UTF-8", "content_type", "", "status", 200.0, "truncated", false), ""},
		{"json", "/json", nil, args("text", `{"a": "<b>"}`, "charset", "UTF-8", "content_type", "application/json", "status", 200.0, "truncated", false), ""},
		{"xml", "/feed", nil, args("text", "<rss/>", "charset", "UTF-8", "content_type", "application/rss+xml", "status", 200.0, "truncated", false), ""},
		{"cut in whole characters", "/bom", args2("max_bytes", 3), args("title", "", "text", "м", "charset", "UTF-8", "content_type", "text/html", "status", 200.0, "truncated", true), ""},
		{"pdf", "/pdf", nil, nil, "not_text"},
		{"said to be text", "/lie", nil, nil, "not_text"},
		{"binary of no kind", "/png", nil, nil, "not_text"},
		{"empty", "/empty", nil, args("title", "", "text", "", "charset", "UTF-8", "content_type", "text/html", "status", 200.0, "truncated", false), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := fetch(tt.path, tt.args...)
			if codeOf(r) != tt.code {
				t.Fatalf("code %q, want %q: %+v", codeOf(r), tt.code, r.Error)
			}
			if tt.code != "" {
				if !r.Error.Recoverable || r.Error.Hint.IsZero() {
					t.Errorf("%+v says nothing to do", r.Error)
				}
				return
			}
			got := r.Payload.(map[string]any)
			delete(got, "url")
			delete(got, "bytes")
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("payload (-want +got):\n%s", d)
			}
		})
	}
}

func args2(pairs ...any) []any { return pairs }

// TestFetchHostile: pages that are made to take time and memory are read as far as
// that goes, and what is hidden stays so.
func TestFetchHostile(t *testing.T) {
	const html = "text/html\n\n"
	many := func(n int, f string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(f, "#", "%[1]d"), i)
		}
		return b.String()
	}
	pages := map[string]string{
		"/megabytes":  html + strings.Repeat("<p>some words of a page that has many, </p>\n", 60_000),
		"/deep":       html + strings.Repeat("<div>", 200_000) + "bottom",
		"/deep-lists": html + strings.Repeat("<ul><li>", 100_000) + "bottom",
		"/formatting": html + many(2000, "<b class=c#>") + strings.Repeat("<p>x", 100_000),
		"/attributes": html + "<p " + many(200_000, "a#=1 ") + ">after",
		"/unclosed":   html + "<p>before<script>" + strings.Repeat("x", 4<<20),
		"/entities":   html + strings.Repeat("&amp;&notit;&#0;&#xD800;", 30_000),
		"/tables":     html + strings.Repeat("<table><tr>x", 20_000),
		"/spaces":     html + "a" + strings.Repeat(" \n", 1<<19) + "b",
		"/title":      html + "<title>" + strings.Repeat("t", 1<<20),
	}
	fetch := web(t, pages)
	for path := range pages {
		t.Run(path[1:], func(t *testing.T) {
			r := fetch(path)
			if !r.OK {
				t.Fatal(r.Error)
			}
			got := r.Payload.(map[string]any)
			if text := got["text"].(string); len(text) > 64<<10 {
				t.Errorf("%d bytes of text", len(text))
			}
			if title, _ := got["title"].(string); len(title) > 1000 {
				t.Errorf("%d bytes of title", len(title))
			}
		})
	}
}

// TestFetchRefused: what the host refuses stays refused, in the host's words.
func TestFetchRefused(t *testing.T) {
	fetch := web(t, nil)
	if r := fetch("", "url", "ftp://example.org/"); codeOf(r) != "bad_url" || r.Error.Class != tool.ValidationError {
		t.Errorf("%+v", r.Error)
	}
	if r := fetch("", "url", "http://127.0.0.1:1/"); codeOf(r) != "http_failed" || r.Error.Class != tool.ToolUnavailable {
		t.Errorf("%+v", r.Error)
	}
}

// TestFetchNoText: what is no text is said to be what it is.
func TestFetchNoText(t *testing.T) {
	fetch := web(t, map[string]string{
		"/lie":     "text/html\n\n\x00\x01\x02",
		"/png":     "image/png\n\n\x89PNG\r\n\x1a\n\x00\x00",
		"/unknown": "\n\n\x89PNG\r\n\x1a\n\x00\x00",
		"/encoded": "text/html\nContent-Encoding: zstd\n\n\x28\xb5\x2f\xfd\x00\x00",
	})
	for path, want := range map[string]string{
		"/lie":     "the answer claims to be text/html, but is binary",
		"/png":     "the answer is image/png, not text",
		"/unknown": "the answer is of an unknown type, not text",
		"/encoded": "the answer is encoded as zstd, not text",
	} {
		if r := fetch(path); codeOf(r) != "not_text" || i18n.English().Text(r.Error.Message) != want {
			t.Errorf("%s: %+v, want %q", path, r.Error, want)
		}
	}
}

// TestFetchMoved: a page is where redirects led to, and its links are from there.
func TestFetchMoved(t *testing.T) {
	fetch := web(t, map[string]string{
		"/old":         "-> /shelf/older\n\n",
		"/shelf/older": "-> new\n\n",
		"/shelf/new":   "text/html\n\n<a href=next>on</a>",
	})
	for asked, want := range map[string]string{"/old": "/shelf/new", "/shelf/new": "/shelf/new"} {
		r := fetch(asked, "links", true)
		if !r.OK {
			t.Fatal(r.Error)
		}
		got := r.Payload.(map[string]any)
		url, base, _ := strings.Cut(got["url"].(string), "/shelf/")
		if "/shelf/"+base != want {
			t.Errorf("%s is at %v", asked, got["url"])
		}
		if d := cmp.Diff([]any{args("text", "on", "url", url+"/shelf/next")}, got["links"]); d != "" {
			t.Errorf("%s: links (-want +got):\n%s", asked, d)
		}
	}
}
