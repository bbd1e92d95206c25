package interpret

import (
	"strings"
	"testing"
	"time"
)

// TestTimeIsLinear reads texts of the greatest length that once made the reader
// read the same words again and again, and half of each: twice the text takes
// about twice the time. Of several attempts the best counts, as other work on
// the machine only adds.
func TestTimeIsLinear(t *testing.T) {
	in := newInterpreter(t)
	best := func(text string) time.Duration {
		d := time.Hour
		for range 5 {
			start := time.Now()
			in.Read(text)
			d = min(d, time.Since(start))
		}
		return d
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
	} {
		t.Run(tt.before+tt.again, func(t *testing.T) {
			text := func(bytes int) string {
				return tt.before + strings.Repeat(tt.again, (bytes-len(tt.before))/len(tt.again))
			}
			var whole, half time.Duration
			for range 4 {
				if whole, half = best(text(MaxBytes)), best(text(MaxBytes/2)); whole < 3*half || whole < 3*time.Millisecond {
					return
				}
			}
			t.Errorf("%d bytes take %v, %d take %v", MaxBytes, whole, MaxBytes/2, half)
		})
	}
}
