//go:build unix

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"errand/build/must"
	"errand/host/browser/actions"
	"errand/host/browser/document"
	"errand/host/browser/page"
	"errand/host/tool"
)

// found is the results page of an imaginary site. With ?late it loads the results later.
func found(rw http.ResponseWriter, r *http.Request) {
	var list strings.Builder
	for i := 1; i <= 4; i++ {
		fmt.Fprintf(&list, `<li class="hit"><a href="/by/%d"><img alt="picture"></a><h3><a class="t" href="/page/%d?x=1#top">Result number %d</a></h3><a href="/author/%d">Author %d</a> <span>some words</span></li>`, i, i, i, i, i)
	}
	body := "<ol>" + list.String() + "</ol>"
	if r.URL.Query().Has("late") {
		body = `<ol></ol><script>setTimeout(() => { document.querySelector("ol").innerHTML = ` + "`" + list.String() + "`" + ` }, 600)</script>`
	}
	if r.URL.Query().Has("none") {
		body = "<p>Nothing was found.</p>"
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(rw, `<!doctype html><title>found</title><nav><a href="/one">The first part</a><a href="/two">The second part</a><a href="/three">The third part</a></nav>
		<main><h1>Results</h1>%s<a href="?q=x&page=2">Next page of results</a></main>`, body)
}

// TestResults reads the results of a page in a real Chromium: by the site's known structure, by
// heuristics if that fails, and if the page loads them later.
func TestResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("search.example", http.HandlerFunc(found))
	b := w.launch()
	shape := map[string]actions.ResultShape{}
	set, err := tool.NewSet(actions.New(actions.Options{
		Open: func(context.Context) (*page.Browser, error) { return b, nil }, Running: func(context.Context) *page.Browser { return b },
		Results: func(host string) (actions.ResultShape, bool) { s, ok := shape[host]; return s, ok },
	})...)
	must.Succeed(t, err)
	h := &hands{t, b, set}
	for _, c := range []struct {
		name, query string
		shape       actions.ResultShape
		args        string
		want        string // titles, separated by commas
		total       int
	}{
		{"unknown", "?q=x", actions.ResultShape{}, "", "Result number 1,Result number 2,Result number 3,Result number 4", 4},
		{"the first two", "?q=x", actions.ResultShape{}, `{"max": 2}`, "Result number 1,Result number 2", 4},
		{"fetched late", "?late&q=x", actions.ResultShape{}, `{"max": 1}`, "Result number 1", 4},
		{"known", "?q=x", actions.ResultShape{Row: ".hit", Title: ".t"}, "", "Result number 1,Result number 2,Result number 3,Result number 4", 4},
		{"known otherwise", "?q=x", actions.ResultShape{Row: ".hit", Title: "span", Link: "h3 a"}, `{"max": 1}`, "some words", 4},
		{"made anew since", "?q=x", actions.ResultShape{Row: ".result", Title: ".t"}, `{"max": 1}`, "Result number 1", 4},
		{"none", "?none&q=x", actions.ResultShape{Row: ".hit", Title: ".t"}, "", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			delete(shape, "search.example")
			if c.shape.Row != "" {
				shape["search.example"] = c.shape
			}
			must.Succeed(t, open(t.Context(), b, "https://search.example/"+c.query))
			p := h.does("results", c.args)
			var titles []string
			rows, _ := p["results"].([]any)
			for i, r := range rows {
				m := r.(map[string]any)
				titles = append(titles, fmt.Sprint(m["title"]))
				if want := fmt.Sprintf("https://search.example/page/%d?x=1#top", i+1); m["url"] != want {
					t.Errorf("row %d leads to %v, want %s", i+1, m["url"], want)
				}
			}
			if got := strings.Join(titles, ","); got != c.want || fmt.Sprint(p["total"]) != fmt.Sprint(c.total) {
				t.Errorf("%q of %v, want %q of %d", got, p["total"], c.want, c.total)
			}
		})
	}
}

// TestDrift checks that no action is done on an element that differs from its expected identity,
// and that the error has both.
func TestDrift(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.https("shop.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(rw, `<!doctype html><title>shop</title><button id="b" onclick="document.title = 'clicked'">Buy now</button><button>Buy later</button>
			<a href="/x" id="l">Buy</a><button id="s">Loading</button><script>setTimeout(() => { document.getElementById("s").textContent = "Save" }, 700)</script>`)
	}))
	b := w.launch()
	h := newHands(t, b)
	must.Succeed(t, open(t.Context(), b, "https://shop.example/"))
	for _, c := range []struct{ name, locator, found string }{
		{"another name", `{"css": "#b", "is": {"role": "button", "name": "Buy"}}`, `found     button "Buy now" on shop.example`},
		{"another role", `{"css": "#l", "is": {"role": "button", "name": "Buy"}}`, `found     link "Buy" on shop.example`},
		{"another host", `{"css": "#b", "is": {"host": "www.shop.example"}}`, `found     button "Buy now" on shop.example`},
		{"gone", `{"role": "button", "name": "Purchase", "is": {"role": "button", "name": "Purchase now"}}`, `found     button "Buy now" on shop.example`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.call("hover", `{"locator": `+c.locator+`, "timeout_ms": 300}`)
			if r.Error == nil || r.Error.Code != document.CodeTargetDrift || !strings.Contains(strings.Join(r.Error.Details, "\n"), c.found) {
				t.Errorf("answers %v %+v", r.Error, r.Error)
			}
		})
	}
	h.does("hover", `{"locator": {"css": "#s", "is": {"role": "button", "name": "Save"}}}`)
	h.does("click", `{"locator": {"css": "#b", "is": {"role": "button", "name": "Buy now", "host": "shop.example"}}}`)
	if title := h.does("tabs", "")["tabs"].([]any)[0].(map[string]any)["title"]; title != "clicked" {
		t.Errorf("the title is %v", title)
	}
}
