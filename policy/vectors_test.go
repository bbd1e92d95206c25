package policy

import (
	"path/filepath"
	"testing"

	"errand/build/must"
)

// vector is a line of testdata/*_vectors.jsonl: a check and its verdict.
// Without "allow" the floor alone is asked.
type vector struct {
	Check
	ID     string `json:"id"`
	Expect string `json:"expect"`
	Why    string `json:"why"`
}

func vectors(t testing.TB) []vector {
	t.Helper()
	files, err := filepath.Glob("testdata/*_vectors.jsonl")
	if err != nil || len(files) != 6 {
		t.Fatalf("vectors are missing: %v %v", files, err)
	}
	var all []vector
	for _, file := range files {
		for _, v := range must.ReadJSONL[vector](t, file) {
			v.Floor = v.Allow == nil
			all = append(all, v)
		}
	}
	return all
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		got := (*Policy)(nil).Check(v.Check)
		if got.Verdict != v.Expect {
			t.Errorf("%s: %s %v = %s (%s: %s), want %s: %s", v.ID, v.URL, v.Allow, got.Verdict, got.Rule, got.Reason, v.Expect, v.Why)
		}
		if got.Rule == "" || got.Reason.IsZero() {
			t.Errorf("%s: %s: rule %q, reason %q: neither may be empty", v.ID, v.URL, got.Rule, got.Reason)
		}
	}
}
