package run_test

import (
	"context"
	"slices"
	"testing"

	"errand/host/run"
	"errand/host/tool"
	"errand/policy"
)

// TestPlaces: policy decides about the places that the tool gets.
func TestPlaces(t *testing.T) {
	place := tool.Place{Path: "/d/way", Real: "/d/safe", Entry: "/d/way"}
	tests := []struct {
		name   string
		locate func(tool.Spec, tool.Call) []tool.Place
		want   []tool.Place
		asked  []string
		code   string
	}{
		{"located", func(tool.Spec, tool.Call) []tool.Place { return []tool.Place{place} }, []tool.Place{place}, []string{"/d/safe", "/d/way"}, ""},
		{"no paths", func(tool.Spec, tool.Call) []tool.Place { return nil }, nil, nil, ""},
		{"nothing locates", nil, nil, nil, ""},
		{"panic", func(tool.Spec, tool.Call) []tool.Place { panic("no") }, nil, nil, "check_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []tool.Place
			var asked []string
			d, _ := door(t, run.DispatcherOptions{
				Locate: tt.locate,
				Decide: func(r policy.Request) policy.Decision { asked = r.Places["/d/way"]; return allow },
			}, newTool(func(_ context.Context, c tool.Call) (tool.Result, error) {
				got = c.Places
				return tool.OK(nil), nil
			}))
			c := call(hi)
			c.Places = []tool.Place{{Path: "/d/way", Real: "/forged", Entry: "/forged"}} // from a caller
			result, _ := d.Dispatch(t.Context(), c)
			if code := codeOf(result.Error); code != tt.code {
				t.Fatal(result.Error)
			}
			if !slices.Equal(got, tt.want) || !slices.Equal(asked, tt.asked) {
				t.Errorf("the tool got %v, policy %v", got, asked)
			}
		})
	}
}
