//go:build unix

package browser_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"errand/app/i18n"
	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/run"
	"errand/host/tool"
	"errand/host/trace"
	"errand/host/trace/tracetest"
	"errand/policy"
)

// hands are the browser's tools with one browser.
type hands struct {
	t     testing.TB
	b     *page.Browser
	tools *tool.Set
}

func newHands(t testing.TB, b *page.Browser) *hands {
	t.Helper()
	set, err := tool.NewSet(actions.New(actions.Options{
		Open:    func(context.Context) (*page.Browser, error) { return b, nil },
		Running: func(context.Context) *page.Browser { return b },
	})...)
	must.Succeed(t, err)
	return &hands{t, b, set}
}

// call calls a tool with arguments as JSON.
func (h *hands) call(name, args string) tool.Result {
	h.t.Helper()
	return h.try(name, args, "")
}

// try calls a tool that may come to an effect at most.
func (h *hands) try(name, args string, most tool.Effect) tool.Result {
	h.t.Helper()
	call := tool.Call{Tool: "browser." + name, Args: map[string]any{}, Effect: most}
	if args != "" {
		if err := json.Unmarshal([]byte(args), &call.Args); err != nil {
			h.t.Fatalf("%s: %v", args, err)
		}
	}
	found, ok := h.tools.Get(call.Tool)
	if !ok {
		h.t.Fatalf("there is no %s", call.Tool)
	}
	r, err := found.Call(h.t.Context(), call)
	if err != nil {
		h.t.Fatalf("%s: %v", call.Tool, err)
	}
	return r
}

// does calls a tool, which must succeed, and returns its payload.
func (h *hands) does(name, args string) map[string]any {
	h.t.Helper()
	r := h.call(name, args)
	if r.Error != nil {
		h.t.Fatalf("%s %s: %s: %v %v", name, args, r.Error.Code, r.Error, r.Error.Details)
	}
	payload, _ := r.Payload.(map[string]any)
	return payload
}

// open opens a page of a.example without the screenshot and the wait for a quiet page of
// browser.open.
func (h *hands) open(path string) {
	h.t.Helper()
	must.Succeed(h.t, open(h.t.Context(), h.b, "https://a.example"+path))
}

// awaitTurn waits until an action holds the page.
func (h *hands) awaitTurn() {
	h.t.Helper()
	poll.Await(h.t, "an action has the page", func() bool {
		ctx, cancel := context.WithTimeout(h.t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := h.b.Act(ctx, "probe", func(context.Context, *page.Tab) (tool.Result, error) { return tool.Result{}, nil })
		return err != nil
	})
}

// text returns the page's text.
func (h *hands) text() string {
	h.t.Helper()
	s, _ := h.does("read_text", "")["text"].(string)
	return s
}

// says waits until the page has a text.
func (h *hands) says(text string) {
	h.t.Helper()
	h.does("wait", `{"text": `+quoted(text)+`}`)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// fails calls a tool, which must fail with a code.
func (h *hands) fails(code, name, args string) *tool.Error {
	h.t.Helper()
	r := h.call(name, args)
	if r.Error == nil || r.Error.Code != code {
		h.t.Errorf("%s %s = %v, %v; want code %s", name, args, r.Payload, r.Error, code)
		return &tool.Error{}
	}
	return r.Error
}

// TestActions runs every action on pages of the site, in one browser.
func TestActions(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	notes := &notebook{}
	b := s.launch(func(o *page.Options) { o.Note = notes.write })
	for _, tt := range []struct {
		name string
		run  func(*hands, *site)
	}{
		{"nothing before a page is open", testNoPage},
		{"which tab", testWhichTab},
		{"zoom", testZoom},
		{"text on the page", testShowText},
		{"save", testSavePage},
		{"results by number", testOpenResult},
		{"back several times", testBackTimes},
		{"controls and fields by their names", testNames},
		{"snapshot", testSnapshot},
		{"find", testFind},
		{"locators", testLocators},
		{"refs", testRefs},
		{"fill", testFill},
		{"fill what is not taken", testTaken},
		{"fill a row of boxes", testBoxes},
		{"select", testSelect},
		{"check", testCheck},
		{"press", testPress},
		{"hover", testHover},
		{"submit", testSubmit},
		{"click and what it comes to", testClick},
		{"the door", testDispatch},
		{"turns", testTurns},
		{"actionability", testReady},
		{"shadow trees", testShadow},
		{"frames", testFrames},
		{"a frame that hangs", testHungFrame},
		{"dialogs", func(h *hands, s *site) { testDialogs(h, s, notes) }},
		{"single-page navigation", testSinglePage},
		{"infinite scroll", testScroll},
		{"extract", testExtract},
		{"read_text and links", testReading},
		{"pictures", testPictures},
		{"wait", testWait},
		{"assert", testAssert},
		{"history", testHistory},
		{"tabs", testTabs},
		{"service worker", testWorker},
		{"navigation in mid-action", testMoves},
		{"a page that hangs", testHang},
		{"a tab that crashes", testCrash},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(newHands(t, b), s) })
	}
}

func testNoPage(h *hands, _ *site) {
	for _, name := range []string{"snapshot", "click", "tab_close", "back", "read_text"} {
		e := h.fails("no_page", name, `{"locator": {"role": "button"}}`)
		if e.Class != tool.ToolUnavailable || e.Retriable || !strings.Contains(i18n.English().Text(e.Hint), "browser.open") {
			h.t.Errorf("%s: %+v", name, e)
		}
	}
	if tabs := h.does("tabs", "")["tabs"].([]any); len(tabs) != 0 {
		h.t.Errorf("tabs = %v", tabs)
	}
}

func testSnapshot(h *hands, _ *site) {
	h.open("/form")
	p := h.does("snapshot", "")
	got := p["snapshot"].(string)
	n := 0
	got = regexp.MustCompile(`\[ref=s\d+e\d+\]`).ReplaceAllStringFunc(got, func(string) string { n++; return "[ref]" })
	const want = `- heading "Order" [level=1] [ref]
- form "Address" [ref]
  - text: Name
  - textbox "Name" [required] [ref]
`
	if !strings.HasPrefix(got, want) || n < 20 || p["url"] != "https://a.example/form" || p["title"] != "form" {
		h.t.Errorf("snapshot of %v:\n%s", p["url"], got)
	}
	for _, line := range []string{`- textbox "Notes" [ref]: old`, `- option "Small" [selected] [ref]`, `- option "Huge" [disabled] [ref]`, `- textbox "Locked" [readonly] [ref]: x`, `- textbox "Off" [disabled] [ref]`} {
		if !strings.Contains(got, line+"\n") {
			h.t.Errorf("no line %s in\n%s", line, got)
		}
	}
	part := h.does("snapshot", `{"locator": {"role": "form", "name": "Other"}}`)["snapshot"].(string)
	if !strings.HasPrefix(part, `- form "Other"`) || strings.Count(part, "\n") != 2 {
		h.t.Errorf("of a part:\n%s", part)
	}
	if p := h.does("snapshot", `{"depth": 1}`); strings.Contains(p["snapshot"].(string), "textbox") || p["cut"] != true {
		h.t.Errorf("of depth 1: %v", p)
	}
	h.open("/big")
	p = h.does("snapshot", "")
	if got := p["snapshot"].(string); len(got) > 64<<10 || !strings.HasSuffix(got, "\n") || p["cut"] != true || p["nodes"].(int) < 10_000 {
		h.t.Errorf("of a big page: %d bytes of %v nodes, cut: %v", len(got), p["nodes"], p["cut"])
	}
}

func testFind(h *hands, _ *site) {
	h.open("/links")
	p := h.does("find", `{"text": "bold LINK"}`)
	found := p["found"].([]any)
	if len(found) != 1 || found[0].(map[string]any)["role"] != "link" {
		h.t.Fatalf("found %v", found)
	}
	h.does("click", `{"locator": {"ref": `+quoted(found[0].(map[string]any)["ref"].(string))+`}}`)
	h.says("I agree")
	h.open("/links")
	if p := h.does("find", `{"regex": "^(Plain|Far) l.nk$", "max": 1}`); p["total"] != 2 || len(p["found"].([]any)) != 1 || p["cut"] != true {
		h.t.Errorf("by expression: %v", p)
	}
	h.fails("bad_regex", "find", `{"regex": "("}`)
}

func testLocators(h *hands, _ *site) {
	h.open("/form")
	for _, l := range []string{
		`{"role": "textbox", "name": "name"}`, `{"role": "textbox", "name": "Name", "exact": true}`, `{"label": "Name"}`,
		`{"placeholder": "SEARCH"}`, `{"css": "input[name=q]"}`, `{"test_id": "plain"}`, `{"text": "Plain"}`, `{"role": "heading", "level": 1}`,
		`{"role": "button", "name": "Send", "within": {"role": "form", "name": "Other"}}`, `{"role": "button", "name": "Send", "nth": 2}`,
		`{"css": "button", "within": {"css": "form:last-of-type"}}`, `{"text": "I agree"}`,
	} {
		if p := h.does("hover", `{"locator": `+l+`}`); p["host"] != "a.example" || p["role"] == "" {
			h.t.Errorf("%s is %v", l, p)
		}
	}
	e := h.fails("ambiguous", "click", `{"locator": {"role": "button", "name": "Send"}}`)
	if len(e.Details) != 2 || !strings.Contains(e.Details[0], `button "Send" [ref=s`) || !strings.Contains(e.Details[1], `in form "Other"`) {
		h.t.Errorf("candidates: %q", e.Details)
	}
	ref := regexp.MustCompile(`s\d+e\d+`).FindString(e.Details[1])
	if p := h.does("hover", `{"locator": {"ref": "`+ref+`"}}`); p["name"] != "Send" {
		h.t.Errorf("a candidate's ref is %v", p)
	}
	e = h.fails("no_match", "click", `{"locator": {"role": "button", "name": "Buy"}, "timeout_ms": 100}`)
	if russian := i18n.ForTag("ru").Text(e.Message); !strings.HasPrefix(russian, "click: a.example: ") {
		h.t.Errorf("the error does not name the page: %s", russian)
	}
	if !strings.HasPrefix(i18n.English().Text(e.Message), `click: a.example: `) || !strings.Contains(i18n.English().Text(e.Message), `button "Buy"`) || !strings.Contains(i18n.English().Text(e.Hint), "snapshot") {
		h.t.Errorf("%v, hint %q", e, e.Hint)
	}
	h.fails("bad_selector", "hover", `{"locator": {"css": "a["}}`)
	h.fails("bad_locator", "hover", `{"locator": {"css": "a", "text": "b"}}`)
	h.fails("no_match", "hover", `{"locator": {"role": "button", "name": "Send", "nth": 3}, "timeout_ms": 0}`)
	h.fails("not_a_frame", "hover", `{"locator": {"role": "button", "frame": {"role": "heading"}}}`)
}

func testRefs(h *hands, _ *site) {
	h.open("/moves")
	snapshot := h.does("snapshot", "")["snapshot"].(string)
	ref := func(name string) string {
		m := regexp.MustCompile(`"` + name + `" \[ref=(s\d+e\d+)\]`).FindStringSubmatch(snapshot)
		if m == nil {
			h.t.Fatalf("no %s in\n%s", name, snapshot)
		}
		return `{"locator": {"ref": "` + m[1] + `"}}`
	}
	h.does("snapshot", "") // an older ref is valid while its element is unchanged
	h.does("hover", ref("Replace"))
	gone := ref("Go soon")
	h.does("click", ref("Replace"))
	e := h.fails("ref_stale", "click", gone)
	if !strings.Contains(i18n.English().Text(e.Message), `button "Go soon" is gone`) || !strings.Contains(i18n.English().Text(e.Hint), "new snapshot") {
		h.t.Errorf("%v, hint %q", e, e.Hint)
	}
	snapshot = h.does("snapshot", "")["snapshot"].(string)
	other := ref("Other")
	h.does("reload", "")
	if e := h.fails("ref_stale", "click", other); !strings.Contains(i18n.English().Text(e.Message), "another page") {
		h.t.Error(e)
	}
	h.open("/dialogs")
	snapshot = h.does("snapshot", "")["snapshot"].(string)
	ask := ref("Ask")
	h.does("click", ask) // renames itself
	if e := h.fails("ref_stale", "click", ask); !strings.Contains(i18n.English().Text(e.Message), `button "Ask" is now button "false null"`) {
		h.t.Error(e)
	}
	h.fails("no_such_ref", "click", `{"locator": {"ref": "s999999e1"}}`)
	h.does("tab_close", "")
}

func testFill(h *hands, s *site) {
	h.open("/form")
	for _, f := range []struct{ locator, value string }{
		{`{"label": "Name"}`, "Ann Lee"},
		{`{"label": "Name"}`, "Bob"},
		{`{"label": "Secret"}`, "s3cret"},
		{`{"label": "Born"}`, "2001-02-03"},
		{`{"placeholder": "search"}`, "ünï ✓ 漢字"},
		{`{"label": "Notes"}`, "two\nlines"},
		{`{"label": "Notes"}`, ""},
		{`{"label": "Letter"}`, "Dear all"},
	} {
		p := h.does("fill", `{"locator": `+f.locator+`, "value": `+quoted(f.value)+`}`)
		if p["kept"] != true {
			h.t.Errorf("%s: %v", f.locator, p)
		}
		if strings.Contains(fmt.Sprint(p), "s3cret") {
			h.t.Errorf("a password is told: %v", p)
		}
	}
	if e := h.fails("not_taken", "fill", `{"locator": {"label": "Name"}, "value": "a name of far more than twenty letters"}`); !strings.Contains(i18n.English().Text(e.Message), `kept "a name of far more t"`) {
		h.t.Errorf("more than fits: %v", e)
	}
	h.fails("not_ready", "fill", `{"locator": {"label": "Locked"}, "value": "y", "timeout_ms": 0}`)
	if e := h.fails("not_ready", "fill", `{"locator": {"label": "Off"}, "value": "y", "timeout_ms": 0}`); !strings.Contains(i18n.English().Text(e.Message), "it is disabled") {
		h.t.Error(e)
	}
	if e := h.fails("not_fillable", "fill", `{"locator": {"text": "I agree"}, "value": "y"}`); !strings.Contains(i18n.English().Text(e.Message), "does not accept text") {
		h.t.Error(e)
	}
	h.does("click", `{"locator": {"css": "form:first-of-type button", "nth": 1}}`)
	if got := h.text(); !strings.Contains(got, "POST name=a+name+of+far+more+t&pw=s3cret&born=2001-02-03&q=%C3%BCn%C3%AF+%E2%9C%93+%E6%BC%A2%E5%AD%97&size=s") {
		h.t.Errorf("sent: %s", got)
	}
}

// testTaken: a field that did not take its value is an error, which says what is
// there and how to write it; one that has it in its own form is filled.
func testTaken(h *hands, _ *site) {
	h.open("/picky")
	for _, f := range []struct{ label, value, kept, hint string }{
		{"Number", "abc", `"Number" did not accept the value: it is empty`, "such as 12.5"},
		{"Number", "3,5", "kept", "such as 12.5"},
		{"Number", "12kg", `kept "12"`, "such as 12.5"},
		{"Born", "31.12.2026", `"Born" did not accept the value: it is empty`, "such as 2026-12-31"},
		{"Alarm", "half past two", "it is empty", "such as 14:30"},
		{"When", "31.12.2026 14:30", "it is empty", "such as 2026-12-31T14:30"},
		{"Colour", "no colour", `kept "#000000"`, "such as #ff8800"},
		{"Loudness", "11", `kept "10"`, "bounds"},
		{"Short", "abcdef", `kept "abc"`, "at most 3 characters"},
		{"Short", "ab1!", `kept "ab1"`, "at most 3 characters"},
		{"Area", "abcdef", `kept "abc"`, "at most 3 characters"},
		{"Hidden", "s3cretly", "it contains only a part of it, or another value", "at most 3 characters"},
		{"Phone", "55512345678", `kept "555-1234"`, "check on the page"},
		{"Refuses", "x", "it is empty", "check on the page"},
	} {
		e := h.fails("not_taken", "fill", `{"locator": {"label": "`+f.label+`"}, "value": `+quoted(f.value)+`}`)
		if e.Class != tool.ExecutionError || !strings.Contains(i18n.English().Text(e.Message), f.kept) || !strings.Contains(i18n.English().Text(e.Hint), f.hint) {
			h.t.Errorf("%s: %v (%s), want %q (%q)", f.label, e, e.Hint, f.kept, f.hint)
		}
		if strings.Contains(fmt.Sprint(e, e.Hint, e.Details), "s3c") {
			h.t.Errorf("a password is told: %v", e)
		}
	}
	for _, f := range []struct {
		label, value, now string
	}{
		{"Number", "12.5", "12.5"},
		{"Number", "1e3", "1e3"},
		{"Number", "", ""},
		{"When", "2026-12-31 14:30", "2026-12-31T14:30"},
		{"Colour", "#FF8800", "#ff8800"},
		{"Colour", "red", "#ff0000"},
		{"Loudness", "5.0", "5"},
		{"Short", "abc", "abc"},
		{"Hidden", "abc", "abc"},
		{"Phone", "5551234", "555-1234"},
		{"Upper", "abc", "ABC"},
		{"Dots", "abc", "•••"},
		{"Late", "in time", "in time"},
	} {
		p := h.does("fill", `{"locator": {"label": "`+f.label+`"}, "value": `+quoted(f.value)+`}`)
		if same := f.now == f.value; p["kept"] != same || !same && p["value"] != f.now {
			h.t.Errorf("%s: %v, want %q", f.label, p, f.now)
		}
	}
	found, _ := h.tools.Get("browser.fill")
	r, err := found.Call(h.t.Context(), tool.Call{Secret: true, Args: map[string]any{"locator": map[string]any{"label": "Short"}, "value": "s3cretly"}})
	if err != nil || r.Error == nil || r.Error.Code != "not_taken" || strings.Contains(fmt.Sprint(r.Error, r.Error.Hint, r.Payload), "s3c") {
		h.t.Errorf("a secret: %v, %v, %v", r.Payload, r.Error, err)
	}
}

func testSelect(h *hands, _ *site) {
	h.open("/form")
	h.does("select", `{"locator": {"label": "Size"}, "values": ["Medium"]}`)
	h.does("assert", `{"locator": {"label": "Size"}, "value": "m"}`)
	h.does("select", `{"locator": {"label": "Size"}, "values": ["s"]}`)
	if p := h.does("select", `{"locator": {"label": "Extras"}, "values": ["Nuts", "Soy"]}`); fmt.Sprint(p["selected"]) != "[Nuts Soy]" {
		h.t.Error(p)
	}
	if e := h.fails("no_option", "select", `{"locator": {"label": "Size"}, "values": ["Tiny"]}`); !strings.Contains(i18n.English().Text(e.Message), "Small, Medium, Huge") {
		h.t.Error(e)
	}
	h.fails("not_ready", "select", `{"locator": {"label": "Size"}, "values": ["Huge"]}`)
	h.fails("one_option_only", "select", `{"locator": {"label": "Size"}, "values": ["s", "m"]}`)
	h.fails("not_selectable", "select", `{"locator": {"label": "Name"}, "values": ["s"]}`)
}

func testCheck(h *hands, _ *site) {
	h.open("/form")
	for _, l := range []string{`{"label": "I agree"}`, `{"role": "radio", "name": "Post"}`, `{"role": "radio", "name": "Pick up"}`, `{"role": "switch"}`} {
		if p := h.does("check", `{"locator": `+l+`, "on": true}`); p["checked"] != true || p["changed"] != true {
			h.t.Errorf("%s: %v", l, p)
		}
		if p := h.does("check", `{"locator": `+l+`, "on": true}`); p["changed"] != false {
			h.t.Errorf("%s again: %v", l, p)
		}
		h.does("assert", `{"locator": `+l+`, "checked": true}`)
	}
	h.does("check", `{"locator": {"label": "I agree"}, "on": false}`)
	h.fails("not_switched", "check", `{"locator": {"role": "radio", "name": "Pick up"}, "on": false}`)
	h.fails("not_checkable", "check", `{"locator": {"label": "Name"}, "on": true}`)
}

func testPress(h *hands, s *site) {
	h.open("/keys")
	h.does("press", `{"locator": {"label": "Area"}, "key": "a"}`)
	h.does("press", `{"key": "B"}`)
	h.does("press", `{"key": "Space"}`)
	h.does("press", `{"key": "ß"}`)
	h.does("assert", `{"locator": {"label": "Area"}, "value": "aB ß"}`)
	h.does("press", `{"key": "Control+a"}`)
	h.does("press", `{"key": "Backspace"}`)
	h.does("assert", `{"locator": {"label": "Area"}, "value": ""}`)
	h.says("a!B! !ß!^a!Backspace!")
	h.does("fill", `{"locator": {"label": "Field"}, "value": "by key"}`)
	h.does("press", `{"locator": {"label": "Field"}, "key": "Enter"}`)
	if !s.was("GET /sent?f=by+key") {
		h.t.Error("Enter did not send the form")
	}
	h.fails("bad_key", "press", `{"key": "Return"}`)
	h.fails("bad_key", "press", `{"key": "Hyper+a"}`)
}

func testHover(h *hands, _ *site) {
	h.open("/ready")
	h.does("hover", `{"locator": {"text": "Disabled for ever"}}`) // hovering needs no enabled element
	h.does("assert", `{"locator": {"css": "button:hover"}, "text": "Disabled for ever"}`)
}

func testSubmit(h *hands, s *site) {
	h.open("/form")
	e := h.fails("form_invalid", "submit", `{"locator": {"role": "form", "name": "Address"}}`)
	if !strings.Contains(i18n.English().Text(e.Message), "Name: ") {
		h.t.Error(e)
	}
	h.does("fill", `{"locator": {"label": "Name"}, "value": "Ann"}`)
	p := h.does("submit", `{"locator": {"label": "Notes"}}`)
	if p["title"] != "sent" || p["effect"] != "commit" {
		h.t.Errorf("submitted: %v", p)
	}
	h.fails("no_form", "submit", `{"locator": {"css": "p"}}`)
}

func testClick(h *hands, s *site) {
	h.open("/links")
	for _, l := range []struct{ locator, effect, url, sent string }{
		{`{"text": "Plain link"}`, "navigate", "https://a.example/form", ""},
		{`{"text": "Bold link"}`, "navigate", "https://a.example/form", ""},
		{`{"text": "Far link"}`, "navigate", "https://a.example/table", ""},
		{`{"text": "Within link"}`, "navigate", "https://a.example/links#below", ""},
		{`{"text": "Handled link"}`, "commit", "https://a.example/links", "handled"},
		{`{"text": "Listened link"}`, "commit", "https://a.example/links", "listened"},
		{`{"text": "Nowhere link"}`, "commit", "https://a.example/links#", ""},
		{`{"text": "Script link"}`, "commit", "https://a.example/links", "js"},
		{`{"text": "Button in a link"}`, "commit", "https://a.example/form", ""},
		{`{"text": "Span"}`, "commit", "https://a.example/links", "span"},
	} {
		if l.effect == "commit" {
			e := h.fails("not_a_link", "click", `{"locator": `+l.locator+`, "expect": "link"}`)
			if scripted := l.sent == "handled" || l.sent == "listened" || l.sent == "span"; scripted != strings.Contains(i18n.English().Text(e.Message), "handled by a script") {
				h.t.Errorf("%s: %s", l.locator, e.Message)
			}
		}
		p := h.does("click", `{"locator": `+l.locator+`}`)
		if p["effect"] != l.effect || p["url"] != l.url {
			h.t.Errorf("%s: %v at %v, want %s at %s", l.locator, p["effect"], p["url"], l.effect, l.url)
		}
		if l.sent != "" && !s.was("GET /sent?"+l.sent) {
			h.t.Errorf("%s was not clicked", l.locator)
		}
		h.does("tab_close", "")
		h.open("/links")
	}
	if r := h.try("click", `{"locator": {"text": "Span"}}`, tool.EffectNavigate); r.Error == nil || r.Error.Code != "effect_changed" || r.Error.Class != tool.PolicyDenied {
		h.t.Errorf("more than was allowed: %+v", r.Error)
	}
	if r := h.try("click", `{"locator": {"text": "Plain link"}}`, tool.EffectNavigate); r.Error != nil {
		h.t.Errorf("as much as was allowed: %v", r.Error)
	}
	h.open("/links")
	for _, expect := range []string{``, `, "expect": "link"`} {
		e := h.fails("navigation_needs_approval", "click", `{"locator": {"text": "Forbidden link"}`+expect+`}`)
		if e.Class != tool.PolicyDenied || !strings.Contains(i18n.English().Text(e.Message), "forbidden.example") {
			h.t.Error(e)
		}
	}
	if s.reached("forbidden.example") {
		h.t.Error("a link was followed that policy does not allow")
	}
}

// testDispatch checks what the dispatcher decides about an element of the page.
func testDispatch(h *hands, s *site) {
	log := &trace.Memory{}
	must.Succeed(h.t, log.Begin(h.t.Context(), tracetest.NewRun("r1", 0)))
	d := run.NewDispatcher(run.DispatcherOptions{Tools: h.tools, Log: log, Decide: func(r policy.Request) policy.Decision {
		if r.Class == "read" {
			return policy.Decision{Verdict: policy.Allow, Rule: "read"}
		}
		return policy.Decision{Verdict: policy.Ask, Rule: "ask"}
	}})
	defer d.Close(context.WithoutCancel(h.t.Context()))
	n := 0
	dispatch := func(name, args string) trace.Step {
		n++
		call := tool.Call{RunID: "r1", ActionID: fmt.Sprint("a", n), Tool: "browser." + name, Args: map[string]any{}}
		must.Succeed(h.t, json.Unmarshal([]byte(args), &call.Args))
		_, step := d.Dispatch(h.t.Context(), call)
		return step
	}
	h.open("/links")
	for _, tt := range []struct {
		tool, args string
		want       trace.Status
		code       string
		class      tool.Effect
	}{
		{"click", `{"locator": {"text": "Span"}}`, trace.NeedsApproval, "needs_approval", "commit"},
		{"click", `{"locator": {"text": "Span"}, "expect": "link"}`, trace.Failed, "not_a_link", "navigate"},
		{"click", `{"locator": {"text": "Forbidden link"}}`, trace.Denied, "navigation_needs_approval", "commit"}, // no question about a call that can't succeed
		{"click", `{"locator": {"text": "Forbidden link"}, "expect": "link"}`, trace.Denied, "navigation_needs_approval", "navigate"},
		{"click", `{"locator": {"text": "No such link"}, "timeout_ms": 0}`, trace.Failed, "no_match", "commit"},
		{"click", `{"locator": {"text": "Plain link"}}`, trace.Done, "", "navigate"},
		{"fill", `{"locator": {"label": "Name"}, "value": "x"}`, trace.NeedsApproval, "needs_approval", ""},
		{"press", `{"key": "Enter"}`, trace.NeedsApproval, "needs_approval", "commit"},
		{"press", `{"key": "Tab"}`, trace.NeedsApproval, "needs_approval", "input"},
		{"snapshot", `{}`, trace.Done, "", ""},
	} {
		step := dispatch(tt.tool, tt.args)
		if step.Status != tt.want || step.ErrorCode != tt.code || step.EffectClass != tt.class {
			h.t.Errorf("%s %s: %s %s %q, want %s %s %q (%v)", tt.tool, tt.args, step.Status, step.ErrorCode, step.EffectClass, tt.want, tt.code, tt.class, step.Error)
		}
		if tt.tool == "snapshot" && (step.Untrusted == nil || fmt.Sprint(step.Untrusted.From) != "[a.example]") {
			h.t.Errorf("untrusted: %+v", step.Untrusted)
		}
	}
	h.does("assert", `{"title": "form"}`)
}

// testTurns checks that concurrent actions on one page run one after the other.
func testTurns(h *hands, _ *site) {
	h.open("/form")
	var all sync.WaitGroup
	for range 3 {
		for _, l := range []string{`{"label": "Name"}`, `{"label": "Notes"}`, `{"placeholder": "search"}`} {
			all.Go(func() {
				if r := h.call("fill", `{"locator": `+l+`, "value": "of one"}`); r.Error != nil || r.Payload.(map[string]any)["kept"] != true {
					h.t.Errorf("%s: %v, %v", l, r.Payload, r.Error)
				}
			})
		}
	}
	all.Wait()
	ctx, cancel := context.WithCancel(h.t.Context())
	done := make(chan error, 1)
	found, _ := h.tools.Get("browser.wait")
	go func() {
		r, _ := found.Call(ctx, tool.Call{Args: map[string]any{"text": "nevermore", "timeout_ms": 20_000.0}})
		done <- r.Error
	}()
	h.awaitTurn()
	cancel()
	if err := <-done; tool.AsError(err).Code != "interrupted" {
		h.t.Errorf("interrupted: %v", err)
	}
	go func() {
		r, _ := found.Call(h.t.Context(), tool.Call{Args: map[string]any{"text": "nevermore", "timeout_ms": 20_000.0}})
		done <- r.Error
	}()
	h.awaitTurn()
	h.does("tab_close", "")
	if err := <-done; tool.AsError(err).Code != "page_closed" {
		h.t.Errorf("closed meanwhile: %v", err)
	}
}

func testReady(h *hands, _ *site) {
	h.open("/ready")
	for _, name := range []string{"Late", "Moving", "Disabled for now", "Uncovered soon"} {
		h.does("click", `{"locator": {"role": "button", "name": `+quoted(name)+`}}`)
	}
	h.says("Late!Moving!Disabled for now!Uncovered soon!")
	for _, f := range []struct{ locator, want string }{
		{`{"text": "Disabled for ever"}`, "it is disabled (check: enabled)"},
		{`{"text": "Covered", "exact": true}`, `div.veil "wait" covers it`},
		{`{"css": "button[style*=hidden]", "nth": 1}`, "it is not visible"},
		{`{"css": "button[style*=animation]"}`, "it is still moving"},
	} {
		e := h.fails("not_ready", "click", `{"locator": `+f.locator+`, "timeout_ms": 500}`)
		if !strings.Contains(i18n.English().Text(e.Message), f.want) {
			h.t.Error(e)
		}
	}
	for range 60 { // between two frames Chromium's clock of animations may run ahead, and then stand
		h.fails("not_ready", "click", `{"locator": {"css": "button[style*=animation]"}, "timeout_ms": 0}`)
	}
}

func testShadow(h *hands, s *site) {
	h.open("/shadow")
	for _, name := range []string{"open", "deep", "closed"} {
		h.does("click", `{"locator": {"role": "button", "name": "`+name+` button"}}`)
		if !s.was("GET /sent?" + name) {
			h.t.Errorf("the button in the %s tree was not clicked", name)
		}
		h.does("hover", `{"locator": {"text": "`+name+` text"}}`)
		h.does("fill", `{"locator": {"role": "textbox", "name": "`+name+` hint"}, "value": "x"}`)
		h.does("wait", `{"text": "`+name+` text"}`)
	}
	for _, name := range []string{"open", "deep"} {
		h.does("hover", `{"locator": {"css": "p.`+name+`"}}`)
		h.does("hover", `{"locator": {"test_id": "`+name+`-id"}}`)
		h.does("fill", `{"locator": {"placeholder": "`+name+` hint"}, "value": "y"}`)
	}
	if got := h.text(); !strings.Contains(got, "deep text") || !strings.Contains(got, "light") || strings.Contains(got, "closed text") {
		h.t.Errorf("text: %q", got)
	}

	// Reading actions leave out a closed shadow tree; the outline of the page has it.
	if p := h.does("links", ""); p["total"] != 2 || strings.Contains(fmt.Sprint(p), "closed") {
		h.t.Errorf("links: %v", p)
	}
	h.fails("no_match", "extract", `{"rows": {"css": "p.closed"}, "fields": {"text": {}}, "timeout_ms": 100}`)
	if s := h.does("snapshot", "")["snapshot"].(string); !strings.Contains(s, "closed text") {
		h.t.Errorf("snapshot:\n%s", s)
	}
	if p := h.does("find", `{"text": "closed text"}`); p["total"] != 1 {
		h.t.Errorf("find: %v", p)
	}
	for _, l := range []string{`{"text": "closed text"}`, `{"role": "paragraph", "nth": 3}`} {
		if p := h.does("read_text", `{"locator": `+l+`}`); p["text"] != "closed text" {
			h.t.Errorf("read_text of %s: %v", l, p)
		}
	}
}

func testFrames(h *hands, _ *site) {
	h.open("/frames")
	h.does("wait", `{"locator": {"role": "button", "name": "Tell deep", "nth": 2}}`)
	snapshot := h.does("snapshot", "")["snapshot"].(string)
	for _, want := range []string{`button "Tell a.example"`, `button "Tell other.example"`, `button "In srcdoc"`, `button "Tell deep"`} {
		if !strings.Contains(snapshot, want) {
			h.t.Errorf("no %s in\n%s", want, snapshot)
		}
	}
	h.does("click", `{"locator": {"role": "button", "name": "Tell a.example"}}`)
	h.does("click", `{"locator": {"role": "button", "name": "Tell other.example"}}`)
	h.does("click", `{"locator": {"role": "button", "name": "In srcdoc"}}`)
	h.says("a.example other.example srcdoc")
	for _, title := range []string{"same", "cross"} {
		frame := `"frame": {"role": "iframe", "name": "` + title + `"}`
		h.does("click", `{"locator": {"role": "button", "name": "Tell deep", `+frame+`}}`)
		h.does("fill", `{"locator": {"label": "Field", `+frame+`}, "value": "in `+title+`"}`)
		h.does("assert", `{"locator": {"css": "input", `+frame+`}, "value": "in `+title+`"}`)
		h.does("screenshot", `{"locator": {"css": "input", `+frame+`}}`)
	}
	h.says("srcdoc deep deep")
	e := h.fails("ambiguous", "click", `{"locator": {"role": "button", "name": "Same name"}}`)
	if len(e.Details) != 3 || !strings.Contains(strings.Join(e.Details, " "), `in the frame "https://other.example/inner"`) {
		h.t.Errorf("candidates: %q", e.Details)
	}
	if got := h.text(); !strings.Contains(got, "at other.example") {
		h.t.Errorf("text: %q", got)
	}
}

// testHungFrame checks that a hanging frame of another site delays the page only briefly and is
// left out.
func testHungFrame(h *hands, s *site) {
	must.Succeed(h.t, open(h.t.Context(), h.b, "https://a.example/hungframe"))
	if !s.was("GET /sent?hangs") {
		h.t.Fatal("the frame does not hang")
	}
	if p := h.does("snapshot", ""); p["unread_frames"] != 1 || !strings.Contains(p["snapshot"].(string), "Outside") {
		h.t.Errorf("snapshot: %v", p)
	}
	h.does("click", `{"locator": {"role": "button", "name": "Outside"}}`)
	h.does("tab_close", "")
}

func testDialogs(h *hands, _ *site, notes *notebook) {
	h.open("/dialogs")
	p := h.does("click", `{"locator": {"text": "Ask", "exact": true}}`)
	if got := fmt.Sprint(p["dialogs"]); got != "[map[message:hello type:alert] map[message:sure? type:confirm] map[message:name? type:prompt]]" {
		h.t.Errorf("dialogs: %s", got)
	}
	h.says("false null")
	if !notes.has("page", map[string]any{"event": "dialog_dismissed", "type": "confirm", "message": "sure?"}) {
		h.t.Error("the dialog was not noted")
	}
	h.does("click", `{"locator": {"text": "Hold"}}`)
	h.does("click", `{"locator": {"text": "Leave"}}`) // beforeunload
	h.does("assert", `{"url": "https://a.example/form"}`)
	h.open("/dialogs")
	e := h.fails("dialog_loop", "click", `{"locator": {"text": "Ask for ever"}}`)
	if e.Class != tool.ExecutionError || !strings.Contains(strings.Join(e.Details, " "), "dialog (confirm): again?") {
		h.t.Errorf("dialogs in a loop: %v, %q", e, e.Details)
	}
}

func testSinglePage(h *hands, _ *site) {
	h.open("/spa")
	p := h.does("click", `{"locator": {"text": "Two"}}`)
	if p["url"] != "https://a.example/spa?two" || p["title"] != "spa two" {
		h.t.Errorf("after the click: %v", p)
	}
	if p := h.does("click", `{"locator": {"text": "Push"}}`); p["url"] != "https://a.example/spa?pushed" {
		h.t.Errorf("after the push: %v", p)
	}
	h.does("back", "")
	h.does("wait", `{"url": "*/spa?two"}`)
	h.says("back at ?two")
	h.does("click", `{"locator": {"text": "Load"}}`)
	h.does("wait", `{"locator": {"text": "loaded later"}}`)
}

func testScroll(h *hands, _ *site) {
	h.open("/infinite")
	for _, last := range []string{"item 40", "item 60", "item 80"} {
		h.does("scroll", `{"to": "bottom"}`)
		h.does("wait", `{"text": `+quoted(last)+`}`)
	}
	if p := h.does("scroll", `{"by": -1}`); p["moved"].(int) >= 0 || p["at_bottom"] != false {
		h.t.Errorf("up: %v", p)
	}
	if p := h.does("scroll", `{"to": "top"}`); p["at_top"] != true {
		h.t.Errorf("top: %v", p)
	}
	h.does("scroll", `{"locator": {"text": "item 50"}}`)
}

func testExtract(h *hands, _ *site) {
	h.open("/table")
	tests := []struct{ name, args, want string }{
		{
			"a table by its headings", `{"rows": {"css": "tbody tr"}, "fields": {"name": {"column": "Name"}, "price": {"column": "price"}, "id": {"attr": "data-id"}}}`,
			`[map[id:1 name:Tea price:2.50] map[id:2 name:Coffee price:3.00] map[id:3 name:Water price:0.00]]`,
		},
		{
			"links of several", `{"rows": {"css": "tbody tr"}, "fields": {"to": {"css": "a", "attr": "href", "all": true}}, "max": 2}`,
			`[map[to:[https://a.example/tea]] map[to:[https://a.example/coffee https://a.example/beans]]]`,
		},
		{
			"a list by roles", `{"rows": {"role": "listitem"}, "fields": {"title": {"role": "heading"}, "to": {"role": "link", "attr": "href"}, "tags": {"css": ".tag", "all": true}}}`,
			`[map[tags:[a b] title:One to:https://a.example/one] map[tags:[] title:Two to:https://a.example/two]]`,
		},
		{
			"roles in rows by css", `{"rows": {"css": ".results li"}, "fields": {"title": {"role": "heading", "name": "One"}, "own": {}}}`,
			`[map[own:One a b title:One] map[own:Two title:<nil>] map[own:no title:<nil>]]`,
		},
	}
	for _, tt := range tests {
		p := h.does("extract", tt.args)
		if got := fmt.Sprint(p["rows"]); got != tt.want {
			h.t.Errorf("%s: %s\nwant %s", tt.name, got, tt.want)
		}
		if (p["cut"] == true) != strings.Contains(tt.args, "max") {
			h.t.Errorf("%s: cut %v of %v", tt.name, p["cut"], p["total"])
		}
	}
	if e := h.fails("ambiguous", "extract", `{"rows": {"css": "tbody tr"}, "fields": {"to": {"css": "a", "attr": "href"}}}`); !strings.Contains(i18n.English().Text(e.Message), `field "to" matches 2 elements in row 2`) {
		h.t.Error(e)
	}
	h.fails("no_match", "extract", `{"rows": {"css": "dl"}, "fields": {"a": {}}, "timeout_ms": 50}`)
	h.fails("bad_selector", "extract", `{"rows": {"css": "tr"}, "fields": {"a": {"css": "]"}}}`)
	h.fails("invalid_args", "extract", `{"rows": {"css": "tr"}, "fields": {"a": {"css": "a", "column": "b"}}}`)
}

func testReading(h *hands, _ *site) {
	h.open("/links")
	p := h.does("links", "")
	list := p["links"].([]any)
	if first := list[0].(map[string]any); len(list) != p["total"] || first["text"] != "Plain link" || first["url"] != "https://a.example/form" {
		h.t.Errorf("links: %v", p)
	}
	if p := h.does("links", `{"filter": "FORBIDDEN"}`); p["total"] != 1 {
		h.t.Errorf("filtered: %v", p)
	}
	h.open("/big")
	if p := h.does("links", `{"max": 3}`); len(p["links"].([]any)) != 3 || p["total"] != 5000 || p["cut"] != true {
		h.t.Errorf("cut: %v of %v", p["cut"], p["total"])
	}
	p = h.does("read_text", "")
	if got := p["text"].(string); len(got) != 20_000 || p["cut"] != true || !strings.HasPrefix(got, "some words of a page") {
		h.t.Errorf("text of %d of %v", len(got), p["total_chars"])
	}
	h.open("/table")
	if p := h.does("read_text", `{"locator": {"css": "tbody tr", "nth": 3}}`); strings.Join(strings.Fields(p["text"].(string)), " ") != "Water 0.00 free" || p["cut"] != nil {
		h.t.Errorf("of an element: %v", p)
	}
}

func testPictures(h *hands, _ *site) {
	size := func(args string) (w, hi int) {
		r := h.call("screenshot", args)
		if r.Error != nil || len(r.Artifacts) != 1 || r.Artifacts[0].MediaType != "image/png" {
			h.t.Fatalf("screenshot %s: %v", args, r.Error)
		}
		c, err := png.DecodeConfig(bytes.NewReader(r.Artifacts[0].Data))
		must.Succeed(h.t, err)
		return c.Width, c.Height
	}
	h.open("/links")
	if w, hi := size(""); w != 1280 || hi < 500 || hi > 800 {
		h.t.Errorf("the window is %d × %d", w, hi)
	}
	if w, hi := size(`{"full": true}`); w != 1280 || hi < 3000 {
		h.t.Errorf("the page is %d × %d", w, hi)
	}
	if w, hi := size(`{"locator": {"css": "div"}}`); hi < 2999 || hi > 3001 || w > 1280 {
		h.t.Errorf("an element is %d × %d", w, hi)
	}
	r := h.call("pdf", "")
	if r.Error != nil || len(r.Artifacts) != 1 || !bytes.HasPrefix(r.Artifacts[0].Data, []byte("%PDF-")) {
		h.t.Errorf("pdf: %v", r.Error)
	}
	h.open("/big")
	if p := h.does("screenshot", `{"full": true}`); p["cut"] != true {
		h.t.Errorf("of a page without end: %v", p)
	}
}

func testWait(h *hands, _ *site) {
	h.open("/ready")
	h.does("wait", `{"locator": {"css": "#late"}}`)
	h.does("wait", `{"gone": {"css": "#veil"}}`)
	h.does("wait", `{"url": "https://a.example/ready"}`)
	h.does("wait", `{"url": "https://*/re*dy"}`)
	for _, args := range []string{`{"text": "nevermore", "timeout_ms": 300}`, `{"gone": {"text": "Moving"}, "timeout_ms": 300}`, `{"url": "https://b.example/*", "timeout_ms": 0}`} {
		want := "not within 300ms"
		if strings.Contains(args, `"timeout_ms": 0`) {
			want = "not within 0s"
		}
		if e := h.fails("wait_timeout", "wait", args); e.Class != tool.ToolTimeout || e.Retriable || !strings.Contains(i18n.English().Text(e.Message), want) {
			h.t.Errorf("%+v", e)
		}
	}
}

func testAssert(h *hands, _ *site) {
	h.open("/form")
	for _, args := range []string{
		`{"url": "https://a.example/form", "title": "FORM", "text": "i agree"}`, `{"visible": {"label": "Name"}}`, `{"gone": {"label": "Nobody"}}`,
		`{"locator": {"label": "Notes"}, "value": "old"}`, `{"locator": {"label": "I agree"}, "checked": false}`,
		`{"locator": {"label": "Off"}, "enabled": false}`, `{"locator": {"css": "button"}, "count": 3}`, `{"locator": {"css": "h1"}, "text": "Ord"}`,
	} {
		h.does("assert", args)
	}
	for _, f := range []struct{ args, want string }{
		{`{"title": "other", "timeout_ms": 0}`, `the title contains "other": not within 0s; it is "form"`},
		{`{"locator": {"label": "Notes"}, "value": "new", "timeout_ms": 0}`, `it is "old"`},
		{`{"locator": {"css": "button"}, "count": 2, "timeout_ms": 0}`, "there are 3"},
		{`{"visible": {"text": "nothing"}, "timeout_ms": 0}`, "no visible element matches"},
		{`{"locator": {"label": "Secret"}, "value": "x", "timeout_ms": 0}`, "a password field is not shown"},
	} {
		if e := h.fails("assertion_failed", "assert", f.args); e.Class != tool.ExecutionError || !strings.Contains(i18n.English().Text(e.Message), f.want) {
			h.t.Errorf("%s: %v", f.args, e)
		}
	}
	if e := h.fails("assertion_failed", "assert", `{"url": "https://a.example/", "timeout_ms": 0}`); !strings.Contains(i18n.English().Text(e.Hint), "as in https://a.example/*") {
		h.t.Errorf("hint = %q", e.Hint)
	}
	h.does("assert", `{"url": "https://a.example/*"}`)
	if e := h.fails("assertion_failed", "assert", `{"url": "https://b.example/*", "timeout_ms": 0}`); !e.Hint.IsZero() {
		h.t.Errorf("hint = %q", e.Hint)
	}
	h.fails("ambiguous", "assert", `{"locator": {"role": "button", "name": "Send"}, "enabled": true}`)
	h.fails("invalid_args", "assert", `{}`)
	h.fails("invalid_args", "assert", `{"value": "x"}`)
}

func testHistory(h *hands, _ *site) {
	h.open("/form")
	h.fails("no_such_page", "back", "")
	h.does("tab_close", "")
	h.open("/links")
	h.does("click", `{"locator": {"text": "Plain link"}}`)
	if p := h.does("back", ""); p["url"] != "https://a.example/links" || p["status"] != 200 {
		h.t.Errorf("back: %v", p)
	}
	if p := h.does("forward", ""); p["title"] != "form" {
		h.t.Errorf("forward: %v", p)
	}
	h.fails("no_such_page", "forward", "")
	h.does("fill", `{"locator": {"label": "Name"}, "value": "x"}`)
	if p := h.does("reload", ""); p["title"] != "form" {
		h.t.Errorf("reload: %v", p)
	}
	h.does("assert", `{"locator": {"label": "Name"}, "value": ""}`)
}

func testTabs(h *hands, _ *site) {
	for len(h.does("tabs", "")["tabs"].([]any)) > 0 {
		h.does("tab_close", "")
	}
	h.open("/form")
	h.does("tab_new", `{"url": "https://a.example/links"}`)
	tabs := h.does("tab_new", "")["tabs"].([]any)
	if len(tabs) != 3 || tabs[2].(map[string]any)["current"] != true || tabs[2].(map[string]any)["url"] != "about:blank" {
		h.t.Fatalf("tabs: %v", tabs)
	}
	id := func(i int) string { return quoted(tabs[i].(map[string]any)["id"].(string)) }
	h.does("tab_switch", `{"tab": `+id(0)+`}`)
	h.does("assert", `{"title": "form"}`)
	h.does("fill", `{"locator": {"label": "Name"}, "value": "in front"}`)
	h.does("tab_close", `{"tab": `+id(2)+`}`)
	h.does("assert", `{"title": "form"}`)
	left := h.does("tab_close", "")["tabs"].([]any)
	if len(left) != 1 || left[0].(map[string]any)["id"] != tabs[1].(map[string]any)["id"] || left[0].(map[string]any)["current"] != true {
		h.t.Errorf("left: %v", left)
	}
	e := h.fails("no_such_tab", "tab_switch", `{"tab": `+id(0)+`}`)
	if e.Class != tool.ValidationError || !strings.Contains(i18n.English().Text(e.Hint), "the tabs are t") {
		h.t.Errorf("%v, hint %q", e, e.Hint)
	}
}

func testWorker(h *hands, _ *site) {
	h.open("/worker")
	h.says("ready")
	h.does("reload", "")
	h.does("assert", `{"title": "worker"}`) // not the worker's answer
}

func testMoves(h *hands, s *site) {
	h.open("/moves")
	h.does("click", `{"locator": {"text": "Go soon"}}`)
	h.does("fill", `{"locator": {"label": "Name"}, "value": "x"}`) // waits for the page that comes
	h.open("/moves")
	if p := h.does("click", `{"locator": {"text": "Go slowly"}}`); p["title"] != "slow" {
		h.t.Errorf("a slow page: %v", p)
	}
	h.open("/moves")
	e := h.fails("navigation_needs_approval", "click", `{"locator": {"text": "Go astray"}}`)
	if e.Class != tool.PolicyDenied || s.reached("forbidden.example") {
		h.t.Errorf("astray: %v", e)
	}
	h.does("assert", `{"url": "https://a.example/moves"}`)
	h.does("click", `{"locator": {"text": "Go nowhere"}}`)
	h.fails("download_denied", "click", `{"locator": {"text": "Get file"}}`)
	ctx, cancel := context.WithTimeout(h.t.Context(), 2*time.Second)
	defer cancel()
	found, _ := h.tools.Get("browser.click")
	began := time.Now()
	r, _ := found.Call(ctx, tool.Call{Args: map[string]any{"locator": map[string]any{"text": "Go on and on"}}})
	if r.Error == nil || r.Error.Code != "page_timeout" || time.Since(began) > poll.Patience {
		h.t.Errorf("an endless page: %+v after %v", r.Error, time.Since(began))
	}
}

func testHang(h *hands, _ *site) {
	h.open("/dialogs")
	h.does("click", `{"locator": {"text": "Hang"}}`)
	if e := h.fails("page_timeout", "read_text", ""); e.Class != tool.ToolTimeout {
		h.t.Error(e)
	}
	h.does("tab_close", "")
	h.open("/form")
	h.does("snapshot", "")
}

func testCrash(h *hands, _ *site) {
	h.open("/form")
	done := make(chan *tool.Error, 1)
	go func() { done <- h.call("wait", `{"text": "never", "timeout_ms": 20000}`).Error }()
	h.awaitTurn()
	must.Succeed(h.t, crash(h.t.Context(), h.b))
	if e := <-done; e == nil || e.Code != "page_crashed" {
		h.t.Error(e)
	}
	h.fails("page_crashed", "snapshot", "")
	h.does("tab_close", "")
	h.open("/form")
	h.does("snapshot", "")
}
