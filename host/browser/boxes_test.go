//go:build unix

package browser_test

import (
	"fmt"
	"strings"

	"errand/app/i18n"
	"errand/host/tool"
)

// row is a form with n fields in a row. Each is as wide as one character or as a word.
func row(name string, n int, attributes string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `<input aria-label="%s %d" name="%s%d" %s>`, name, i, name, i, attributes)
	}
	return `<form action="/sent" id="` + name + `" aria-label="` + name + `">` + b.String() + `</form>`
}

func init() {
	const narrow = `style="width:2em;height:2em"`
	pages["/code"] = `<title>code</title>
		` + row("Plain", 6, narrow+` maxlength="1" inputmode="numeric"`) + `
		` + row("Sliced", 6, narrow) + `
		` + row("Dealt", 6, narrow+` autocomplete="one-time-code"`) + `
		` + row("Numbers", 4, narrow+` type="number" maxlength="1"`) + `
		` + row("Dots", 6, narrow+` type="password" maxlength="1"`) + `
		` + row("Key", 3, `style="width:6em" maxlength="5"`) + `
		` + row("Stays", 3, narrow+` maxlength="1"`) + `
		` + row("Sends", 4, narrow+` maxlength="1"`) + `
		<form><label>From <input maxlength="5" style="width:6em"></label><label>To <input maxlength="5" style="width:6em"></label></form>
		<form><input aria-label="First" style="width:12em"><input aria-label="Second" style="width:12em"></form>
		<script>
			const fields = (id) => [...document.getElementById(id).elements];
			const next = (e) => e.form.elements[[...e.form.elements].indexOf(e) + 1];
			const full = (e) => e.value.length >= e.maxLength;
			for (const id of ["Plain", "Numbers", "Dots", "Sends"]) for (const e of fields(id)) e.oninput = () => { e.value = e.value.slice(-1); if (e.value && next(e)) next(e).focus() };
			for (const e of fields("Sliced")) e.oninput = () => { e.value = e.value.slice(-1); setTimeout(() => next(e)?.focus(), 40) };
			for (const e of fields("Dealt")) e.oninput = () => { [...e.value].forEach((c, i) => { const to = fields("Dealt")[fields("Dealt").indexOf(e) + i]; if (to) to.value = c }); next(e)?.focus() };
			for (const e of fields("Key")) e.onkeyup = () => { if (full(e)) next(e)?.focus() };
			Sends.addEventListener("input", () => { if (fields("Sends").every((e) => e.value)) Sends.requestSubmit() });
			for (const e of document.querySelectorAll("label input")) e.oninput = () => { if (full(e) && next(e)) next(e).focus() };
			document.querySelector("[aria-label=First]").oninput = (ev) => { ev.target.value = ""; document.querySelector("[aria-label=Second]").focus() };
		</script>`
}

// testBoxes checks that a value that a page splits over a row of fields is entered as if a person
// typed it, and that no other field gets a part of it.
func testBoxes(h *hands, s *site) {
	h.open("/code")
	holds := func(name string, want ...string) {
		h.t.Helper()
		for i, v := range want {
			h.does("assert", fmt.Sprintf(`{"locator": {"label": "%s %d"}, "value": %q}`, name, i+1, v))
		}
	}
	for _, f := range []struct {
		name, value string
		want        []string
	}{
		{"Plain", "123456", []string{"1", "2", "3", "4", "5", "6"}},
		{"Plain", "987 654", []string{"9", "8", "7", "6", "5", "4"}}, // in place of what is there
		{"Plain", "12-34-56", []string{"1", "2", "3", "4", "5", "6"}},
		{"Sliced", "a1b2c3", []string{"a", "1", "b", "2", "c", "3"}},
		{"Numbers", "4711", []string{"4", "7", "1", "1"}},
		{"Key", "ABCDE-fghij-12345", []string{"ABCDE", "fghij", "12345"}},
	} {
		p := h.does("fill", `{"locator": {"label": "`+f.name+` 1"}, "value": `+quoted(f.value)+`}`)
		joined := strings.Join(f.want, "")
		if p["fields"] != len(f.want) || p["kept"] != (joined == f.value) || joined != f.value && p["value"] != joined {
			h.t.Errorf("%s %q: %v", f.name, f.value, p)
		}
		holds(f.name, f.want...)
	}

	// A single box is an ordinary field.
	if p := h.does("fill", `{"locator": {"label": "Plain 2"}, "value": "0"}`); p["fields"] != nil || p["kept"] != true {
		h.t.Errorf("one box: %v", p)
	}
	holds("Plain", "1", "0", "3")

	for _, f := range []struct{ label, value, message, hint string }{
		{"Numbers 1", "123456", "did not accept the value", "each of 4 fields"},
		{"Plain 3", "12345678", "did not accept the value", "each of 4 fields"},
		{"Stays 1", "123", `kept "1"`, "each of 3 fields"}, // its page moves the focus nowhere
		{"From", "12345-6789", `kept "12345"`, "at most 5 characters"},
		{"First", "two words", "it is empty", "check on the page"},
	} {
		e := h.fails("not_taken", "fill", `{"locator": {"label": "`+f.label+`", "exact": true}, "value": `+quoted(f.value)+`}`)
		if !strings.Contains(i18n.English().Text(e.Message), f.message) || !strings.Contains(i18n.English().Text(e.Hint), f.hint) {
			h.t.Errorf("%s: %v (%s)", f.label, e, e.Hint)
		}
	}
	for _, label := range []string{"To", "Second", "Stays 2"} {
		h.does("assert", `{"locator": {"label": "`+label+`", "exact": true}, "value": ""}`)
	}

	testSecretBoxes(h)

	h.does("fill", `{"locator": {"label": "Sends 1"}, "value": "1234"}`)
	if !s.was("GET /sent?Sends1=1&Sends2=2&Sends3=3&Sends4=4") {
		h.t.Errorf("the page did not send what it was given: %v", s.sent)
	}
}

// testSecretBoxes checks that every part of a split secret is hidden.
func testSecretBoxes(h *hands) {
	fill, _ := h.tools.Get("browser.fill")
	for _, f := range []struct {
		name, value string
		declared    bool
	}{{"Dealt", "864202", false}, {"Dots", "753197", false}, {"Plain", "975318", true}} {
		r, err := fill.Call(h.t.Context(), tool.Call{Secret: f.declared, Args: map[string]any{"locator": map[string]any{"label": f.name + " 1"}, "value": f.value}})
		if err != nil || r.Error != nil {
			h.t.Errorf("%s: %v, %v", f.name, err, r.Error)
			continue
		}
		if p := r.Payload.(map[string]any); p["fields"] != 6 || p["value"] != nil || !f.declared && fmt.Sprint(r.Secrets) != "["+f.value+"]" {
			h.t.Errorf("%s: %v, secrets %v", f.name, p, r.Secrets)
		}
		outline, _ := h.does("snapshot", `{"locator": {"css": "#`+f.name+`"}}`)["snapshot"].(string)
		if strings.Count(outline, ": •") != 6 {
			h.t.Errorf("%s is told box by box:\n%s", f.name, outline)
		}
		for i := range 6 {
			at := fmt.Sprintf(`{"css": "[aria-label='%s %d']"}`, f.name, i+1)
			if e := h.fails("assertion_failed", "assert", `{"locator": `+at+`, "value": "x", "timeout_ms": 100}`); !strings.Contains(i18n.English().Text(e.Message), "a password field is not shown") {
				h.t.Errorf("%s: %v", f.name, e)
			}
			rows := h.does("extract", `{"rows": `+at+`, "fields": {"v": {"attr": "value"}}}`)["rows"]
			if fmt.Sprint(rows) != "[map[v:<nil>]]" {
				h.t.Errorf("%s %d: %v", f.name, i+1, rows)
			}
		}
	}
}
