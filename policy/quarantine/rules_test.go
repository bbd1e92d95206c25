package quarantine

import "testing"

// TestRules reads every rule and compiles its pattern, which a scan does on
// first use only.
func TestRules(t *testing.T) {
	set := allRules()
	for id, r := range set.rules {
		set.patterns[id].Get()
		if r.Technique == "" || r.Weight <= 0 {
			t.Errorf("technique %q, weight %v: %s", r.Technique, r.Weight, r.source)
		}
		if r.With != nil && r.Need != nil {
			t.Errorf("a rule beside other evidence has no use for need: %s", r.source)
		}
	}
}
