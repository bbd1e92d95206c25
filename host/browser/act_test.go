package browser_test

import (
	"context"
	"encoding/json"
	"testing"

	"errand/host/browser"
	"errand/host/tool"
)

// hands is the browser's tools on one browser.
type hands struct {
	t     testing.TB
	b     *browser.Browser
	tools *tool.Set
}

func newHands(t testing.TB, b *browser.Browser) *hands {
	t.Helper()
	set, err := tool.NewSet(browser.Tools(browser.ToolOptions{
		Open:    func(context.Context) (*browser.Browser, error) { return b, nil },
		Running: func() *browser.Browser { return b },
	})...)
	if err != nil {
		t.Fatal(err)
	}
	return &hands{t, b, set}
}

// call calls a tool with arguments as JSON.
func (h *hands) call(name, args string) tool.Result {
	h.t.Helper()
	call := tool.Call{Tool: "browser." + name, Args: map[string]any{}}
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

// does calls a tool that has to work, and answers with its payload.
func (h *hands) does(name, args string) map[string]any {
	h.t.Helper()
	r := h.call(name, args)
	if r.Error != nil {
		h.t.Fatalf("%s %s: %s: %v %v", name, args, r.Error.Code, r.Error, r.Error.Details)
	}
	payload, _ := r.Payload.(map[string]any)
	return payload
}

// fails calls a tool that has to fail, with a code.
func (h *hands) fails(code, name, args string) *tool.Error {
	h.t.Helper()
	r := h.call(name, args)
	if r.Error == nil || r.Error.Code != code {
		h.t.Errorf("%s %s = %v, %v; want code %s", name, args, r.Payload, r.Error, code)
		return &tool.Error{}
	}
	return r.Error
}

func TestBase(t *testing.T) {
	w := newWorld(t)
	w.https("a.example", html(`<title>x</title><h1>Hi</h1><form action="/sent"><label>Name <input name=q></label><button>Send</button></form><a href="/next">Next</a>
	<select aria-label=S><option>A<option>B</select><label><input type=checkbox> Agree</label>`))
	b := w.launch()
	h := newHands(t, b)
	h.fails("no_page", "snapshot", "")
	h.does("open", `{"url": "https://a.example/"}`)
	t.Log(h.does("snapshot", "")["snapshot"])
	t.Log(h.does("fill", `{"locator": {"label": "Name"}, "value": "Ann"}`))
	t.Log(h.does("select", `{"locator": {"label": "S"}, "values": ["B"]}`))
	t.Log(h.does("check", `{"locator": {"label": "Agree"}, "on": true}`))
	t.Log(h.does("find", `{"text": "Agree"}`))
	t.Log(h.does("click", `{"locator": {"role": "button"}}`))
	t.Log(h.does("click", `{"locator": {"role": "link"}, "expect": "link"}`))
	t.Log(h.does("back", ""))
	t.Log(h.does("tabs", ""))
	h.fails("not_a_link", "click", `{"locator": {"role": "button"}, "expect": "link"}`)
}
