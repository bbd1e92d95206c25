package core

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/app/demo/egress"
	"errand/host/browser"
)

// TestEgressListed: under subresources = "listed" no way leads out either, and
// a page does not get a picture of a host that isn't listed. The command's own
// test has the default.
func TestEgressListed(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	if _, _, err := browser.Find(""); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	a, _ := opened(t, Options{}, "ERRAND_POLICY_SUBRESOURCES=listed")
	got, err := a.EgressTest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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

// TestEgressReport: what makes the test fail.
func TestEgressReport(t *testing.T) {
	way := func(change func(*egress.Outcome)) egress.Report {
		o := egress.Outcome{Name: "img", Tried: true}
		change(&o)
		return egress.Report{Ways: []egress.Outcome{o}, Works: []egress.Work{{Name: "page", Done: true}, {Name: "public", Public: true, Done: true}}}
	}
	tests := []struct {
		name         string
		subresources string
		report       egress.Report
		passed       bool
	}{
		{"all stopped", "public", way(func(*egress.Outcome) {}), true},
		{"a hit", "public", way(func(o *egress.Outcome) { o.Hits = 1 }), false},
		{"nothing was tried", "public", way(func(o *egress.Outcome) { o.Tried = false }), false},
		{"a public load under listed", "listed", way(func(*egress.Outcome) {}), false},
		{"no public load under public", "public", egress.Report{Works: []egress.Work{{Name: "public", Public: true}}}, false},
		{"the page does not work", "listed", egress.Report{Works: []egress.Work{{Name: "page"}}}, false},
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
