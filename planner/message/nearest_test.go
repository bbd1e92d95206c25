package message

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", 40)
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"same", "same", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"youtbe", "youtube", 1},
		{"gihtub", "github", 1},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3}, // swapped letters are not edited again
		{"ютюб", "ютуб", 1},
		{long, long + "y", 1},
		{long, "y" + long[1:], 1},
		{"short", long, 40},
	}
	for _, tt := range tests {
		if got := Distance([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Distance([]rune(tt.b), []rune(tt.a)); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
	a, b := []rune("youtbe"), []rune("youtube")
	if n := testing.AllocsPerRun(100, func() { Distance(a, b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"roots", "step_timeout_ms", "language", "язык"}
	tests := []struct{ word, want string }{
		{"roots", "roots"},
		{"rots", "roots"},
		{"langauge", "language"},
		{"step_timeout", ""},
		{"яызк", "язык"},
		{"x", ""},
		{"", ""},
		{"elsewhere", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, known); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}
