//go:build unix

package browser_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/build/tier"
	"errand/host/browser/actions"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
)

// greedy is a form that sends all its input to its host.
const greedy = `<title>form</title><label>File <input type=file id=f></label><label>Password <input type=password id=p></label>
	<label>Choice <select id=s><option>one<option>two</select></label><label>Tick <input type=checkbox id=k></label>
	<button onclick="tell('click')">Pay</button><form onsubmit="tell('submit'); return false"><button>Go</button></form>
	<button onclick="f.click()">Attach</button>
	<script>
		const tell = (what) => fetch("/got?" + encodeURIComponent(what), {keepalive: true});
		f.onchange = async () => tell("file " + await f.files[0].text());
		p.oninput = () => tell("typed " + p.value); onkeydown = (e) => tell("key " + e.key);
		s.onchange = k.onchange = () => tell("changed");
		onmouseover = () => tell("hover");
	</script>`

// movers are two listed sites with the same form. The pages of shop.example navigate to
// other.example by themselves.
type movers struct {
	*world
	b    *page.Browser
	file string
	call func(site, name string, args map[string]any) tool.Result

	mu  sync.Mutex
	got []string // input that other.example got
}

func newMovers(t *testing.T) *movers {
	m := &movers{world: newWorld(t)}
	form := func(more string) http.Handler { return html(greedy + more) }
	other := func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/got" {
			m.mu.Lock()
			m.got = append(m.got, r.URL.RawQuery)
			m.mu.Unlock()
			return
		}
		if r.URL.Path == "/invoice.txt" {
			rw.Header().Set("Content-Disposition", "attachment")
			_, _ = io.WriteString(rw, "theirs")
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		form(`<a href="/invoice.txt" download>invoice</a>`).ServeHTTP(rw, r)
	}
	m.https("other.example", http.HandlerFunc(other))
	shop := http.NewServeMux()
	for path, body := range map[string]string{
		"/stays": ``, "/got": ``,
		"/script":   `<script>setTimeout(() => location = "https://other.example/", 300)</script>`,
		"/refresh":  `<meta http-equiv=refresh content="0.3;url=https://other.example/">`,
		"/post":     `<form id=x method=post action="https://other.example/"></form><script>setTimeout(() => x.submit(), 300)</script>`,
		"/hover":    `<script>onmousemove = () => { location = "https://other.example/" }</script>`,
		"/frame":    `<iframe src="https://other.example/framed" style="display:none"></iframe>`,
		"/framed":   `<iframe src="https://other.example/framed" style="width:90vw;height:90vh"></iframe><script>for (const e of [...document.body.children]) if (e.tagName !== "IFRAME") e.remove()</script>`,
		"/replaced": `<script>setTimeout(() => location.replace("https://other.example/"), 300)</script>`,
	} {
		shop.Handle(path, form(body))
	}
	shop.Handle("/away", http.RedirectHandler("https://other.example/", http.StatusFound))
	shop.Handle("/login", http.RedirectHandler("https://accounts.shop.example/", http.StatusFound))
	m.https("shop.example", shop)
	m.http("shop.example", shop)
	m.https("accounts.shop.example", form(""))
	search := http.NewServeMux()
	search.Handle("/", http.RedirectHandler("https://www.google.ru/", http.StatusFound))
	search.Handle("/zip", http.RedirectHandler("https://google.zip/", http.StatusFound))
	m.https("google.com", search)
	m.https("www.google.ru", form(""))
	m.https("google.zip", form(""))
	m.b = m.launch()
	root := t.TempDir()
	m.file = filepath.Join(root, "cv.txt")
	must.Succeed(t, os.WriteFile(m.file, []byte("mine"), 0o600))
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return m.b, nil }, Running: func(context.Context) *page.Browser { return m.b },
		Files: actions.Files{Roots: func() []string { return []string{root} }},
	})...)
	must.Succeed(t, err)
	m.call = func(site, name string, args map[string]any) tool.Result {
		t.Helper()
		x, ok := set.Get("browser." + name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		r, err := x.Call(t.Context(), tool.Call{Args: args, Effect: tool.EffectFile, Site: site})
		must.Succeed(t, err)
		return r
	}
	return m
}

// taken returns the input that other.example has got so far.
func (m *movers) taken() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.got)
}

// at waits until the current page is at a host.
func (m *movers) at(t *testing.T, host string) {
	t.Helper()
	poll.Await(t, "the page is at "+host, func() bool {
		tabs, err := m.b.Tabs(t.Context())
		return err == nil && slices.ContainsFunc(tabs, func(i page.TabInfo) bool { return i.Current && strings.HasPrefix(i.URL, "https://"+host+"/") })
	})
}

func (m *movers) acts() map[string]map[string]any {
	label := func(s string) map[string]any { return map[string]any{"label": s} }
	button := func(s string) map[string]any { return map[string]any{"role": "button", "name": s} }
	return map[string]map[string]any{
		"upload":              {"locator": label("File"), "path": m.file},
		"upload by a chooser": {"locator": button("Attach"), "path": m.file},
		"fill":                {"locator": label("Password"), "value": "hunter2Xq9"},
		"select":              {"locator": label("Choice"), "values": []any{"two"}},
		"check":               {"locator": label("Tick"), "on": true},
		"hover":               {"locator": button("Pay")},
		"click":               {"locator": button("Pay")},
		"submit":              {"locator": button("Go")},
		"press":               {"locator": label("Password"), "key": "h"},
		"press at the focus":  {"key": "h"},
	}
}

// TestMovedPage checks that a page that has navigated to another listed site by itself gets no
// input that was approved for the opened site.
func TestMovedPage(t *testing.T) {
	t.Parallel()
	m := newMovers(t)
	for _, way := range []string{"/script", "/refresh", "/post", "/replaced", "/away"} {
		t.Run(way, func(t *testing.T) {
			if _, err := m.b.Open(t.Context(), "https://shop.example"+way); err != nil {
				t.Fatal(err)
			}
			m.at(t, "other.example")
			for name, args := range m.acts() {
				tool, _, _ := strings.Cut(name, " ")
				r := m.call("https://shop.example", tool, args)
				if r.OK || r.Error.Code != "page_moved" {
					t.Errorf("%s: %v, %v; want page_moved", name, r.Payload, r.Error)
				}
			}
			if got := m.taken(); len(got) > 0 {
				t.Errorf("other.example got %q", got)
			}
		})
	}
}

// TestPageMovesDuringAction checks that a page that navigates while a call looks for its element,
// or when the pointer moves, gets no input on its new site.
func TestPageMovesDuringAction(t *testing.T) {
	t.Parallel()
	m := newMovers(t)
	for _, name := range []string{"click", "check", "upload by a chooser"} {
		t.Run("at the pointer: "+name, func(t *testing.T) {
			if _, err := m.b.Open(t.Context(), "https://shop.example/hover"); err != nil {
				t.Fatal(err)
			}
			tool, _, _ := strings.Cut(name, " ")
			if r := m.call("https://shop.example", tool, m.acts()[name]); r.OK {
				t.Errorf("%v, want an error", r.Payload)
			}
		})
	}
	for name, args := range m.acts() {
		t.Run("in time: "+name, func(t *testing.T) {
			tool, _, _ := strings.Cut(name, " ")
			for range tier.Size(1, 3) {
				if _, err := m.b.Open(t.Context(), "https://shop.example/script"); err != nil {
					t.Fatal(err)
				}
				for range 20 {
					if r := m.call("https://shop.example", tool, args); !r.OK && r.Error.Code == "page_moved" {
						break
					}
				}
			}
		})
	}
	m.at(t, "other.example")
	if got := slices.DeleteFunc(m.taken(), func(s string) bool { return s == "hover" }); len(got) > 0 {
		t.Errorf("other.example got %q", got)
	}
}

// TestPageOfTheSite checks that calls succeed on pages of the approved site, and where the server
// of the opened address redirects.
func TestPageOfTheSite(t *testing.T) {
	t.Parallel()
	m := newMovers(t)
	is := func(host string) map[string]any {
		return map[string]any{"label": "Password", "is": map[string]any{"host": host}}
	}
	for _, tt := range []struct {
		name, open, site string
		locator          map[string]any
		want             string // the error's code
	}{
		{"the same host", "https://shop.example/stays", "https://shop.example", nil, ""},
		{"a frame of another site", "https://shop.example/frame", "https://shop.example", map[string]any{"css": "#p", "within": map[string]any{"css": "body"}}, "ambiguous"},
		{"http in place of https", "http://shop.example/stays", "https://shop.example", nil, "page_moved"},
		{"https in place of http", "https://shop.example/stays", "http://shop.example", nil, ""},
		{"a subdomain", "https://shop.example/login", "https://shop.example", nil, ""},
		{"another country", "https://google.com/", "https://google.com", nil, ""},
		{"the same name as a general domain", "https://google.com/zip", "https://google.com", nil, "page_moved"},
		{"another country that was not opened", "https://www.google.ru/", "https://shop.ru", nil, "page_moved"},
		{"a page that the recipe was recorded on", "https://other.example/", "*://other.example", is("other.example"), ""},
		{"a page that the approval does not name", "https://other.example/", "https://shop.example", is("other.example"), "page_moved"},
		{"a page without the named frame", "https://shop.example/stays", "*://other.example", is("other.example"), document.CodeTargetDrift},
		{"another than it was recorded on", "https://other.example/", "https://shop.example", is("shop.example"), document.CodeTargetDrift},
		{"any page", "https://other.example/", "", nil, ""},
		{"any scheme", "https://shop.example/stays", "*://shop.example", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := m.b.Open(t.Context(), tt.open); err != nil {
				t.Fatal(err)
			}
			locator := tt.locator
			if locator == nil {
				locator = map[string]any{"label": "Password"}
			}
			if tt.want == "ambiguous" { // the field of the page itself, beside that of the frame
				locator, tt.want = map[string]any{"label": "Password", "nth": 1}, ""
			}
			r := m.call(tt.site, "fill", map[string]any{"locator": locator, "value": "x"})
			if tt.want == "" && !r.OK || tt.want != "" && (r.OK || r.Error.Code != tt.want) {
				t.Errorf("%v, %v; want %q", r.Payload, r.Error, tt.want)
			}
		})
	}
}

// TestPageIsClosed checks that a tab that replaces a closed one gets no input.
func TestPageIsClosed(t *testing.T) {
	t.Parallel()
	m := newMovers(t)
	for _, open := range []string{"https://other.example/", "https://shop.example/stays"} {
		if _, err := m.b.Open(t.Context(), open); err != nil {
			t.Fatal(err)
		}
	}
	closing, err := m.b.CurrentTab()
	must.Succeed(t, err)
	closing.Close()
	m.at(t, "other.example")
	for name, args := range m.acts() {
		tool, _, _ := strings.Cut(name, " ")
		if r := m.call("https://shop.example", tool, args); r.OK || r.Error.Code != "page_moved" {
			t.Errorf("%s: %v, %v; want page_moved", name, r.Payload, r.Error)
		}
	}
	if got := m.taken(); len(got) > 0 {
		t.Errorf("other.example got %q", got)
	}
}

// TestMovedPageOffersAFile checks that a download from a page fails if the page has navigated to
// another site by itself. A redirect of the opened address is permitted.
func TestMovedPageOffersAFile(t *testing.T) {
	t.Parallel()
	m := newMovers(t)
	for _, tt := range []struct{ open, code string }{
		{"https://shop.example/script", "page_moved"},
		{"https://shop.example/away", ""},
	} {
		t.Run(tt.open, func(t *testing.T) {
			if _, err := m.b.Open(t.Context(), tt.open); err != nil {
				t.Fatal(err)
			}
			m.at(t, "other.example")
			r := m.call("https://shop.example", "download", map[string]any{"file": "invoice", "path": filepath.Dir(m.file) + "/"})
			if tt.code == "" && !r.OK || tt.code != "" && (r.OK || r.Error.Code != tt.code) {
				t.Errorf("%v, %v; want %q", r.Payload, r.Error, tt.code)
			}
		})
	}
}

// TestListedFrame checks that a form of another listed site in a frame gets no input that was
// approved for the page, unless the plan names its host.
func TestListedFrame(t *testing.T) {
	t.Parallel()
	m := newMovers(t)
	if _, err := m.b.Open(t.Context(), "https://shop.example/framed"); err != nil {
		t.Fatal(err)
	}
	for name, args := range m.acts() {
		tool, _, _ := strings.Cut(name, " ")
		if name == "press at the focus" { // the page itself has it
			continue
		}
		if r := m.call("https://shop.example", tool, args); r.OK || r.Error.Code != "frame_unnamed" {
			t.Errorf("%s: %v, %v; want frame_unnamed", name, r.Payload, r.Error)
		}
	}
	if got := m.taken(); len(got) > 0 {
		t.Errorf("other.example got %q", got)
	}
	for _, tt := range []struct {
		site    string
		locator map[string]any
	}{
		{"*://other.example", map[string]any{"label": "Password", "frame": map[string]any{"css": "iframe"}, "is": map[string]any{"host": "other.example"}}},
		{"*://other.example", map[string]any{"label": "Password", "is": map[string]any{"host": "other.example"}}},
	} {
		if r := m.call(tt.site, "fill", map[string]any{"locator": tt.locator, "value": "x"}); !r.OK {
			t.Errorf("%v: %v", tt.locator, r.Error)
		}
	}
	named := map[string]any{"label": "Password", "is": map[string]any{"host": "other.example"}}
	if r := m.call("https://shop.example", "fill", map[string]any{"locator": named, "value": "x"}); r.OK || r.Error.Code != "frame_unnamed" {
		t.Errorf("the approval names another site: %v, %v; want frame_unnamed", r.Payload, r.Error)
	}
	for name, frame := range map[string]map[string]any{
		"css": {"css": "iframe"}, "role": {"role": "iframe"}, "the first": {"css": "iframe", "nth": 1},
		"in the body": {"css": "iframe", "within": map[string]any{"css": "body", "nth": 1}}, "with the page's host": {"css": "iframe", "is": map[string]any{"host": "shop.example"}},
	} {
		for _, act := range []string{"fill", "click", "hover", "press", "upload"} {
			args := map[string]any{"locator": map[string]any{"label": "Password", "frame": frame}}
			maps.Copy(args, map[string]map[string]any{"fill": {"value": "x"}, "press": {"key": "a"}, "upload": {"paths": []any{m.file}}}[act])
			if r := m.call("https://shop.example", act, args); r.OK || r.Error.Code != "frame_unnamed" {
				t.Errorf("%s in a frame by %s: %v, %v; want frame_unnamed", act, name, r.Payload, r.Error)
			}
		}
	}
	if r := m.call("https://shop.example", "press", map[string]any{"key": "h"}); r.OK || r.Error.Code != "frame_unnamed" { // the frame has the focus now
		t.Errorf("press: %v, %v; want frame_unnamed", r.Payload, r.Error)
	}
}
