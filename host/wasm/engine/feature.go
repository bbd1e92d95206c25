package engine

import (
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"errand/host/wasm/meter"
)

// coreFeatures are what plugins may use of WebAssembly: what the rewriter knows.
//
// wazero runs a few things more, which can't be left to it: a guest that waits
// for a thread is never woken, not even by a cancel; an exception that a guest
// keeps is a pointer that the collector doesn't see; and its own check for the
// end of a context is at loops alone, which calls and calls in tail position do
// without.
const coreFeatures = api.CoreFeaturesV2 | experimental.CoreFeaturesTailCall | experimental.CoreFeaturesExtendedConst

// cures are compiler options that avoid a feature.
var cures = map[meter.Feature]string{
	meter.Threads: "build without threads: clang and emcc without -pthread and -matomics, Rust with --target wasm32-wasip1" +
		" and not wasm32-wasip1-threads, Zig with -fsingle-threaded, AssemblyScript without --enable threads",
	meter.Exceptions: "build without exceptions: clang and emcc with -fno-exceptions, without -fwasm-exceptions and -mllvm -wasm-enable-sjlj," +
		" Rust with -C panic=abort, AssemblyScript without --enable exception-handling",
	meter.ManyMemories:    "build with one memory: clang without -mmultimemory; modules that belong together are linked (wasm-ld) and not put beside each other (wasm-merge --enable-multimemory)",
	meter.Memory64:        "build for 32 bits: clang with --target=wasm32-wasi, emcc without -sMEMORY64, Rust with --target wasm32-wasip1, Zig with -target wasm32-wasi",
	meter.RelaxedSIMD:     "build without relaxed vector instructions: clang and emcc without -mrelaxed-simd, Rust without -C target-feature=+relaxed-simd",
	meter.TypedReferences: "build without typed references: clang without -mgc, wasm-opt with --disable-gc, AssemblyScript without --enable gc",
	meter.GC:              "build with a compiler that brings its own collector (those of Kotlin, Dart, Java and wasm_of_ocaml use a browser's), wasm-opt with --disable-gc, AssemblyScript without --enable gc",
	meter.OtherKind:       "build a core module: GOOS=wasip1 GOARCH=wasm for Go, --target wasm32-wasip1 for Rust",
}
