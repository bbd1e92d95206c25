package inspect

import (
	"strings"

	"errand/planner/message"
)

// kindCures has the codes of the cures for imports that are not functions, by kind.
var kindCures = map[string]string{
	"memory": "module.build_with_own_memory",
	"table":  "module.build_with_own_table",
	"global": "module.build_whole_program",
	"tag":    "module.build_without_exceptions",
}

// foreignImports has imports of modules that were built for other hosts, with the codes
// of their cures.
var foreignImports = []struct{ module, name, cure string }{
	{"env", "abort", "module.compile_without_abort"},
	{"wasi_unstable", "", "module.built_for_old_wasi"},
	{"wasi_snapshot_preview2", "", "module.built_for_wasi_2"},
	{"wasi:", "", "module.built_for_wasi_2"},
	{"__wbindgen_", "", "module.built_with_bindgen"},
	{"wbg", "", "module.built_with_bindgen"},
	{"gojs", "", "module.built_for_js"},
	{"go", "", "module.built_for_js"},
	{"env", "emscripten_", "module.built_with_emscripten"},
	{"env", "invoke_", "module.built_with_emscripten"},
	{"a", "", "module.built_with_emscripten"},
	{"extism:host/user", "", "module.built_for_other_host"},
	{"host", "", "module.built_for_other_host"},
	{"env", "", "module.function_not_linked"},
	{ExtismModule, "", "module.newer_pdk"},
}

// retype returns how to give the import the type that the host has.
func (i Import) retype() message.Message {
	switch i.Module {
	case WASIModule:
		return message.New("module.declare_as_wasi", "type", i.HostType())
	case ExtismModule:
		return message.New("module.declare_as_extism", "type", i.HostType())
	}
	return message.New("module.declare_as", "type", i.HostType())
}

// Cure returns the likely fix of an import's fault. It is zero for an import without a
// fault.
func (i Import) Cure() message.Message {
	switch want := i.HostType(); {
	case want != "" && want == i.Type:
		return message.Message{}
	case want != "":
		return i.retype()
	}
	if code := kindCures[i.Kind]; code != "" {
		return message.New(code)
	}
	for _, f := range foreignImports {
		if (i.Module == f.module || strings.HasSuffix(f.module, ":") && strings.HasPrefix(i.Module, f.module) ||
			strings.HasSuffix(f.module, "_") && strings.HasPrefix(i.Module, f.module)) && strings.HasPrefix(i.Name, f.name) {
			return message.New(f.cure)
		}
	}
	return message.New("module.link_definition", "extism", ExtismModule, "wasi", WASIModule)
}
