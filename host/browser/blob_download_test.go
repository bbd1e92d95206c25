//go:build unix

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/tool"
)

// offer is a script that saves a text as blob: or data:, as pages do for exports.
const offer = `<script>
	const save = (kind, text) => {
		const a = document.createElement("a");
		a.href = kind === "blob" ? URL.createObjectURL(new Blob([text], {type: "text/csv"})) : "data:text/csv," + text;
		a.download = "orders.csv"; document.body.append(a); a.click();
	};
</script>`

// TestBlobDownload checks that a file that a document makes itself, as blob: or data:, counts as
// a file of the document's origin. A frame of an unlisted host saves nothing. The record has the
// origin of the saved file.
func TestBlobDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var body string
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { html(`<title>shop</title>`+offer+body).ServeHTTP(rw, r) }))
	w.https("pay.example", html(offer+`<button onclick="save('blob', 'listed')">Bill</button><button onclick="save('data', 'listed')">Receipt</button>
		<button onclick="location = 'https://evil.example/data'">Leave</button><button onclick="location = 'https://evil.example/blob'">Away</button>`))
	// A frame that says when it is ready, saves when it is asked to, and then says that it has.
	evil := html(`<p>ad` + offer + `<script>if (location.pathname !== "/") save(location.pathname.slice(1), "evil"); onmessage = (e) => { save(e.data, "evil"); parent.postMessage("saved", "*") }; parent.postMessage("ready", "*")</script>`)
	w.https("evil.example", evil)
	w.https("ads.a.example", evil)
	b := w.launch(func(o *page.Options) { o.Decide = decideForeign })
	root := t.TempDir()
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return b, nil }, Running: func(context.Context) *page.Browser { return b },
		Files: actions.Files{Roots: func() []string { return []string{root} }, Downloads: func() string { return root }},
	})...)
	if err != nil {
		t.Fatal(err)
	}
	export := func(kind string) string { return `<button onclick="save('` + kind + `', 'mine')">Export</button>` }
	// after is a page that saves only after its frame has tried to.
	after := func(kind, host string) string {
		return `<button id=b disabled onclick="i.contentWindow.postMessage('` + kind + `', '*')">Export</button>
			<script>onmessage = (e) => { if (e.data === "ready") b.disabled = false; else save("` + kind + `", "mine") }</script><iframe id=i src="https://` + host + `/"></iframe>`
	}
	const sandboxed = `<iframe sandbox="allow-scripts allow-downloads" id=i></iframe><script>i.srcdoc = document.scripts[0].outerHTML + "<button onclick=\"save('%s', 'mine')\">Export</button>"</script>`
	bill := func(button, host string) string {
		return `{"role": "button", "name": "` + button + `", "is": {"host": "` + host + `"}}`
	}
	for _, tt := range []struct{ name, body, locator, host, want string }{
		{"blob of the page", export("blob"), "", "a.example", "mine"},
		{"data of the page", export("data"), "", "a.example", "mine"},
		{"blob in a sandbox of the page", fmt.Sprintf(sandboxed, "blob"), "", "a.example", "mine"},
		{"data in a sandbox of the page", fmt.Sprintf(sandboxed, "data"), "", "a.example", "mine"},
		{"blob of a listed frame", `<iframe src="https://pay.example/"></iframe>`, bill("Bill", "pay.example"), "pay.example", "listed"},
		{"data of a listed frame", `<iframe src="https://pay.example/"></iframe>`, bill("Receipt", "pay.example"), "pay.example", "listed"},
		{"after blob of another host", after("blob", "evil.example"), "", "a.example", "mine"},
		{"after data of another host", after("data", "evil.example"), "", "a.example", "mine"},
		{"after blob of another host in the same process", after("blob", "ads.a.example"), "", "a.example", "mine"},
		{"after data of another host in the same process", after("data", "ads.a.example"), "", "a.example", "mine"},
		{"data of a host that a listed frame goes to", `<iframe src="https://pay.example/"></iframe>`, bill("Leave", "pay.example"), "", "download_denied"},
		{"blob of a host that a listed frame goes to", `<iframe src="https://pay.example/"></iframe>`, bill("Away", "pay.example"), "", "navigation_needs_approval"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body = tt.body
			h := &hands{t, b, set}
			h.does("open", `{"url": "https://a.example/"}`)
			defer h.call("tab_close", "")
			if tt.locator == "" {
				tt.locator = `{"role": "button", "name": "Export"}`
			}
			r := h.call("download", `{"locator": `+tt.locator+`}`)
			if r.Error != nil {
				if r.Error.Code != tt.want {
					t.Errorf("%v, want %s", r.Error, tt.want)
				}
				return
			}
			p := r.Payload.(map[string]any)
			if got, err := os.ReadFile(p["path"].(string)); err != nil || string(got) != tt.want {
				t.Errorf("saved %q, %v, want %s", got, err, tt.want)
			}
			if p["host"] != tt.host || !slices.Contains(r.From, tt.host) {
				t.Errorf("host %v, from %v, want %s", p["host"], r.From, tt.host)
			}
			if url := p["url"].(string); strings.Contains(url, tt.want) {
				t.Errorf("the record has the content: %s", url)
			}
		})
	}
}
