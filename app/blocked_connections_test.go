package app

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"errand/app/runs"
	"errand/build/must"
	"errand/host/trace"
	"errand/planner/plan"
)

// attackPage tries to reach a private address in five ways. The picture "held" delays its
// end until all of them have failed or had their time.
const attackPage = `<!doctype html><title>attack</title><img src="/held">
<img src="http://192.168.0.1/img"><iframe src="http://192.168.0.1/frame"></iframe>
<script>
const ended = (async () => {
	await new Promise(r => { const s = new WebSocket("ws://192.168.0.1/socket"); s.onerror = s.onclose = r });
	const peer = new RTCPeerConnection({iceServers: [{urls: "stun:192.168.0.1:3478"}]});
	peer.createDataChannel("x"); await peer.setLocalDescription(await peer.createOffer());
	await navigator.serviceWorker.register("/worker.js");
	const worker = (await navigator.serviceWorker.ready).active;
	const answer = new Promise(r => navigator.serviceWorker.onmessage = r);
	worker.postMessage("go"); await answer;
})();
ended.finally(() => fetch("/ended"));
</script>`

const attackWorker = `onmessage = async e => {
	try { await fetch("http://192.168.0.1/worker", {mode: "no-cors"}) } catch {}
	e.source.postMessage("tried");
}`

// TestBlockedConnections counts what a page tried in the policy flags of the step that opened
// it.
func TestBlockedConnections(t *testing.T) {
	needsBrowser(t)
	tests := []struct {
		name, page string
		ways       []string // paths on the private address
		counted    bool
	}{
		{"S3-H09 an allowed page that tries to reach a private address", attackPage, []string{"/img", "/frame", "/socket", "/worker"}, true},
		{"a page that tries nothing", `<!doctype html><title>calm</title>hello`, nil, false},
		{"one picture", `<!doctype html><img src="http://192.168.0.1/img">`, []string{"/img"}, true},
		{"a name that has no address", `<!doctype html><img src="http://none.invalid/x">`, nil, true},
		{"its own picture", `<!doctype html><img src="/x.png">`, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ended := make(chan struct{}, 10)
			site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/held":
					select {
					case <-ended:
					case <-time.After(20 * time.Second):
					case <-r.Context().Done():
					}
				case "/ended":
					ended <- struct{}{}
				case "/worker.js":
					rw.Header().Set("Content-Type", "text/javascript")
					_, _ = rw.Write([]byte(attackWorker))
				case "/":
					rw.Header().Set("Content-Type", "text/html")
					_, _ = rw.Write([]byte(tt.page))
				}
			}))
			defer site.Close()
			a, _ := opened(t, Options{}, "ERRAND_POLICY_ALLOW_PRIVATE="+strings.TrimPrefix(site.URL, "http://"), "ERRAND_POLICY_ALLOWED_DOMAINS="+site.URL) // listed, for its service worker
			r, err := a.Start(t.Context(), runs.Request{Origin: plan.UserGoal, Words: "open " + site.URL + "/"})
			if err != nil || len(r.Steps) != 1 {
				t.Fatalf("%d steps, %s, %v, %v", len(r.Steps), r.Status, r.Error, err)
			}
			rec, err := a.Record(t.Context(), r.RunID)
			must.Succeed(t, err)
			var blocked []string
			for _, e := range rec.Events {
				c, ok := trace.ConnectionOf(e)
				if !ok || !strings.HasPrefix(c.Host, "192.168.0.1") {
					continue
				}
				if c.Verdict != "deny" {
					t.Errorf("%s was let out: %+v", c.URL, c)
				}
				blocked = append(blocked, c.URL)
			}
			for _, way := range tt.ways {
				if !slices.ContainsFunc(blocked, func(url string) bool { return strings.HasSuffix(url, "//192.168.0.1"+way) }) {
					t.Errorf("%s is not recorded: %v", way, blocked)
				}
			}
			flags := rec.Steps[0].PolicyFlags
			counted := slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, trace.FlagBlocked) })
			if counted != tt.counted {
				t.Errorf("flags %v, %d blocked", flags, len(blocked))
			}
		})
	}
}
