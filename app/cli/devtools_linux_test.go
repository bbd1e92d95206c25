package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/cdp"

	"errand/build/must"
	"errand/build/poll"
)

// devtools looks at the visible browser through a connection of its own, which the program knows
// nothing of.
type devtools struct {
	t    *testing.T
	home string
}

// attachDevTools makes the browser of a screen listen for the test: the program starts it by a script
// that asks for a port.
func attachDevTools(t *testing.T, s *screen) *devtools {
	t.Helper()
	script := filepath.Join(s.home, "browser")
	must.Succeed(t, os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nexec %s --remote-debugging-port=0 --remote-allow-origins='*' \"$@\"\n", browserPath(t)), 0o700))
	s.env = append(s.env, "ERRAND_BROWSER_BIN="+script)
	return &devtools{t, s.home}
}

// port is the port of the running browser, which has written it into its profile; "" if there is none.
func (d *devtools) port() string {
	d.t.Helper()
	for _, pid := range processesWith(d.t, d.home) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if _, profile, ok := strings.Cut(string(line), "\x00--user-data-dir="); ok && !strings.Contains(string(line), "--type=") {
			profile, _, _ = strings.Cut(profile, "\x00")
			written, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
			if port, _, ok := strings.Cut(string(written), "\n"); ok {
				return port
			}
		}
	}
	return ""
}

// shownPage is a page as the browser has it.
type shownPage struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	URL    string `json:"url"`
	Title  string `json:"title"`
	Socket string `json:"webSocketDebuggerUrl"`
}

// get reads a document of the DevTools server. It is false if nothing listens.
func (d *devtools) get(path string, into any) bool {
	d.t.Helper()
	answer, err := http.Get("http://127.0.0.1:" + d.port() + path)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must.Succeed(d.t, err)
	must.Succeed(d.t, json.Unmarshal(body, into))
	return true
}

// pages lists the open pages.
func (d *devtools) pages() (out []shownPage) {
	d.t.Helper()
	var all []shownPage
	d.get("/json/list", &all)
	for _, p := range all {
		if p.Type == "page" {
			out = append(out, p)
		}
	}
	return out
}

// call makes one call of the protocol.
func (d *devtools) call(socket, method string, params, into any) {
	d.t.Helper()
	c, err := cdp.StartWithURL(d.t.Context(), socket, nil)
	must.Succeed(d.t, err)
	answer, err := c.Call(d.t.Context(), "", method, params)
	must.Succeed(d.t, err)
	must.Succeed(d.t, json.Unmarshal(answer, into))
}

// front is the page that the user sees, with where it is scrolled to.
func (d *devtools) front() (p shownPage, scroll string) {
	d.t.Helper()
	poll.Await(d.t, "one page is in front", func() bool {
		in := 0
		for _, each := range d.pages() {
			var got struct {
				Result struct{ Value string } `json:"result"`
			}
			d.call(each.Socket, "Runtime.evaluate", map[string]any{"expression": where}, &got)
			if got.Result.Value != "hidden" {
				p, scroll = each, got.Result.Value
				in++
			}
		}
		return in == 1
	})
	return p, scroll
}

// where is the script that says where a page is scrolled to.
const where = `(() => {
	if (document.visibilityState !== "visible") return "hidden";
	if (scrollY < 1) return "top";
	return innerHeight + scrollY >= document.documentElement.scrollHeight - 2 ? "bottom" : "middle";
})()`

// windows counts the windows that the pages are in.
func (d *devtools) windows() int {
	d.t.Helper()
	var version struct {
		Socket string `json:"webSocketDebuggerUrl"`
	}
	if !d.get("/json/version", &version) {
		return 0
	}
	ids := map[int]bool{}
	for _, p := range d.pages() {
		var got struct{ WindowID int }
		d.call(version.Socket, "Browser.getWindowForTarget", map[string]any{"targetId": p.ID}, &got)
		ids[got.WindowID] = true
	}
	return len(ids)
}

// browsers counts the browsers of the home.
func (d *devtools) browsers() int {
	d.t.Helper()
	n := 0
	for _, pid := range processesWith(d.t, d.home) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if strings.Contains(string(line), "--remote-debugging-pipe") && !strings.Contains(string(line), "--type=") {
			n++
		}
	}
	return n
}

// holdAnswers makes the page in front wait for the answers to requests of addresses with a text. The
// site has served a request when the channel closes.
func (d *devtools) holdAnswers(text string) (served <-chan struct{}) {
	d.t.Helper()
	p, _ := d.front()
	c, err := cdp.StartWithURL(d.t.Context(), p.Socket, nil)
	must.Succeed(d.t, err)
	_, err = c.Call(d.t.Context(), "", "Fetch.enable", map[string]any{"patterns": []map[string]any{{"urlPattern": "*" + text + "*", "requestStage": "Response"}}})
	must.Succeed(d.t, err)
	done := make(chan struct{})
	go func() { // ends with the browser
		closed := false
		for e := range c.Event() {
			if e.Method == "Fetch.requestPaused" && !closed {
				close(done)
				closed = true
			}
		}
	}()
	return done
}
