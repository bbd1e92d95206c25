package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"errand/host/tool"
)

// TestRegistry: the tools of all sources, in the order of their registration,
// each time as they are then.
func TestRegistry(t *testing.T) {
	named := func(name string) tool.Tool {
		return tool.Func(tool.Spec{Name: name, ArgsSchema: json.RawMessage(`{}`), SideEffectClass: tool.Read, Effect: tool.EffectRead}, nil)
	}
	var broken error
	plugged := []tool.Tool{named("c")}
	var r, inner tool.Registry
	inner.Register(tool.SourceFunc(func(context.Context) ([]tool.Tool, error) { return plugged, broken }))
	r.Register(tool.SourceFunc(func(context.Context) ([]tool.Tool, error) { return []tool.Tool{named("b"), named("a")}, nil }), &inner)
	names := func() string {
		tools, err := r.Tools(t.Context())
		if err != nil {
			return err.Error()
		}
		all := ""
		for _, x := range tools {
			all += x.Spec().Name
		}
		return all
	}
	if got := names(); got != "bac" {
		t.Errorf("tools %s, want bac", got)
	}
	plugged = append(plugged, named("d"))
	if got := names(); got != "bacd" {
		t.Errorf("tools %s, want bacd", got)
	}
	broken = errors.New("it is unplugged")
	if got := names(); got != broken.Error() {
		t.Errorf("tools %s, want %v", got, broken)
	}
}
