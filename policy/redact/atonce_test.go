package redact_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"errand/policy/redact"
)

// TestRedactedAtOnce is for the race detector: a redactor serves many goroutines.
func TestRedactedAtOnce(t *testing.T) {
	const secret, lines = "s3cr3t-of-mine", 50
	r := redact.New([]string{secret})
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range lines {
				text := fmt.Sprintf("%d.%d: https://u:%s@x.example/?token=%s", n, i, secret, secret)
				if got := r.Text(text); strings.Contains(got, secret) {
					t.Errorf("Text(%q) = %q", text, got)
				}
			}
		})
	}
	wg.Wait()
}
