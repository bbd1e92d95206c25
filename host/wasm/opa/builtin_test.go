package opa

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// TestBuiltins has the functions that the host computes, with the answers of OPA. No answer means that
// the expression is undefined.
func TestBuiltins(t *testing.T) {
	n := func(text string) json.Number { return json.Number(text) }
	for _, tt := range []struct {
		name string
		args []any
		want string // JSON
	}{
		{"sprintf", []any{"%d of %s", []any{n("3"), "ten"}}, `"3 of ten"`},
		{"sprintf", []any{"%v %v", []any{[]any{n("1"), "a"}, set{}}}, `"[1, \"a\"] set()"`},
		{"sprintf", []any{"%d", []any{n("123456789012345678901234567890")}}, `"123456789012345678901234567890"`},
		{"sprintf", []any{"%.1f", []any{n("2.25")}}, `"2.2"`},
		{"sprintf", []any{"%s", []any{}}, `"%!s(MISSING)"`},
		{"sprintf", []any{"%99999d", []any{n("1")}}, ``},
		{"sprintf", []any{n("1"), []any{}}, ``},
		{"strings.count", []any{"banana", "an"}, `2`},
		{"strings.count", []any{"banana", n("1")}, ``},
		{"time.parse_rfc3339_ns", []any{"2027-01-04T20:00:00Z"}, `1799092800000000000`},
		{"time.parse_rfc3339_ns", []any{"3027-01-04T20:00:00Z"}, ``},
		{"time.parse_rfc3339_ns", []any{"yesterday"}, ``},
		{"time.clock", []any{n("1799092800000000000")}, `[20,0,0]`},
		{"time.clock", []any{[]any{n("1799092800000000000"), "Asia/Tokyo"}}, `[5,0,0]`},
		{"time.clock", []any{[]any{n("1799092800000000000"), "Nowhere"}}, ``},
		{"time.clock", []any{[]any{n("1799092800000000000"), "Local"}}, ``}, // not the same on each machine
		{"time.date", []any{n("1799092800000000000")}, `[2027,1,4]`},
		{"time.weekday", []any{n("0")}, `"Thursday"`},
		{"time.weekday", []any{"monday"}, ``},
	} {
		value, err := hostBuiltins[tt.name](tt.args)
		if err != nil {
			if tt.want != "" {
				t.Errorf("%s %v: %v", tt.name, tt.args, err)
			}
			continue
		}
		if got, _ := json.Marshal(value); string(got) != tt.want {
			t.Errorf("%s %v: %s, want %s", tt.name, tt.args, got, tt.want)
		}
	}
	if want := []string{"sprintf", "strings.count", "time.clock", "time.date", "time.parse_rfc3339_ns", "time.weekday"}; !slices.Equal(slices.Sorted(maps.Keys(hostBuiltins)), want) {
		t.Errorf("%v", hostBuiltins)
	}
}

// TestLoadRefuses tests that other modules are refused.
func TestLoadRefuses(t *testing.T) {
	for _, code := range [][]byte{nil, []byte("\x00asm"), []byte("\x00asm\x01\x00\x00\x00")} {
		if p, err := Load(t.Context(), code, Options{}); err == nil {
			p.Close()
			t.Errorf("%q was loaded", code)
		}
	}
}
