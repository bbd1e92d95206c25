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
// of their cures. A module with a "*" at its end is a prefix, and so is a name.
var foreignImports = []struct{ module, name, fix string }{
	{"env", "abort", "module.compile_without_abort"},
	{"wasi_unstable", "", "module.built_for_old_wasi"},
	{"wasi", "thread-spawn", "module.build_without_threads"},
	{"wasi_snapshot_preview2", "", "module.built_for_wasi_2"},
	{"wasi:*", "", "module.built_for_wasi_2"},
	{"cm32p2*", "", "module.built_for_wasi_2"},
	{"[export]*", "", "module.built_for_wasi_2"},
	{"$root", "", "module.built_for_wasi_2"},
	{"GOT.*", "", "module.link_statically"},
	{"env", "__memory_base", "module.link_statically"},
	{"env", "__table_base", "module.link_statically"},
	{"env", "__stack_pointer", "module.link_statically"},
	{"ghc_wasm_jsffi", "", "module.built_with_jsffi"},
	{"__wbindgen_*", "", "module.built_with_bindgen"},
	{"wbg", "", "module.built_with_bindgen"},
	{"gojs", "", "module.built_for_js"},
	{"go", "", "module.built_for_js"},
	{"javy_quickjs_provider*", "", "module.built_with_javy_provider"},
	{"env", "emscripten_", "module.built_with_emscripten"},
	{"env", "invoke_", "module.built_with_emscripten"},
	{"a", "", "module.built_with_emscripten"},
	{"env", "proxy_", "module.built_for_embedder"},
	{"wapc", "", "module.built_for_embedder"},
	{"fastly_*", "", "module.built_for_embedder"},
	{"shopify_function*", "", "module.built_for_embedder"},
	{"wasi_ephemeral_*", "", "module.built_for_embedder"},
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

// Fix returns the likely fix of an import's fault. It is zero for an import without a
// fault.
func (i Import) Fix() message.Message {
	switch want := i.HostType(); {
	case want != "" && want == i.Type:
		return message.Message{}
	case want != "":
		return i.retype()
	}
	if i.Kind == "memory" && i.Type == sharedMemory {
		return message.New("module.build_without_threads")
	}
	code := kindCures[i.Kind]
	for _, f := range foreignImports {
		prefix, isPrefix := strings.CutSuffix(f.module, "*")
		if (i.Module == f.module || isPrefix && strings.HasPrefix(i.Module, prefix)) && strings.HasPrefix(i.Name, f.name) {
			if code == "" || f.fix == "module.link_statically" { // which imports globals, tables and memories
				code = f.fix
			}
			break
		}
	}
	if code != "" {
		return message.New(code)
	}
	return message.New("module.link_definition", "extism", ExtismModule, "wasi", WASIModule)
}
