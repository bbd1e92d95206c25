package quarantine

import "testing"

// TestRules reads every rule and compiles its pattern, which a scan does on
// first use only.
func TestRules(t *testing.T) {
	for _, r := range allRules().rules {
		r.pattern.Get()
		if r.Technique == "" || r.Weight <= 0 {
			t.Errorf("technique %q, weight %v: %s", r.Technique, r.Weight, r.pattern.Source)
		}
		if r.With != nil && r.Need != nil {
			t.Errorf("a rule beside other evidence has no use for need: %s", r.pattern.Source)
		}
	}
}
