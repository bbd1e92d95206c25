package doctor

import (
	"testing"

	"errand/app/config"
	"errand/app/i18n"
	"errand/policy"
)

func TestReachable(t *testing.T) {
	for v, want := range map[policy.Verdict]string{
		policy.Allow: "google.com is allowed (192.0.2.1, 192.0.2.2)",
		policy.Ask:   "google.com is allowed once you approve it (192.0.2.1, 192.0.2.2)",
		policy.Deny:  "google.com is not allowed (192.0.2.1, 192.0.2.2)",
	} {
		if got := i18n.English().Text(reachable("google.com", v, []string{"192.0.2.1", "192.0.2.2"})); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}

// TestEgressReport: what makes the egress test fail.
func TestEgressReport(t *testing.T) {
	way := func(change func(*EgressWay)) EgressDetails {
		w := EgressWay{Name: "img", Tried: true, Stop: EgressStop{By: "browser"}}
		change(&w)
		return EgressDetails{Ways: []EgressWay{w}, Works: []EgressWork{{Name: "page", Done: true}}}
	}
	for _, tt := range []struct {
		name   string
		report EgressDetails
		passed bool
	}{
		{"all stopped", way(func(*EgressWay) {}), true},
		{"a hit", way(func(w *EgressWay) { w.Hits = 1 }), false},
		{"nothing was tried", way(func(w *EgressWay) { w.Tried, w.Stop = false, EgressStop{} }), false},
		{"the page does not work", EgressDetails{Works: []EgressWork{{Name: "page"}}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &Doctor{Config: &config.Loaded{}}
			if got := d.report("", tt.report); got.Passed != tt.passed {
				t.Errorf("passed = %t: %+v", got.Passed, got)
			}
		})
	}
}
