package print

import (
	"errors"
	"strings"
	"testing"
)

// TestPageTitlesCantControlTheTerminal: whatever a stranger wrote is shown, not
// obeyed.
func TestPageTitlesCantControlTheTerminal(t *testing.T) {
	var out safeWriter
	s := &Console{Stdout: &out, Stderr: &out}
	hostile := "\x1b]0;owned\a\x1b[2J\u009b31m\u202eevil\nerrand: forged"
	s.Print("%s", hostile)
	s.Say("%s: %v", hostile, errors.New(hostile))
	s.Columns([][]string{{hostile, "x"}})
	for _, r := range string(out) {
		if r == 0x1b || r == 0x07 || r == 0x9b || r == 0x202e {
			t.Errorf("%q reached the terminal in %q", r, string(out))
		}
	}
	if n := strings.Count(string(out), "\n"); n != 3 {
		t.Errorf("%d lines, want 3:\n%s", n, out)
	}
}

type safeWriter []byte

func (w *safeWriter) Write(p []byte) (int, error) { *w = append(*w, p...); return len(p), nil }
