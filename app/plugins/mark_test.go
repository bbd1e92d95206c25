package plugins

import (
	"context"
	"slices"
	"testing"

	"errand/host/tool"
	"errand/host/wasm"
	"errand/host/wasm/manifest"
)

// TestMarkFindsTheNamedTool: a mark is for the tool with the module's own name, whatever
// Errand calls another one, and never for one of several.
func TestMarkFindsTheNamedTool(t *testing.T) {
	described := func(own, name string) wasm.DescribedTool {
		return wasm.DescribedTool{Tool: manifest.Tool{Name: name, Function: own, SideEffectClass: tool.Write}, Definition: own}
	}
	spaced := []wasm.DescribedTool{described("get issue", "gh.get-issue"), described("get-issue", "gh.get-issue-8ce06198")}
	nested := []wasm.DescribedTool{described("a b", "gh.x"), described("c d", "gh.gh.x")}
	for _, tt := range []struct {
		name   string
		tools  []wasm.DescribedTool
		mark   string
		marked string // the module's own name; "": an error
		code   string
	}{
		{"its own name", spaced, "get-issue", "get-issue", ""},
		{"another's own name", spaced, "get issue", "get issue", ""},
		{"Errand's name", spaced, "gh.get-issue", "get issue", ""},
		{"Errand's name without the id", spaced, "get-issue-8ce06198", "get-issue", ""},
		{"own name in another order", []wasm.DescribedTool{spaced[1], spaced[0]}, "get-issue", "get-issue", ""},
		{"own name like another's name", []wasm.DescribedTool{described("x", "gh.x"), described("gh.x", "gh.gh.x")}, "gh.x", "gh.x", ""},
		{"two names", nested, "gh.x", "", "ambiguous_tool"},
		{"no tool", spaced, "get", "", "unknown_tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ModuleRequest{ID: "gh", Reading: []string{tt.mark}}
			tools := slices.Clone(tt.tools)
			m, err := r.mark(t.Context(), "gh.wasm", tools)
			if err != nil {
				if e := tool.AsError(err); e.Code != tt.code {
					t.Errorf("error %v, want %q", err, tt.code)
				}
				return
			}
			if got := m.names(); !slices.Equal(got, []string{tt.marked}) {
				t.Errorf("marked %q, want %q", got, tt.marked)
			}
			for _, x := range tools {
				if (x.SideEffectClass == tool.Read) != (x.Function == tt.marked) {
					t.Errorf("%q is of class %s", x.Function, x.SideEffectClass)
				}
			}
		})
	}
	t.Run("chosen", func(t *testing.T) {
		tools := []wasm.DescribedTool{described("x", "gh.x"), described("gh.x", "gh.gh.x")}
		r := ModuleRequest{ID: "gh", Choose: func(context.Context, []ModuleTool) ([]string, error) { return []string{"gh.x"}, nil }}
		if m, err := r.mark(t.Context(), "gh.wasm", tools); err != nil || !slices.Equal(m.names(), []string{"x"}) {
			t.Errorf("marked %q, %v", m.names(), err)
		}
	})
	t.Run("kept", func(t *testing.T) {
		tools := []wasm.DescribedTool{described("x", "gh.x"), described("gh.x", "gh.gh.x")}
		r := ModuleRequest{ID: "gh", marked: map[string]string{"x": "x"}}
		if m, err := r.mark(t.Context(), "gh.wasm", tools); err != nil || !slices.Equal(m.names(), []string{"x"}) {
			t.Errorf("marked %q, %v", m.names(), err)
		}
	})
}
