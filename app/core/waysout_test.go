package core

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/demo/waysout"
)

// TestEgressListed: under subresources = "listed" no way leads out either, and
// a page does not get a picture of a host that isn't listed. The command's own
// test has the default.
func TestEgressListed(t *testing.T) {
	got := tryEgress(t, "ERRAND_POLICY_SUBRESOURCES=listed")
	want := EgressReport{
		Passed: true, Browser: got.Browser, Subresources: "listed", Hits: []string{}, Untried: []string{}, Broken: []string{}, Report: got.Report,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("report (-want +got):\n%s", d)
	}
	for _, w := range got.Report.Works {
		if w.Done == w.Public {
			t.Errorf("%s: %t", w.Name, w.Done)
		}
	}
}

// TestEgressSeesHits: where the person opens all of loopback, the test says
// that it is open, and to what; the rest of the boundary stands.
func TestEgressSeesHits(t *testing.T) {
	got := tryEgress(t, "ERRAND_POLICY_ALLOW_PRIVATE=127.0.0.0/8")
	if got.Passed {
		t.Error("passed, with loopback open")
	}
	for _, name := range []string{"img", "iframe", "fetch", "websocket", "worker-fetch", "redirect-chain", "top-location", "top-post"} {
		if !slices.Contains(got.Hits, name) {
			t.Errorf("%s did not lead out: %v", name, got.Hits)
		}
	}
	for _, name := range got.Hits {
		switch name {
		case "webrtc-stun", "webrtc-turn-udp", "webtransport", "as-ipv6", "as-localhost", "name-unlisted":
			t.Errorf("%s led out", name) // UDP, another family, names: none is what was opened
		}
		if strings.HasPrefix(name, "outside-") {
			t.Errorf("%s led out", name)
		}
	}
}

func tryEgress(t *testing.T, env string) EgressReport {
	t.Helper()
	needsBrowser(t)
	a, _ := opened(t, Options{}, env)
	got, err := a.EgressTest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestEgressReport: what makes the test fail.
func TestEgressReport(t *testing.T) {
	way := func(change func(*waysout.Outcome)) waysout.Report {
		o := waysout.Outcome{Name: "img", Tried: true}
		change(&o)
		return waysout.Report{Ways: []waysout.Outcome{o}, Works: []waysout.Work{{Name: "page", Done: true}, {Name: "public", Public: true, Done: true}}}
	}
	tests := []struct {
		name         string
		subresources string
		report       waysout.Report
		passed       bool
	}{
		{"all stopped", "public", way(func(*waysout.Outcome) {}), true},
		{"a hit", "public", way(func(o *waysout.Outcome) { o.Hits = 1 }), false},
		{"nothing was tried", "public", way(func(o *waysout.Outcome) { o.Tried = false }), false},
		{"a public load under listed", "listed", way(func(*waysout.Outcome) {}), false},
		{"no public load under public", "public", waysout.Report{Works: []waysout.Work{{Name: "public", Public: true}}}, false},
		{"the page does not work", "listed", waysout.Report{Works: []waysout.Work{{Name: "page"}}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _ := opened(t, Options{}, "ERRAND_POLICY_SUBRESOURCES="+tt.subresources)
			if got := a.egressReport("", tt.report); got.Passed != tt.passed {
				t.Errorf("passed = %t: %+v", got.Passed, got)
			}
		})
	}
}
