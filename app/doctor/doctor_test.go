package core

import (
	"testing"

	"errand/policy"
)

func TestDoctorSaysAVerdictInASentence(t *testing.T) {
	for v, want := range map[policy.Verdict]string{
		policy.Allow: "google.com is allowed (192.0.2.1, 192.0.2.2)",
		policy.Ask:   "google.com is allowed once you say yes (192.0.2.1, 192.0.2.2)",
		policy.Deny:  "google.com is not allowed (192.0.2.1, 192.0.2.2)",
	} {
		if got := reachable("google.com", v, []string{"192.0.2.1", "192.0.2.2"}); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
