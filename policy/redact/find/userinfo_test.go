package find

import (
	"strconv"
	"strings"
	"testing"
)

// BenchmarkUserInfo must show about the same speed for both sizes.
func BenchmarkUserInfo(b *testing.B) {
	for _, n := range []int{1000, 16000} {
		text := strings.Repeat("ann:hunter2Xq9@a.b.c.example:x@", n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s := newScanner(Page{Text: text}, nil)
				s.findUserInfo()
			}
		})
	}
}
