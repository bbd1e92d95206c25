//go:build !race

// Under the race detector time and memory are its own.

package quarantine_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"errand/policy/quarantine"
)

// onlyLong skips a test that measures time or memory, unless ERRAND_TEST=long.
func onlyLong(t *testing.T) {
	t.Helper()
	if os.Getenv("ERRAND_TEST") != "long" {
		t.Skip("measures time or memory: set ERRAND_TEST=long")
	}
}

// With the square of the text, four times as much takes sixteen times as long,
// whenever it is tried; a busy machine does so now and then. So a text fails
// only if it never once takes less than twelve times.
func TestTimeGrowsWithText(t *testing.T) {
	onlyLong(t)
	measure := func(text string) time.Duration {
		begin := time.Now()
		quarantine.Scan(text)
		return time.Since(begin)
	}
	for _, d := range denseTexts {
		t.Run(d.name, func(t *testing.T) {
			const n, tries = 32 << 10, 10
			few, many := repeat(d.text, n), repeat(d.text, 4*n)
			var short, long time.Duration
			for range tries {
				if short, long = measure(few), measure(many); long < 12*short || long < 20*time.Millisecond {
					return
				}
			}
			t.Errorf("%d KB took %v, four times the text %v, and no better in %d tries", n>>10, short, long, tries)
		})
	}
}

// What a text unfolds to is never held all at once. The measured heap also holds
// garbage, about as much as the compiled patterns take.
func TestMemoryIsBounded(t *testing.T) {
	onlyLong(t)
	for _, d := range denseTexts {
		t.Run(d.name, func(t *testing.T) {
			quarantine.Scan(strings.Repeat(d.text, 100)) // compiles the patterns
			text := repeat(d.text, 512<<10)
			var before, at runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			done := make(chan struct{})
			go func() { defer close(done); quarantine.Scan(text) }()
			most := uint64(0)
			for running := true; running; {
				select {
				case <-done:
					running = false
				case <-time.After(5 * time.Millisecond):
					runtime.ReadMemStats(&at)
					most = max(most, at.HeapInuse-min(at.HeapInuse, before.HeapInuse))
				}
			}
			if most > 128<<20 {
				t.Errorf("a text of 512 KB took %d MB", most>>20)
			}
		})
	}
}
