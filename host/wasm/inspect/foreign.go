package inspect

import "strings"

// mistakes are what makes a module have of its own what isn't a function and a
// host may give it.
var mistakes = map[string]string{
	"memory": "build it with a memory of its own and without threads: clang and emcc without -Wl,--import-memory and -pthread," +
		" Rust with --target wasm32-wasip1 (not wasm32-wasip1-threads) and without -C link-arg=--import-memory, AssemblyScript without --importMemory",
	"table":  "build it with a table of its own: clang without -Wl,--import-table, Rust without -C link-arg=--import-table, AssemblyScript without --importTable",
	"global": "build a whole program and no part to be linked later: clang and emcc without -shared, -fPIC and -sSIDE_MODULE",
	"tag":    "build it without exceptions: clang and emcc with -fno-exceptions",
}

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

// retype is what makes an import have the type that its host wants.
func (i Import) retype() string {
	switch i.Module {
	case WASIModule:
		return "take the declaration of a WASI library (wasi-libc, the wasip1 crate), or declare it as " + i.Want()
	case ExtismModule:
		return "take the declaration of an Extism PDK of version 1.0 or newer, or declare it as " + i.Want() + ": offsets and lengths are of 64 bits"
	}
	return "declare it as " + i.Want()
}

// Cure says what is likely to help against an import that has a fault, "" for one
// that has none.
func (i Import) Cure() string {
	switch want := i.Want(); {
	case want != "" && want == i.Type:
		return ""
	case want != "":
		return i.retype()
	}
	if cure := mistakes[i.Kind]; cure != "" {
		return cure
	}
	for _, f := range foreign {
		if (i.Module == f.module || strings.HasSuffix(f.module, ":") && strings.HasPrefix(i.Module, f.module) ||
			strings.HasSuffix(f.module, "_") && strings.HasPrefix(i.Module, f.module)) && strings.HasPrefix(i.Name, f.name) {
			return f.cure
		}
	}
	return "link what defines it into the module, or build without it: plugins import functions of " + ExtismModule + " and " + WASIModule + " alone"
}
