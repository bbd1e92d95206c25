package engine

import (
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"errand/host/tool"
	"errand/host/wasm/extism"
	"errand/host/wasm/inspect"
)

// functions are what a plugin may import.
type functions struct {
	wasi map[string]api.FunctionDefinition
	abi  *extism.ABI
}

// function answers what a plugin may import by a name, nil where there is
// nothing. Other modules of the runtime are the host's own.
func (f functions) function(module, name string) api.FunctionDefinition {
	if module == inspect.WASIModule {
		return f.wasi[name]
	}
	return f.abi.Function(module, name)
}

// linkable says what is wrong with what a module imports.
func (f functions) linkable(i *inspect.Inspection) error {
	var missing []string
	cure := fmt.Sprintf("plugins import functions of %s and %s alone", inspect.ExtismModule, inspect.WASIModule)
	for _, imp := range i.Imports {
		var d api.FunctionDefinition
		if imp.Kind == "func" {
			d = f.function(imp.Module, imp.Name)
		}
		switch {
		case d == nil:
			missing = append(missing, fmt.Sprintf("%s %q %q", imp.Kind, imp.Module, imp.Name))
			if known := imp.Cure(); known != "" {
				cure = known
			}
		case signature(d) != imp.Type:
			return badModule("it imports %q %q as %s, which is %s", imp.Module, imp.Name, imp.Type, signature(d))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return missingImports(missing).WithHint("%s", cure)
}

func missingImports(names []string) *tool.Error {
	return unavailable("missing_imports", "it imports what this host does not have: %s", strings.Join(names, ", "))
}

// signature writes a function's type as an [inspect.Import] has it.
func signature(d api.FunctionDefinition) string {
	list := func(types []api.ValueType) string {
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = api.ValueTypeName(t)
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	return list(d.ParamTypes()) + " -> " + list(d.ResultTypes())
}
