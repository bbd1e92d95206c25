//go:build unix

package browser_test

import (
	"testing"

	"errand/build/must"
	"errand/host/tool"
)

// TestClickFindsElementAgain checks that a click acts on the element that was classified, if it
// still exists, and otherwise on the element that the locator finds now.
func TestClickFindsElementAgain(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html(`<title>a</title><p id=said></p><button id=b onclick="said.textContent = 'one'">Go</button>`))
	b := w.launch()
	const button = `{"locator": {"role": "button"}, "timeout_ms": 0}`
	for _, c := range []struct {
		name, meanwhile string // the page's change between the classification and the click
		clicked, code   string
	}{
		{"as it was", ``, "one", ""},
		{"another in its place", `b.replaceWith(Object.assign(b.cloneNode(true), {onclick: () => said.textContent = "two"}))`, "two", ""},
		{"gone", `b.remove()`, "", "no_match"},
		{"disabled", `b.disabled = true`, "", "not_ready"},
		{"covered", `document.body.append(Object.assign(document.createElement("div"), {style: "position:fixed;inset:0"}))`, "", "not_ready"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHands(t, b)
			h.open("/")
			found, _ := h.tools.Get("browser.click")
			call := tool.Call{Tool: "browser.click", Args: map[string]any{"locator": map[string]any{"role": "button"}}}
			if effect, err := found.(tool.Classifier).Classify(t.Context(), call); err != nil || effect != tool.EffectCommit {
				t.Fatalf("judged as %q, %v", effect, err)
			}
			page, err := rodPage(h.b)
			must.Succeed(t, err)
			if _, err := page.Eval("() => {" + c.meanwhile + "}"); err != nil {
				t.Fatal(err)
			}
			r := h.try("click", button, tool.EffectCommit)
			switch {
			case c.code == "" && r.Error != nil:
				t.Errorf("it failed: %v", r.Error)
			case c.code != "" && (r.Error == nil || r.Error.Code != c.code):
				t.Errorf("it ended with %v, want %s", r.Error, c.code)
			}
			if said := h.eval(t, "() => said.textContent"); said != c.clicked {
				t.Errorf("%q was clicked, want %q", said, c.clicked)
			}
		})
	}
}

// eval runs a function in the page's own world and returns its result.
func (h *hands) eval(t *testing.T, f string) string {
	t.Helper()
	page, err := rodPage(h.b)
	must.Succeed(t, err)
	said, err := page.Eval(f)
	must.Succeed(t, err)
	return said.Value.Str()
}
