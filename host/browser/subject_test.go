//go:build unix

package browser_test

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"errand/host/browser/page"
	"errand/host/tool"
	"errand/policy"
)

// TestDecisionsNameTheirCall checks that with two pages opened at once each decision names its
// own call, also for requests of frames of other sites.
func TestDecisionsNameTheirCall(t *testing.T) {
	w := newWorld(t)
	say := func(text string) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(rw, text)
		})
	}
	for _, n := range []string{"1", "2"} {
		w.https("a"+n+".example", say(`<img src="https://pic`+n+`.example/x"><iframe src="https://frame`+n+`.example/"></iframe>`))
		w.https("frame"+n+".example", say(`<img src="https://inner`+n+`.example/x">`))
		w.https("pic"+n+".example", say(""))
		w.https("inner"+n+".example", say(""))
	}
	var mu sync.Mutex
	calls := map[string]string{}
	b := w.launch(func(o *page.Options) {
		o.Decide = func(r policy.Request) policy.Decision {
			mu.Lock()
			defer mu.Unlock()
			calls[r.URL] = r.Call
			return allowAll(r)
		}
	})
	var both sync.WaitGroup
	for _, n := range []string{"1", "2"} {
		both.Go(func() {
			ctx := tool.WithCaller(t.Context(), tool.Caller{Tool: "browser.open", RunID: "r", ActionID: "call" + n})
			if _, err := b.Open(ctx, "https://a"+n+".example/"); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	mu.Lock()
	defer mu.Unlock()
	for _, n := range []string{"1", "2"} {
		for _, url := range []string{"a%s.example/", "pic%s.example/x", "frame%s.example/", "inner%s.example/x"} {
			url = "https://" + fmt.Sprintf(url, n)
			if calls[url] != "call"+n {
				t.Errorf("%s is asked about for %q", url, calls[url])
			}
		}
	}
}
