//go:build unix

package browser_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/tool"
)

// TestForeignDownload checks that a click saves the page's file and no file of an unlisted host,
// whichever frame starts the download.
func TestForeignDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := func(rw http.ResponseWriter, name, content string) {
		rw.Header().Set("Content-Type", "application/octet-stream")
		rw.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		_, _ = io.WriteString(rw, content)
	}
	var body string
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/orders.csv":
			select { // a frame has the time to be first
			case <-r.Context().Done():
			case <-time.After(500 * time.Millisecond):
			}
			file(rw, "orders.csv", "mine")
		case "/away":
			http.Redirect(rw, r, "https://evil.example/evil", http.StatusFound)
		default:
			html(`<title>shop</title>`+body).ServeHTTP(rw, r)
		}
	}))
	w.https("pay.example", http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { file(rw, "bill.csv", "listed") }))
	evil := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/evil") {
			file(rw, "orders.csv", "evil")
			return
		}
		html(`<script>let left = 4; setInterval(() => { if (left-- <= 0) return; const a = document.createElement("a"); a.href = "/evil?" + Math.random(); a.download = "x"; document.body.append(a); a.click() }, 250)</script>`).ServeHTTP(rw, r)
	})
	w.https("evil.example", evil)
	w.https("ads.a.example", evil)
	b := w.launch(func(o *page.Options) { o.Decide = decideForeign })
	root := t.TempDir()
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return b, nil }, Running: func(context.Context) *page.Browser { return b },
		Files: actions.Files{Roots: func() []string { return []string{root} }, Downloads: func() string { return root }},
	})...)
	must.Succeed(t, err)
	const export = `<button onclick="location = '/orders.csv'">Export</button>`
	for _, tt := range []struct{ name, body, want string }{
		{"alone", export, "mine"},
		{"beside a frame of another host", export + `<iframe src="https://evil.example/"></iframe>`, "mine"},
		{"beside a frame of another host in the same process", export + `<iframe src="https://ads.a.example/"></iframe>`, "mine"},
		{"in a frame of the page", `<iframe id=i hidden></iframe><button onclick="i.src = '/orders.csv'">Export</button>`, "mine"},
		{"a listed host in a frame", `<iframe id=i hidden></iframe><button onclick="i.src = 'https://pay.example/bill'">Export</button>`, "listed"},
		{"another host in a frame", `<iframe id=i hidden></iframe><button onclick="i.src = 'https://evil.example/evil'">Export</button>`, "navigation_needs_approval"},
		{"a redirect to another host in a frame", `<iframe id=i hidden></iframe><button onclick="i.src = '/away'">Export</button>`, "navigation_needs_approval"},
		{"another host", `<button onclick="location = 'https://evil.example/evil'">Export</button>`, "navigation_needs_approval"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body = tt.body
			h := &hands{t, b, set}
			h.does("open", `{"url": "https://a.example/"}`)
			defer h.call("tab_close", "")
			r := h.call("download", `{"locator": {"role": "button", "name": "Export"}}`)
			if r.Error != nil {
				if r.Error.Code != tt.want {
					t.Errorf("%v, want %s", r.Error, tt.want)
				}
				return
			}
			p := r.Payload.(map[string]any)
			if got, err := os.ReadFile(p["path"].(string)); err != nil || string(got) != tt.want {
				t.Errorf("saved %q of %v, %v, want %s", got, p["host"], err, tt.want)
			}
			if host := map[string]string{"mine": "a.example", "listed": "pay.example"}[tt.want]; p["host"] != host {
				t.Errorf("host %v, want %s", p["host"], host)
			}
		})
	}
}
