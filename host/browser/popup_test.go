//go:build unix

package browser_test

import (
	"context"
	"fmt"
	"testing"

	"errand/build/must"
	"errand/build/poll"
	"errand/host/browser/actions"
	"errand/host/browser/page"
	"errand/host/tool"
)

// caller calls the tools of a browser.
func caller(t *testing.T, b *page.Browser, files actions.Files) func(name string, args map[string]any) tool.Result {
	t.Helper()
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return b, nil }, Running: func(context.Context) *page.Browser { return b }, Files: files,
	})...)
	must.Succeed(t, err)
	return func(name string, args map[string]any) tool.Result {
		t.Helper()
		x, ok := set.Get(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		r, err := x.Call(t.Context(), tool.Call{Args: args, Effect: tool.EffectFile})
		must.Succeed(t, err)
		return r
	}
}

// TestPopupsOfActions checks that a window opened by a run's click becomes a tab if policy
// permits it, and is closed before it sends a request otherwise.
func TestPopupsOfActions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("a.example", html(`<title>a</title><a href="https://b.example/link" target="_blank">link</a>
		<button onclick="window.open('https://b.example/opened')">opened</button>
		<button onclick="window.open('https://b.example/noopener', '', 'noopener')">noopener</button>
		<button onclick="window.open('about:blank').location = 'https://b.example/blank'">blank</button>
		<button onclick="window.open('https://forbidden.example/x')">astray</button>
		<button onclick="window.open('about:blank').location = 'https://forbidden.example/x'">led off later</button>
		<button onclick="setTimeout(() => { for (let i = 0; i < 5; i++) window.open('https://b.example/late') }, 7000)">late</button>`))
	w.https("b.example", html("<title>b</title>"))
	w.https("forbidden.example", html("<title>no</title>"))
	notes := &notebook{}
	b := w.launch(func(o *page.Options) { o.Note, o.Decide = notes.write, allowHosts("a.example", "b.example") })
	call := caller(t, b, actions.Files{})
	if _, err := b.Open(t.Context(), "https://a.example/"); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		button string
		want   string // tabs in the click's result
		url    string // final address of that tab
	}{
		{"opened", "[t2]", "https://b.example/opened"},
		{"noopener", "[t3]", "https://b.example/noopener"},
		{"blank", "[t4]", "https://b.example/blank"},
		{"astray", "<nil>", ""},
		{"led off later", "<nil>", ""},
	}
	for _, tt := range tests {
		t.Run(tt.button, func(t *testing.T) {
			r := call("browser.click", map[string]any{"locator": map[string]any{"role": "button", "name": tt.button}})
			if !r.OK || fmt.Sprint(r.Payload.(map[string]any)["opened"]) != tt.want {
				t.Fatalf("%v, %v; want %s", r.Payload, r.Error, tt.want)
			}
			var tabs []page.TabInfo
			at := func() bool {
				tabs, _ = b.Tabs(t.Context())
				return tt.url == "" || len(tabs) > 0 && (tabs[len(tabs)-1].URL == tt.url || tabs[len(tabs)-1].URL == "")
			}
			if !poll.WaitUntil(at) || len(tabs) == 0 || !tabs[0].Current {
				t.Errorf("tabs = %+v, want the last at %s", tabs, tt.url)
			}
		})
	}
	t.Run("link", func(t *testing.T) {
		r := call("browser.click", map[string]any{"locator": map[string]any{"role": "link", "name": "link"}, "expect": "link"})
		if !r.OK || fmt.Sprint(r.Payload.(map[string]any)["opened"]) != "[t5]" {
			t.Fatalf("%v, %v", r.Payload, r.Error)
		}
		if r = call("browser.tab_switch", map[string]any{"tab": "t5"}); !r.OK {
			t.Fatal(r.Error)
		}
		if r = call("browser.wait", map[string]any{"url": "https://b.example/link"}); !r.OK {
			t.Error(r.Error)
		}
	})
	if w.reached("forbidden.example") {
		t.Error("a popup reached a host that is not allowed")
	}
	if n := notes.count("page", map[string]any{"event": "popup_opened"}); n != 4 {
		t.Errorf("%d popups were noted as opened", n)
	}
}
