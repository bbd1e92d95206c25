package meter_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm/meter"
)

// TestBombs checks that a few kilobytes that would take the compiler minutes or gigabytes are
// refused before it sees them. The error names the function and what it has too much of. Half as
// much is accepted.
func TestBombs(t *testing.T) {
	times := bytes.Repeat
	n := func(i int) []byte { return binary.AppendUvarint(nil, uint64(i)) }
	const local = "\x20\x00" // local.get 0
	labels := func(count int) []byte {
		return slices.Concat([]byte("\x02\x40"+local+"\x0e"), n(count), make([]byte, count+1), []byte("\x0b"))
	}
	tests := []struct {
		name  string
		code  func(size int) []byte // of the function, without its end
		count func(size int) int    // number of i32 local variables
		size  int                   // expected in the error
		want  string
	}{
		{"loops in a row", func(size int) []byte { return times([]byte("\x03\x40"+local+"\x0d\x00\x0b"), size) }, nil, 6_000, "the blocks of function 1"},
		{"loops in loops", func(size int) []byte {
			return append(times([]byte("\x03\x40"), size), times([]byte(local+"\x0d\x00\x0b"), size)...)
		}, nil, 6_000, "the blocks of function 1"},
		{"conditions", func(size int) []byte { return times([]byte(local+"\x04\x40\x01\x0b"), size) }, nil, 25_000, "the blocks of function 1"},
		{"branches to one place", func(size int) []byte { return times([]byte(local+"\x0d\x00"), size) }, nil, 25_000, "the blocks of function 1"},
		{"a table of labels", labels, nil, 80_000, "the labels of br_tables of function 1"},
		{"tables of labels", func(size int) []byte { return times(labels(size), size) }, nil, 300, "the labels of br_tables of function 1"},
		{"values carried past conditions", func(size int) []byte {
			code := times([]byte(local+"\x04\x40\x01\x0b"), size)
			for i := range size {
				code = slices.Concat(code, []byte("\x20"), n(i), []byte("\x1a"))
			}
			return code
		}, func(size int) int { return size }, 2_000, "the blocks times local variables carried between them of function 1"},
		{"a function of many bytes", func(size int) []byte { return times([]byte("\x01"), size) }, nil, 3 << 20, "function 1 has 3145"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			module := func(size int) []byte {
				locals := 1
				if tt.count != nil {
					locals = tt.count(size)
				}
				body := slices.Concat([]byte{1}, n(locals), []byte("\x7f"), tt.code(size), []byte("\x0b"))
				code := slices.Concat([]byte{2, 2, 0, 0x0b}, n(len(body)), body) // behind an empty function
				return slices.Concat([]byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x03\x02\x00\x00\x0a"), n(len(code)), code)
			}
			_, err := meter.Rewrite(module(tt.size), meter.Options{})
			if !errors.Is(err, meter.ErrComplex) || !strings.Contains(i18n.English().Error(err), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if _, err := meter.Rewrite(module(tt.size/2), meter.Options{}); err != nil {
				t.Errorf("half as much: %v", err)
			}
		})
	}
}

// TestManyBombs checks that many functions within the limits of one function are limited
// together.
func TestManyBombs(t *testing.T) {
	body := slices.Concat([]byte{1, 1, 0x7f}, bytes.Repeat([]byte("\x20\x00\x04\x40\x01\x0b"), 15_000), []byte("\x0b"))
	module := func(count int) []byte {
		n := func(i int) []byte { return binary.AppendUvarint(nil, uint64(i)) }
		section := func(id byte, entries []byte) []byte {
			content := append(n(count), entries...)
			return slices.Concat([]byte{id}, n(len(content)), content)
		}
		return slices.Concat([]byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00"), section(3, make([]byte, count)),
			section(10, bytes.Repeat(append(n(len(body)), body...), count)))
	}
	if _, err := meter.Rewrite(module(40), meter.Options{}); !errors.Is(err, meter.ErrComplex) || !strings.Contains(i18n.English().Error(err), "the 1m allowed") {
		t.Errorf("%v, want too much in all", err)
	}
	if _, err := meter.Rewrite(module(10), meter.Options{}); err != nil {
		t.Errorf("a quarter: %v", err)
	}
}
