package inspect_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/build/must"
	"errand/host/wasm/inspect"
	"errand/planner/message"
)

// counted is a section with a number of equal entries.
func counted(id byte, n int, entry string) string {
	body := append(binary.AppendUvarint(nil, uint64(n)), bytes.Repeat([]byte(entry), n)...)
	return string(append(binary.AppendUvarint([]byte{id}, uint64(len(body))), body...))
}

// TestReadLimits checks that a small file can't make Read use much memory: the number of each
// kind of entry is limited.
func TestReadLimits(t *testing.T) {
	const head = "\x00asm\x01\x00\x00\x00"
	one := counted(1, 1, "\x60\x00\x00")
	tests := []struct {
		name   string
		module string
		kind   string // of which there are too many; "": none
	}{
		{"types", head + counted(1, 100_001, "\x60\x00\x00"), "types"},
		{"as many types as allowed", head + counted(1, 100_000, "\x60\x00\x00"), ""},
		{"imports", head + one + counted(2, 10_001, "\x00\x00\x00\x00"), "imports"},
		{"functions", head + one + counted(3, 1_000_001, "\x00"), "functions"},
		{"memories", head + one + counted(5, 101, "\x00\x01"), "memories"},
		{"exports", head + one + counted(3, 1, "\x00") + counted(7, 50_001, "\x00\x00\x00"), "exports"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := inspect.Read([]byte(tt.module))
			text := ""
			if err != nil {
				text = i18n.English().Text(message.FromError(err))
			}
			if (err != nil) != (tt.kind != "") || !strings.Contains(text, tt.kind) {
				t.Errorf("%q, want %q", text, tt.kind)
			}
		})
	}
}

// TestReadLongLists checks that a module's long lists of values, tools and names are cut.
func TestReadLongLists(t *testing.T) {
	const head = "\x00asm\x01\x00\x00\x00"
	custom := func(name, body string) string {
		content := string(rune(len(name))) + name + body
		return string(binary.AppendUvarint([]byte{0}, uint64(len(content)))) + content
	}
	many := counted(1, 1, "\x60"+string(binary.AppendUvarint(nil, 60_000))+strings.Repeat("\x7f", 60_000)+"\x00")
	tools := "\x01\x00" + string(binary.AppendUvarint(nil, 5000)) + strings.Repeat("\x01a\x00", 5000)
	i, err := inspect.Read([]byte(head + many + counted(3, 1, "\x00") + counted(7, 1, "\x01f\x00\x00") + custom("producers", tools)))
	must.Succeed(t, err)
	if got := i.Exports[0].Type; len(got) > 300 || !strings.HasSuffix(got, "…) -> ()") {
		t.Errorf("the type of f is %d bytes: %.80q", len(got), got)
	}
	if len(i.Toolchain) != 100 {
		t.Errorf("%d tools are listed", len(i.Toolchain))
	}
	if _, err := inspect.Measure([]byte(head + counted(10, 1_000_001, "\x00"))); err == nil {
		t.Error("a code section of any length is measured")
	}
	if got := inspect.Functions([]byte(head + counted(10, 1_000_001, "\x00"))); len(got) != 0 {
		t.Errorf("%d functions are listed", len(got))
	}
}
