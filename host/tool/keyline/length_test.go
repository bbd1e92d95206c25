package keyline_test

import (
	"strings"
	"testing"

	"errand/host/tool/keyline"
	"errand/planner/message"
)

func TestCheckLength(t *testing.T) {
	dotted := func(parts int) string { return strings.Repeat("a.", parts-1) + "a" }
	name := strings.Repeat("n", 400)
	for _, tt := range []struct {
		name, doc string
		line      int // of the fault; 0: none
	}{
		{"empty", "", 0},
		{"a table of the longest key", "[" + dotted(256) + "]", 0},
		{"a longer table", "a = 1\n[" + dotted(257) + "]", 2},
		{"a table of 131,000 parts", "[" + dotted(131_000) + "]", 1},
		{"an array of tables", "[[" + dotted(131_000) + "]]", 1},
		{"a dotted key", "# none\n\n" + dotted(131_000) + " = 1", 3},
		{"a key in a table", "[" + name + "]\nb = 1\n" + name + " = 2", 3},
		{"one long name", `"` + strings.Repeat("n", 513) + `" = 1`, 1},
		{"an inline table", "x = {" + dotted(300) + " = 1}", 1},
		{"inline tables in each other", "x = " + strings.Repeat("{a = ", 300) + "1" + strings.Repeat("}", 300), 1},
		{"inline tables in arrays", "x = " + strings.Repeat("[{a = ", 300) + "1" + strings.Repeat("}]", 300), 1},
		{"after a byte order mark", "\ufeffa = 1\n" + dotted(300) + " = 1", 2},
		{"long values and many keys", strings.Repeat("[[b]]\nc = '''"+strings.Repeat("long ", 200)+"'''\n", 50), 0},
		{"before a syntax error", dotted(300) + " = 1\n= 2", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := keyline.CheckLength([]byte(tt.doc))
			if (err != nil) != (tt.line > 0) {
				t.Fatalf("%v, want a fault in line %d", err, tt.line)
			}
			if m := message.FromError(err); err != nil && (m.Code != "toml.key_too_long" || m.Params["line"] != int64(tt.line)) {
				t.Errorf("%+v, want line %d", m, tt.line)
			}
		})
	}
}
