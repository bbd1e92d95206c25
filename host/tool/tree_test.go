package tool

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMapLeaves(t *testing.T) {
	var order []any
	visit := func(leaf any) any {
		order = append(order, leaf)
		if n, ok := leaf.(float64); ok {
			return n + 1
		}
		return leaf
	}
	value := map[string]any{"c": []any{1.0, []any{}, nil}, "a": "x", "b": map[string]any{"d": true, "e": 2.0}}
	want := map[string]any{"c": []any{2.0, []any{}, nil}, "a": "x", "b": map[string]any{"d": true, "e": 3.0}}
	if diff := cmp.Diff(want, MapLeaves(value, visit)); diff != "" {
		t.Errorf("copy (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{"x", true, 2.0, 1.0, nil}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if value["b"].(map[string]any)["e"] != 2.0 || value["c"].([]any)[0] != 1.0 {
		t.Errorf("the value itself changed: %v", value)
	}
	if got := MapLeaves("x", func(any) any { return "y" }); got != "y" {
		t.Errorf("a value that is a leaf becomes %v", got)
	}
}
