package policy

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestVectors answers the lines of testdata/*_vectors.jsonl: URLs that must be
// let through or refused by the floor alone (those without "allow") and by
// lists of patterns.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("testdata/*_vectors.jsonl")
	if err != nil || len(files) < 4 {
		t.Fatalf("vectors are missing: %v %v", files, err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var v struct {
				Check
				ID     string `json:"id"`
				Expect string `json:"expect"`
				Why    string `json:"why"`
			}
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatalf("%s: %v in %s", file, err, lines.Bytes())
			}
			v.Floor = v.Allow == nil
			got := (*Policy)(nil).Check(v.Check)
			if got.Verdict != v.Expect {
				t.Errorf("%s: %s %v = %s (%s: %s), want %s: %s", v.ID, v.URL, v.Allow, got.Verdict, got.Rule, got.Reason, v.Expect, v.Why)
			}
			if got.Rule == "" || got.Reason == "" {
				t.Errorf("%s: %s: rule %q, reason %q: neither may be empty", v.ID, v.URL, got.Rule, got.Reason)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}
