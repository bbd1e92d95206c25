package print

import (
	"strings"
	"testing"
)

// TestMarkLines: no line of a page or a file looks like one of Errand's own on a terminal.
func TestMarkLines(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"a sentence", "Created the folder A.\n", "  Created the folder A."},
		{"two lines", "one\ntwo\n", "│ one\n│ two"},
		{"a heading of a draft", "text\ndraft 01m8 · waits for approval\nerrand approve 01m8", "│ text\n│ draft 01m8 · waits for approval\n│ errand approve 01m8"},
		{"a step", "1 step\n  1  Delete the folder A\n     files.delete_folder", "│ 1 step\n│   1  Delete the folder A\n│      files.delete_folder"},
		{"empty lines", "a\n\n\nb", "│ a\n│ \n│ \n│ b"},
		{"only line breaks", "\n\n", "│ \n│ "},
		{"a bar of its own", "│ a\nb", "│ │ a\n│ b"},
	} {
		got := markLines(tt.in)
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		for line := range strings.Lines(got) {
			if line[0] != ' ' && !strings.HasPrefix(line, "│ ") {
				t.Errorf("%s: the line %q has no mark", tt.name, line)
			}
		}
	}
}
