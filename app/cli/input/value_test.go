package input

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestReadValue checks that a typed value has the type that the schema permits, and is text in
// case of doubt.
func TestReadValue(t *testing.T) {
	home := func(path string) string { return "HOME" + path[1:] }
	tests := []struct {
		schema, typed string
		want          any
	}{
		{`{"type":"string"}`, "Notes", "Notes"},
		{`{"type":"string"}`, "123", "123"},
		{`{"type":"string"}`, "true", "true"},
		{`{"type":"string"}`, "null", "null"},
		{`{"type":"string"}`, "[1]", "[1]"},
		{`{"type":"string"}`, `"quoted"`, "quoted"},
		{`{"type":"string"}`, "~/x", "~/x"}, // not a path: unchanged
		{`{"type":"string"}`, "", nil},
		{`{"type":"string","format":"path"}`, "~/x", "HOME/x"},
		{`{"type":"string","format":"path"}`, "~", "HOME"},
		{`{"type":"string","format":"path"}`, "/a/~/x", "/a/~/x"},
		{`{"type":"boolean"}`, "true", true},
		{`{"type":"boolean"}`, "yes", "yes"}, // which the schema refuses, by name
		{`{"type":"integer"}`, "5", 5.0},
		{`{"type":"integer"}`, "5.5", "5.5"},
		{`{"type":"number"}`, "5.5", 5.5},
		{`{"type":"array"}`, `["a"]`, []any{"a"}},
		{`{"type":"object"}`, `{"a":1}`, map[string]any{"a": 1.0}},
		{`{"type":["string","integer"]}`, "5", 5.0},
		{`{"type":["string","null"]}`, "true", "true"},
		{`{}`, "5", 5.0},
		{`true`, "text", "text"},
		{`{"type":7}`, "5", 5.0},
	}
	for _, tt := range tests {
		var p Param
		_ = json.Unmarshal([]byte(tt.schema), &p)
		if got := ReadValue(tt.typed, p, home); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s typed %q: %#v, want %#v", tt.schema, tt.typed, got, tt.want)
		}
	}
}
