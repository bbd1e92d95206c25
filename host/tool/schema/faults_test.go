package schema_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"errand/host/tool"
	"errand/host/tool/schema"
)

// TestFaults: the errors of one check are apart, each with its place.
func TestFaults(t *testing.T) {
	spec := tool.Spec{Name: "x.y", ArgsSchema: []byte(`{"type":"object","properties":{"d":{},"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"maximum":3}}}},"required":["d"]}`)}
	tests := []struct {
		name string
		args map[string]any
		want []string // places
	}{
		{"one", map[string]any{"d": 1.0, "a": 7.0}, []string{"/a"}},
		{"several", map[string]any{"a": 7.0, "b": map[string]any{"c": 4.0}}, []string{"/a", "/b/c", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range schema.Problems(new(schema.Checker).Check(spec, tt.args)) {
				if f.Message.IsZero() {
					t.Errorf("nothing is said about %q", f.Place)
				}
				got = append(got, f.Place)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
