package quarantine_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/policy/quarantine"
)

// TestScansAtOnce is for the race detector: scans share compiled patterns and buffers. Each
// result must be the same as that of a single scan.
func TestScansAtOnce(t *testing.T) {
	lines := readCorpus(t, "injection.jsonl")
	if len(lines) > 40 {
		lines = lines[:40]
	}
	const side = 4
	findings := make([][]quarantine.Finding, side)
	var wg sync.WaitGroup
	for n := range findings { // before anything is scanned alone, so that they also meet where patterns are compiled
		wg.Go(func() {
			for i := range lines {
				findings[n] = append(findings[n], quarantine.Scan(lines[(i+n)%len(lines)].Text))
			}
		})
	}
	wg.Wait()
	for n, found := range findings {
		for i, got := range found {
			text := lines[(i+n)%len(lines)].Text
			if diff := cmp.Diff(quarantine.Scan(text), got); diff != "" {
				t.Errorf("%q (-alone +at once):\n%s", text, diff)
			}
		}
	}
}
