package meter_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"errand/host/wasm/meter"
)

// counted encodes a section of a module.
func counted(id byte, count int, entries []byte) []byte {
	content := append(binary.AppendUvarint(nil, uint64(count)), entries...)
	return slices.Concat([]byte{id}, binary.AppendUvarint(nil, uint64(len(content))), content)
}

// straight is a module of the given size. Its functions of 1 MiB repeat an instruction. Type 1
// has a thousand results, and its function is function 1.
func straight(instruction string, size int) []byte {
	const each = 1 << 20
	thousand := bytes.Repeat([]byte{0x7f}, 1000)
	types := slices.Concat([]byte("\x60\x00\x00\x60\x00\xe8\x07"), thousand, []byte("\x60\xe8\x07"), thousand, []byte("\x00"))
	code := bytes.Repeat([]byte(instruction), min(each, size)/len(instruction))
	body := slices.Concat([]byte{1, 2, 0x7f}, code, []byte("\x0b"))
	body = append(binary.AppendUvarint(nil, uint64(len(body))), body...)
	count := max(size/each, 1)
	functions := append([]byte{0, 1, 2}, make([]byte, count)...)
	bodies := slices.Concat([]byte{2, 0, 0x0b, 3, 0, 0, 0x0b, 2, 0, 0x0b}, bytes.Repeat(body, count))
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), counted(1, 3, types), counted(3, len(functions), functions), counted(4, 1, []byte("\x70\x00\x01")),
		counted(5, 1, []byte{0, 1}), counted(9, 1, []byte("\x03\x00\x01\x00")), counted(10, len(functions), bodies))
}

// several is a module of the given size whose functions, all alike, repeat an instruction.
func several(instruction string, size, count int) []byte {
	body := slices.Concat([]byte{1, 2, 0x7f}, bytes.Repeat([]byte(instruction), size/count/len(instruction)), []byte("\x0b"))
	body = append(binary.AppendUvarint(nil, uint64(len(body))), body...)
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), counted(1, 1, []byte("\x60\x00\x00")), counted(3, count, make([]byte, count)),
		counted(4, 1, []byte("\x70\x00\x01")), counted(5, 1, []byte{0, 1}), counted(10, count, bytes.Repeat(body, count)))
}

// single is a module with one function of the given size, in which all of the compiler's
// memory is needed at once.
func single(instruction string) func(size int) []byte {
	return func(size int) []byte { return several(instruction, size, 1) }
}

// TestEffortOfEveryKind checks for each kind of entry that too many are refused before compiling
// them exceeds the limits, and that a twentieth of them is accepted.
func TestEffortOfEveryKind(t *testing.T) {
	const head = "\x00asm\x01\x00\x00\x00"
	types, one, body := counted(1, 1, []byte("\x60\x00\x00")), counted(3, 1, []byte{0}), counted(10, 1, []byte{2, 0, 0x0b})
	table := counted(4, 1, []byte("\x70\x00\x01"))
	code := func(instruction string) func(size int) []byte {
		return func(size int) []byte { return straight(instruction, size) }
	}
	repeated := func(entry string, of func(count int, entries []byte) []byte) func(size int) []byte {
		return func(size int) []byte {
			count := size / len(entry)
			return of(count, bytes.Repeat([]byte(entry), count))
		}
	}
	for _, tt := range []struct {
		name   string
		module func(size int) []byte
		size   int // in KiB, too much
	}{
		{"loads", code("\x41\x00\x28\x02\x00\x1a"), 10_000},
		{"stores", code("\x41\x00\x41\x00\x36\x02\x00"), 12_000},
		{"divisions", code("\x20\x00\x20\x01\x6d\x21\x00"), 12_000},
		{"conversions that may trap", code("\x43\x00\x00\x00\x00\xa8\x1a"), 10_000},
		{"saturating conversions", code("\x43\x00\x00\x00\x00\xfc\x00\x1a"), 16_000},
		{"vectors", code("\x41\x00\xfd\x0f\x1a"), 12_000},
		{"calls", code("\x10\x00"), 10_000},
		{"calls through a table", code("\x41\x00\x11\x00\x00"), 4_000},
		{"reads of a table", code("\x41\x00\x25\x00\x1a"), 10_000},
		{"references", code("\xd2\x00\x1a"), 10_000},
		{"calls through a table in one function", single("\x41\x00\x11\x00\x00"), 700},
		{"calls through a table with a load", single("\x41\x00\x28\x02\x00\x11\x00\x00"), 900},
		{"conversions in one function", single("\x43\x00\x00\x00\x00\xa8\x1a"), 1900},
		{"stores in two functions", func(size int) []byte { return several("\x41\x00\x41\x00\x36\x02\x00", size, 2) }, 3000},
		{"growth", code("\x41\x00\x40\x00\x1a"), 12_000},
		{"fills", code("\x41\x00\x41\x00\x41\x00\xfc\x0b\x00"), 14_000},
		{"calls with a thousand values", code("\x10\x01\x10\x02"), 40},
		{"plain instructions", code("\x20\x00\x20\x01\x6a\x21\x00"), 30_000},
		{"functions", repeated("\x02\x00\x0b", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, counted(3, n, make([]byte, n)), counted(10, n, entries))
		}), 6_000},
		{"local variables", repeated("\x06\x01\xd0\x86\x03\x7f\x0b", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, counted(3, n, make([]byte, n)), counted(10, n, entries))
		}), 3},
		{"types", repeated("\x60\x00\x00", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), counted(1, n, entries), one, body)
		}), 10_000},
		{"imports", repeated("\x01a\x01b\x00\x00", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, counted(2, n, entries))
		}), 6_000},
		{"exports", repeated("\x00\x00\x00", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, one, counted(7, n, entries), body)
		}), 14_000},
		{"globals", repeated("\x7f\x01\x41\x00\x0b", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, one, counted(6, n, entries), body)
		}), 16_000},
		{"elements", func(size int) []byte {
			return slices.Concat([]byte(head), types, one, table, counted(9, 1, slices.Concat([]byte("\x01\x00"), binary.AppendUvarint(nil, uint64(size)), make([]byte, size))), body)
		}, 9_000},
		{"elements that are expressions", repeated("\xd2\x00\x0b", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, one, table, counted(9, 1, slices.Concat([]byte("\x05\x70"), binary.AppendUvarint(nil, uint64(n)), entries)), body)
		}), 26_000},
		{"element segments", repeated("\x01\x00\x00", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, one, table, counted(9, n, entries), body)
		}), 22_000},
		{"data segments", repeated("\x01\x00", func(n int, entries []byte) []byte {
			return slices.Concat([]byte(head), types, one, counted(5, 1, []byte{0, 1}), body, counted(11, n, entries))
		}), 15_000},
		{"custom sections", repeated("\x00\x01\x00", func(_ int, entries []byte) []byte {
			return slices.Concat([]byte(head), entries, types, one, body)
		}), 22_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			much := tt.module(tt.size << 10)
			if _, err := meter.Rewrite(much, meter.Options{}); !errors.Is(err, meter.ErrComplex) {
				t.Errorf("%d KiB: %v, want too complex", tt.size, err)
			}
			if _, err := meter.Rewrite(tt.module(tt.size<<10/20), meter.Options{}); err != nil {
				t.Errorf("a twentieth: %v", err)
			}
			if tt.size < 100 {
				if _, err := meter.Rewrite(much, meter.Options{Effort: 60}); err != nil {
					t.Errorf("for a trusted plugin: %v", err)
				}
			}
		})
	}
}
