package fit_test

import (
	"strings"
	"testing"

	"errand/app/i18n"
	"errand/host/wasm/fit"
	"errand/host/wasm/inspect"
	"errand/host/wasm/manifest"
	"errand/planner/message"
)

// TestCheck: whatever keeps a module from being the manifest's is told before it
// is called, with who wants what, and what would help.
func TestCheck(t *testing.T) {
	const plain, coded, taking = "() -> ()", "() -> (i32)", "(i32) -> (i32)"
	module := func(exports map[string]string, imports ...inspect.Import) inspect.Inspection {
		i := inspect.Inspection{ABI: inspect.Unknown, Imports: imports}
		for name, typ := range exports {
			i.Exports = append(i.Exports, inspect.Export{Name: name, Kind: "func", Type: typ})
		}
		return i
	}
	plugin := func(abi manifest.ABI, more func(*manifest.Manifest)) *manifest.Manifest {
		m := &manifest.Manifest{ID: "a", ABI: abi, Limits: manifest.Limits{Memory: 64 << 20}, Tools: []manifest.Tool{{Name: "a.b", Function: "b"}}}
		if more != nil {
			more(m)
		}
		return m
	}
	starting := func(i inspect.Inspection, bytes uint64) inspect.Inspection {
		i.Memory = &inspect.Memory{Min: bytes}
		return i
	}
	lib := inspect.Import{Module: "lib", Name: "f", Kind: "func", Type: plain, Fault: message.New("module.import_not_offered")}
	tests := []struct {
		name     string
		manifest *manifest.Manifest
		module   inspect.Inspection
		code     string // "": it fits
		says     string
	}{
		{"a function without an answer", plugin(manifest.Extism, nil), module(map[string]string{"b": plain}), "", ""},
		{"a function with an exit code", plugin(manifest.Extism, nil), module(map[string]string{"b": coded, "helper": taking}), "", ""},
		{"a tool's function takes a value", plugin(manifest.Extism, nil), module(map[string]string{"b": taking}), "bad_signature", `its function "b", which tool a.b names, has the type (i32) -> (i32)`},
		{"a tool's function answers 64 bits", plugin(manifest.Extism, nil), module(map[string]string{"b": "() -> (i64)"}), "bad_signature", "has the type () -> (i64)"},
		{"a tool's function answers two", plugin(manifest.Extism, nil), module(map[string]string{"b": "() -> (i32, i32)"}), "bad_signature", "has the type () -> (i32, i32)"},
		{"a tool's function is not there", plugin(manifest.Extism, nil), module(map[string]string{"c": coded, "d": taking}), "no_such_function", `has no function "b", which tool a.b names`},
		{"the warm-up takes a value", plugin(manifest.Extism, func(m *manifest.Manifest) { m.Warmup = "w" }), module(map[string]string{"b": plain, "w": taking}), "bad_signature", `"w", which warmup names, has the type`},
		{"what reconciles takes a value", plugin(manifest.Extism, func(m *manifest.Manifest) { m.Tools[0].Reconcile = "r" }), module(map[string]string{"b": plain, "r": taking}), "bad_signature", `"r", which reconciles tool a.b, has the type`},
		{"a command's main takes a value", plugin(manifest.WASI, nil), module(map[string]string{"_start": taking}), "bad_signature", `its function "_start" has the type (i32) -> (i32)`},
		{"a command", plugin(manifest.WASI, nil), module(map[string]string{"_start": plain}), "", ""},
		{"a command imports what there isn't", plugin(manifest.WASI, nil), module(map[string]string{"_start": plain}, lib), "missing_imports", `a/m.wasm: it imports functions that this host does not have: func "lib" "f" () -> ()`},
		{"a plugin of hyper-mcp whose functions take values", plugin(manifest.HyperMCP, nil), module(map[string]string{"describe": taking, "call": taking}), "wrong_abi", "not a plugin of hyper-mcp"},
		{"a plugin of hyper-mcp imports what there isn't", plugin(manifest.HyperMCP, nil), module(map[string]string{"describe": coded, "call": coded}, lib), "missing_imports", `"lib" "f"`},
		{"it starts with more memory than it may have", plugin(manifest.Extism, nil), starting(module(map[string]string{"b": coded}), 64<<20+1), "memory_limit", "plugin a needs more than its memory limit of 64MiB: it starts with 67108865 bytes"},
		{"it starts with as much as it may have", plugin(manifest.Extism, nil), starting(module(map[string]string{"b": coded}), 64<<20), "", ""},
		{"more imports than anyone reads", plugin(manifest.Extism, nil), module(map[string]string{"b": coded}, lib, lib, lib, lib, lib, lib, lib), "missing_imports", "and 2 more, which errand plugin inspect lists"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := fit.Check(tt.manifest, &tt.module, "a/m.wasm")
			if tt.code == "" {
				if e != nil {
					t.Error(e)
				}
				return
			}
			if e == nil || e.Code != tt.code || !strings.Contains(i18n.English().Text(e.Message), tt.says) || !strings.HasPrefix(strings.TrimPrefix(i18n.English().Text(e.Message), "plugin "), "a") || e.Hint.IsZero() || e.Retriable {
				t.Errorf("%+v, want %s with %q", e, tt.code, tt.says)
			}
			if e != nil && e.Code == "no_such_function" && i18n.English().Text(e.Hint) != "it has c" {
				t.Errorf("it hints at %q: only what can be called helps", i18n.English().Text(e.Hint))
			}
		})
	}
}

// TestHintNames: what a module has is told so that each name can be seen.
func TestHintNames(t *testing.T) {
	var m inspect.Inspection
	for _, name := range []string{"", "a b", "x,y", "ok", "é"} {
		m.Exports = append(m.Exports, inspect.Export{Name: name, Kind: "func", Type: "() -> (i32)"})
	}
	e := fit.Function(&m, message.Verbatim("m.wasm"), "nope")
	if e == nil {
		t.Fatal("a function that isn't there can be called")
	}
	for _, name := range []string{`""`, `"a b"`, `"x,y"`, " ok", " é"} {
		if !strings.Contains(i18n.English().Text(e.Hint), name) {
			t.Errorf("%s does not tell of %s", i18n.English().Text(e.Hint), name)
		}
	}
}
