//go:build unix

package browser_test

import (
	"net/http"
	"testing"
	"time"

	"errand/build/poll"
	"errand/host/tool"
)

// TestPageThatIsNotComplete checks that elements are found without delay on a page that never
// finishes loading, or that is not in front. Chromium answers a query by role only after the page
// has loaded and painted.
func TestPageThatIsNotComplete(t *testing.T) {
	t.Parallel()
	buttons := func(more string) http.Handler {
		return html(`<title>a</title><p id="said"></p><button onclick="said.append(1)">Go</button>` + more)
	}
	w := newWorld(t)
	w.https("a.example", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/never":
			<-r.Context().Done()
		case "/picture":
			buttons(`<img src="/never">`).ServeHTTP(rw, r)
		case "/script":
			buttons(`<script async src="/never"></script>`).ServeHTTP(rw, r)
		case "/written":
			html(`<title>a</title><button onclick="document.write('<p id=said></p><button onclick=said.append(1)>Go</button>')">Go</button>`).ServeHTTP(rw, r)
		case "/windows":
			buttons(`<script>addEventListener('click', () => window.open('/picture'))</script>`).ServeHTTP(rw, r)
		}
	}))
	h := newHands(t, w.launch())
	found, _ := h.tools.Get("browser.click")
	judge := found.(tool.Classifier)
	call := tool.Call{Tool: "browser.click", Args: map[string]any{"locator": map[string]any{"role": "button", "name": "Go"}}}
	for _, path := range []string{"/picture", "/script", "/written", "/windows"} {
		t.Run(path, func(t *testing.T) {
			h := &hands{t, h.b, h.tools}
			const at = `{"locator": {"role": "button", "name": "Go"}}`
			h.does("open", `{"url": "https://a.example`+path+`"}`)
			began := time.Now()
			for range 3 {
				h.does("wait", at)
				if effect, err := judge.Classify(t.Context(), call); err != nil || effect != tool.EffectCommit {
					t.Fatalf("classified as %q, %v", effect, err)
				}
				h.does("click", at)
			}
			h.says("11")
			if took := time.Since(began); took > poll.Patience {
				t.Errorf("it took %v", took)
			}
		})
	}
}
