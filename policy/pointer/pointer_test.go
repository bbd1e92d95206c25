package pointer

import (
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	args := map[string]any{
		"path": "/a", "a/b": 1.0, "c~d": true, "": "no name",
		"list": []any{"x", []any{"y", "z"}, map[string]any{"path": "/p"}},
	}
	for _, tt := range []struct {
		pointer, want string
		missing       bool
	}{
		{pointer: "/path", want: "/a"},
		{pointer: "path", want: "/a"},
		{pointer: "/", want: "no name"},
		{pointer: "/a~1b", want: "1"},
		{pointer: "/c~0d", want: "true"},
		{pointer: "/list/0", want: "x"},
		{pointer: "/list/1/1", want: "z"},
		{pointer: "/list/2/path", want: "/p"},
		{pointer: "/list/1", want: `["y","z"]`},
		{pointer: "/list/2", want: `{"path":"/p"}`},
		{pointer: "/list/3", missing: true},
		{pointer: "/list/01", missing: true},
		{pointer: "/list/-1", missing: true},
		{pointer: "/list/+1", missing: true},
		{pointer: "/list/-", missing: true},
		{pointer: "/list/99999999999999999999", missing: true},
		{pointer: "/path/0", missing: true},
		{pointer: "/none", missing: true},
	} {
		value, ok := Parse(tt.pointer).Find(args)
		if ok == tt.missing || ok && Text(value) != tt.want {
			t.Errorf("%s: %v, %t; want %q", tt.pointer, value, ok, tt.want)
		}
	}
}

func TestItems(t *testing.T) {
	for _, tt := range []struct {
		value  any
		want   []string
		isList bool
	}{
		{"a", nil, false},
		{nil, nil, false},
		{map[string]any{"a": "b"}, nil, false},
		{[]any{}, nil, true},
		{[]string{"a"}, []string{"a"}, true},
		{[]any{"a", 1.0, nil, []any{"b", []any{"c"}}, map[string]any{"d": "e"}}, []string{"a", "1", "null", "b", "c", `{"d":"e"}`}, true},
	} {
		if items, isList := Items(tt.value); !slices.Equal(items, tt.want) || isList != tt.isList {
			t.Errorf("%v: %q, %t; want %q, %t", tt.value, items, isList, tt.want, tt.isList)
		}
	}
}
