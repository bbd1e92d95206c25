package inspect

import "strings"

// foreign are imports of modules that were made for other hosts, and what makes
// a module for this one.
var foreign = []struct{ module, name, cure string }{
	{"env", "abort", "AssemblyScript's abort is imported: compile with --use abort="},
	{"wasi_unstable", "", "it was built for WASI of before preview 1: build it with a newer compiler"},
	{"wasi_snapshot_preview2", "", "it was built for WASI preview 2: build for preview 1 (Rust: --target wasm32-wasip1)"},
	{"wasi:", "", "it was built for WASI preview 2: build for preview 1 (Rust: --target wasm32-wasip1)"},
	{"__wbindgen_", "", "it was built with wasm-bindgen, for a page of a browser: build with --target wasm32-wasip1 and without it"},
	{"wbg", "", "it was built with wasm-bindgen, for a page of a browser: build with --target wasm32-wasip1 and without it"},
	{"gojs", "", "it was built with GOOS=js, for a page of a browser: build with GOOS=wasip1"},
	{"go", "", "it was built with GOOS=js, for a page of a browser: build with GOOS=wasip1"},
	{"env", "emscripten_", "it was built with Emscripten for JavaScript: build with clang --target=wasm32-wasi, or emcc -sSTANDALONE_WASM"},
	{"env", "invoke_", "it was built with Emscripten for JavaScript: build with clang --target=wasm32-wasi, or emcc -sSTANDALONE_WASM"},
	{"a", "", "it was built with Emscripten for JavaScript: build with clang --target=wasm32-wasi, or emcc -sSTANDALONE_WASM"},
	{"extism:host/user", "", "it asks for functions of another program, which is not this host: build it without them"},
	{"host", "", "it asks for functions of another program, which is not this host: build it without them"},
	{"env", "", "a function is declared and defined nowhere, so the linker left it to the host: link what defines it"},
	{ExtismModule, "", "its PDK may be newer than this host: update the program, or build with an older PDK"},
}

// Cure says what is likely to help against an import that a host doesn't have,
// "" where nothing is known.
func (i Import) Cure() string {
	for _, f := range foreign {
		if (i.Module == f.module || strings.HasSuffix(f.module, ":") && strings.HasPrefix(i.Module, f.module) ||
			strings.HasSuffix(f.module, "_") && strings.HasPrefix(i.Module, f.module)) && strings.HasPrefix(i.Name, f.name) {
			return f.cure
		}
	}
	return ""
}
