package keyline_test

import (
	"testing"

	"errand/host/tool/keyline"
)

const doc = `a = 1
[table]
b.c = 2
list = [
  "x",
  { in = true },
]
[[rows]]
name = "first"
[[rows]]
name = "second"
[rows.part]
d = 1
`

// TestLines: however a key is written, it has a line, and what is not written
// has that of the nearest table around it.
func TestLines(t *testing.T) {
	at := keyline.Lines([]byte(doc))
	for _, tt := range []struct {
		key  string
		line int
	}{
		{"a", 1},
		{"table", 2},
		{"table.b.c", 3},
		{"table.list[0]", 5},
		{"table.list[1].in", 6},
		{"rows[0]", 8},
		{"rows[1].name", 11},
		{"rows[1].part.d", 13},
		{"rows[0].missing", 8},
		{"table.list[1].missing", 6},
		{"missing", 0},
	} {
		if got := keyline.Nearest(at, tt.key); got != tt.line {
			t.Errorf("%s stands on line %d, want %d", tt.key, got, tt.line)
		}
	}
}

// A document that is no TOML answers for what comes before its fault.
func FuzzOf(f *testing.F) {
	f.Add([]byte(doc))
	f.Add([]byte("a = [1, {b = [}"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		lines := 1
		for _, b := range doc {
			if b == '\n' {
				lines++
			}
		}
		for key, line := range keyline.Lines(doc) {
			if line < 1 || line > lines {
				t.Errorf("%q stands on line %d of %d", key, line, lines)
			}
		}
	})
}
