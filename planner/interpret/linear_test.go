package interpret

import (
	"strings"
	"testing"
	"time"
)

// TestTimeIsLinear reads texts of the greatest length that once made the reader
// read the same words again and again, and an eighth of each: eight times the
// text takes about eight times the time, and not 64 times. What other work on the
// machine adds is not ours: as many attempts count as it takes.
func TestTimeIsLinear(t *testing.T) {
	in := newInterpreter(t)
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
			whole, part := time.Hour, time.Hour
			for range 50 {
				whole, part = min(whole, took(text(MaxBytes))), min(part, took(text(MaxBytes/8)))
				if whole < 20*part {
					return
				}
			}
			t.Errorf("%d bytes take %v, %d take %v", MaxBytes, whole, MaxBytes/8, part)
		})
	}
}
