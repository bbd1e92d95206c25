//go:build unix

package browser_test

import (
	"strings"
	"testing"

	"errand/host/tool"
)

// currentURL is the address of the current tab.
func (h *hands) currentURL() string {
	h.t.Helper()
	for _, t := range h.does("tabs", "")["tabs"].([]any) {
		if tab := t.(map[string]any); tab["current"] == true {
			return tab["url"].(string)
		}
	}
	return ""
}

func testWhichTab(h *hands, _ *site) {
	h.open("/form")
	h.open("/links")
	h.open("/table")
	count := len(h.does("tabs", "")["tabs"].([]any))
	for _, tt := range []struct{ args, want string }{
		{`{"to": "first"}`, ""},
		{`{"to": "last"}`, "/table"},
		{`{"to": "previous"}`, "/links"},
		{`{"to": "next"}`, "/table"},
		{`{"words": "FORM"}`, "/form"},
		{`{"words": "links"}`, "/links"},
	} {
		h.does("tab_switch", tt.args)
		if got := h.currentURL(); tt.want != "" && got != "https://a.example"+tt.want {
			h.t.Errorf("tab_switch %s is at %s, want %s", tt.args, got, tt.want)
		}
	}
	h.does("tab_switch", `{"to": "last"}`)
	h.does("tab_switch", `{"to": "next"}`) // goes around
	h.does("tab_switch", `{"to": "previous"}`)
	if got := h.currentURL(); got != "https://a.example/table" {
		h.t.Errorf("next and previous from the last tab: %s", got)
	}
	h.fails("no_such_tab", "tab_switch", `{"number": 99}`)
	h.fails("no_such_tab", "tab_switch", `{"words": "zebra"}`)
	h.open("/form")
	h.does("tab_switch", `{"words": "links"}`)
	h.fails("ambiguous_tab", "tab_switch", `{"words": "form"}`)
	h.fails("invalid_args", "tab_close", `{"number": 1, "words": "form"}`)
	h.does("tab_close", "")
	h.does("tab_reopen", "")
	if got := h.currentURL(); got != "https://a.example/links" {
		h.t.Errorf("tab_reopen opened %s", got)
	}
	h.does("tab_close", `{"others": true}`)
	if left := len(h.does("tabs", "")["tabs"].([]any)); left != 1 || count < 3 {
		h.t.Errorf("%d tabs are left", left)
	}
	if got := h.currentURL(); got != "https://a.example/links" {
		h.t.Errorf("after closing the others the current tab is %s", got)
	}
}

func testZoom(h *hands, _ *site) {
	h.open("/form")
	for _, tt := range []struct {
		args string
		want int
	}{
		{`{"step": "in"}`, 110}, {`{"step": "in"}`, 125}, {`{"step": "out"}`, 110}, {`{"percent": 200}`, 200}, {`{"step": "reset"}`, 100}, {`{"step": "out"}`, 90},
	} {
		if got := h.does("zoom", tt.args)["percent"]; got != tt.want {
			h.t.Errorf("zoom %s: %v, want %d", tt.args, got, tt.want)
		}
	}
}

func testShowText(h *hands, _ *site) {
	h.open("/links")
	found := h.does("show_text", `{"text": "BELOW"}`)
	if found["total"] != 1 || !strings.Contains(found["context"].(string), "Below") {
		h.t.Errorf("found %v", found)
	}
	if at := h.does("scroll", `{"by": 0}`); at["at_top"] == true {
		h.t.Errorf("the page did not scroll: %v", at)
	}
	if found := h.does("show_text", `{"text": "link", "nth": 3}`); found["place"] != 3 || found["total"].(int) < 8 {
		h.t.Errorf("found %v", found)
	}
	if found := h.does("show_text", `{"text": "zebra"}`); found["total"] != 0 || found["place"] != 0 {
		h.t.Errorf("found %v", found)
	}
	h.open("/frames")
	h.says("at other.example")
	if found := h.does("show_text", `{"text": "at other.example"}`); found["total"] != 1 {
		h.t.Errorf("in a frame: %v", found)
	}
}

func testSavePage(h *hands, _ *site) {
	h.open("/table")
	for as, want := range map[string]string{"html": "<td>Coffee", "text": "Coffee"} {
		r := h.call("save", `{"as": "`+as+`"}`)
		if r.Error != nil || len(r.Artifacts) != 1 || !strings.Contains(string(r.Artifacts[0].Data), want) {
			h.t.Errorf("save as %s: %v, %v", as, r.Artifacts, r.Error)
		}
	}
}

func testOpenResult(h *hands, _ *site) {
	for _, tt := range []struct{ args, want string }{
		{`{"kind": "link", "nth": 2}`, "/coffee"}, {`{"kind": "link", "nth": -1}`, "/two"}, {`{"kind": "link", "nth": 1}`, "/tea"},
	} {
		h.open("/table")
		if at := h.does("open_result", tt.args)["url"]; at != "https://a.example"+tt.want {
			h.t.Errorf("open_result %s is at %v, want %s", tt.args, at, tt.want)
		}
	}
	h.does("back", "")
	if got := h.currentURL(); got != "https://a.example/table" {
		h.t.Errorf("back from a result is %s", got)
	}
	h.fails("no_such_result", "open_result", `{"kind": "link", "nth": 40}`)
	h.open("/links")
	h.fails("navigation_needs_approval", "open_result", `{"kind": "link", "nth": 6}`) // to forbidden.example
}

func testBackTimes(h *hands, _ *site) {
	h.open("/table")
	h.does("open_result", `{"kind": "link", "nth": 1}`)
	h.open("/table")
	h.does("open_result", `{"kind": "link", "nth": 1}`)
	h.fails("no_such_page", "back", `{"times": 5}`)
	h.does("back", `{"times": 1}`)
	if at := h.does("forward", `{"times": 1}`)["url"]; at != "https://a.example/tea" {
		h.t.Errorf("forward is at %v", at)
	}
}

func testNames(h *hands, s *site) {
	h.open("/form")
	for field, label := range map[string]string{"name": "Name", "search": "q", "notes": "Notes"} {
		h.does("fill", `{"locator": {"field": "`+field+`"}, "value": "`+label+`"}`)
	}
	if at := h.does("fill", `{"locator": {"field": "@search"}, "value": "cats"}`); at["role"] != "textbox" {
		h.t.Errorf("the field for searching is %v", at)
	}
	h.fails("no_match", "fill", `{"locator": {"field": "zebra"}, "value": "x", "timeout_ms": 0}`)
	h.fails("ambiguous", "click", `{"locator": {"control": "send"}}`)
	h.does("click", `{"locator": {"control": "plain"}}`)
	if !s.was("GET /sent?plain") {
		h.t.Error("the button was not clicked")
	}
	h.open("/links")
	if at := h.try("click", `{"locator": {"control": "bold link"}}`, tool.EffectNavigate); at.Error != nil {
		h.t.Errorf("a link by its words: %v", at.Error)
	}
	h.open("/links") // the whole name wins over a part
	if at := h.try("click", `{"locator": {"control": "far link"}}`, tool.EffectNavigate); at.Error != nil {
		h.t.Errorf("a link by its whole name: %v", at.Error)
	}
}

// TestSessionTools: without a page, or with only one, the tools say so.
func TestSessionTools(t *testing.T) {
	s := newSite(t)
	h := newHands(t, s.launch())
	h.fails("no_page", "show_text", `{"text": "x"}`)
	h.fails("no_page", "zoom", `{"step": "in"}`)
	h.fails("no_page", "tab_switch", `{"to": "next"}`)
	h.fails("no_page", "open_result", `{"kind": "result", "nth": 1}`)
	h.open("/form")
	h.fails("no_such_tab", "tab_switch", `{"to": "next"}`)
	h.fails("no_closed_tab", "tab_reopen", "")
}
