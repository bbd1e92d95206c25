package redact_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"errand/policy/redact"
)

// TestRedactedAtOnce is for the race detector: a redactor and a writer of it
// serve many goroutines.
func TestRedactedAtOnce(t *testing.T) {
	const secret, lines = "s3cr3t-of-mine", 50
	r := redact.New([]string{secret})
	var out bytes.Buffer
	w := r.Writer(&out)
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range lines {
				text := fmt.Sprintf("%d.%d: https://u:%s@x.example/?token=%s", n, i, secret, secret)
				if got := r.Text(text); strings.Contains(got, secret) {
					t.Errorf("Text(%q) = %q", text, got)
				}
				if _, err := fmt.Fprintln(w, text); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 4*lines || strings.Contains(out.String(), secret) {
		t.Errorf("%d lines came out, want %d without the secret:\n%.400s", n, 4*lines, out.String())
	}
}
