package engine

import (
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"errand/build/must"
	"errand/host/wasm/inspect"
)

// TestOfferedWASI: what an inspection says of WASI is what a runtime has.
func TestOfferedWASI(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer r.Close(t.Context())
	must.Succeed(t, instantiateWASI(t.Context(), r))
	functions := r.Module(inspect.WASIModule).ExportedFunctionDefinitions()
	if len(functions) < 40 {
		t.Fatalf("WASI has %d functions", len(functions))
	}
	for name, d := range functions {
		list := func(types []api.ValueType) string {
			var names []string
			for _, t := range types {
				names = append(names, api.ValueTypeName(t))
			}
			return "(" + strings.Join(names, ", ") + ")"
		}
		if got, want := inspect.HostType(inspect.WASIModule, name), list(d.ParamTypes())+" -> "+list(d.ResultTypes()); got != want {
			t.Errorf("%s is offered as %q, and is %q", name, got, want)
		}
	}
}
