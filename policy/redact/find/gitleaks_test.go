package find

import (
	"slices"
	"testing"
)

// TestLeakRules reads every rule of gitleaks and finds tokens that only those
// rules know.
func TestLeakRules(t *testing.T) {
	rules := leakRules()
	if len(rules) < 180 {
		t.Fatalf("%d rules, want at least 180", len(rules))
	}
	for _, r := range rules {
		r.Regex.Get()
		if len(r.Keywords) == 0 {
			t.Errorf("%s has no keyword of %d bytes", r.ID, minTrigger)
		}
		if mark := MarkOpen + r.ID + ":abcd]"; markAt(mark, 0) != len(mark) {
			t.Errorf("the kind of %s doesn't make a mark: %s", r.ID, mark)
		}
	}
	for kind, text := range map[string]string{
		"adafruit-api-key":   "adafruit_io_id = x1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6",
		"beamer-api-token":   "beamer: b_x1y2z3a4b5c6d7e8f9g0h1i2j3k4l5m6n7o8p9q0r1s2",
		"finicity-api-token": "finicity = 0f1e2d3c4b5a69788796a5b4c3d2e1f0",
		"lob-pub-api-key":    "lob: test_pub_0f1e2d3c4b5a69788796a5b4c3d2e1f",
		"sendbird-access-id": "sendbird = 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
	} {
		found := Secrets(ReadPage(text), nil)
		if !slices.ContainsFunc(found, func(sp Span) bool { return sp.Kind == kind }) {
			t.Errorf("%s: %v in %q", kind, found, text)
		}
	}
}
