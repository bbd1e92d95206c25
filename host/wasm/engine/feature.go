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

// cures are the codes of compiler options that avoid a feature.
var cures = map[meter.Feature]string{
	meter.Threads:         "module.build_without_threads",
	meter.Exceptions:      "module.build_without_any_exceptions",
	meter.ManyMemories:    "module.build_with_one_memory",
	meter.Memory64:        "module.build_for_32_bits",
	meter.RelaxedSIMD:     "module.build_without_relaxed_simd",
	meter.TypedReferences: "module.build_without_typed_references",
	meter.GC:              "module.build_without_gc_types",
	meter.OtherKind:       "module.build_core_module",
}
