package interpret

import (
	"strings"
	"testing"
	"time"

	"errand/build/tier"
)

// TestTimeIsLinear reads texts of the greatest length that once made the reader
// read the same words again and again, and an eighth of each: eight times the
// text takes about eight times the allocations, and not 64 times. Allocations are
// the same on every machine; the long tier looks at the time too.
func TestTimeIsLinear(t *testing.T) {
	in := newInterpreter(t)
	allocations := func(text string) float64 { return testing.AllocsPerRun(1, func() { in.Read(text) }) }
	took := func(text string) time.Duration {
		start := time.Now()
		in.Read(text)
		return time.Since(start)
	}
	for _, tt := range []struct{ before, again string }{
		{"", "delete и "},
		{"delete folder ", "b but "},
		{"delete folder ", "search and на ютубе и "},
		{"", "на ютубе . create "},
		{"search youtube for ", "youtube и with "},
		{"", "youtube ; "},
		{"", "youtube , а не "},
		{"", "files and . "},
		{"", "open youtube search "},
		{"найди ", "not don't files , "},
		{"search ", "cats on youtube and "},
		{"in firefox ", "in firefox "},
		{"", "\"q\" "},
		{"list the links on ", "youtube , "},
		{"", "read a.com to "},
		{"", "in my own browser "},
		{"search cats on youtube ", "and show the first "},
		{"save a.com ", "to documents as x.pdf "},
		{"delete folder a ", "(b "},
		{"open youtube ", "(not) "},
	} {
		t.Run(tt.before+tt.again, func(t *testing.T) {
			text := func(bytes int) string {
				return tt.before + strings.Repeat(tt.again, (bytes-len(tt.before))/len(tt.again))
			}
			if whole, part := allocations(text(MaxBytes)), allocations(text(MaxBytes/8)); whole > 20*part {
				t.Errorf("%d bytes take %v allocations, %d take %v", MaxBytes, whole, MaxBytes/8, part)
			}
			whole, part := time.Hour, time.Hour
			for range tier.Size(0, 50) {
				whole, part = min(whole, took(text(MaxBytes))), min(part, took(text(MaxBytes/8)))
				if whole < 20*part {
					return
				}
			}
			if tier.IsLong() {
				t.Errorf("%d bytes take %v, %d take %v", MaxBytes, whole, MaxBytes/8, part)
			}
		})
	}
}
