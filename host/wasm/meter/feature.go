package meter

import "errand/planner/message"

// Feature is a part of WebAssembly that the rewriter does not know. It knows WebAssembly 2.0,
// tail calls and extended constant expressions.
type Feature string

// Features by the names of their proposals, if they have one.
const (
	Threads         Feature = "threads"
	ManyMemories    Feature = "multi-memory"
	Memory64        Feature = "memory64"
	Exceptions      Feature = "exception-handling"
	RelaxedSIMD     Feature = "relaxed-simd"
	TypedReferences Feature = "function-references"
	GC              Feature = "gc"
	OtherKind       Feature = "component-model" // no core module of version 1
)

// rejectFeature returns the error for a feature. code names the use of it.
func (r *reader) rejectFeature(f Feature, code string) {
	r.setError(&Error{Kind: ErrUnsupported, Offset: r.pos, Reason: message.New(code), Feature: f})
}

// laterType returns the feature of a type code that [isValue] refuses, or "".
func laterType(c byte) (f Feature, code string) {
	switch {
	case c == 0x69, c == 0x74: // exnref, noexn
		return Exceptions, exceptions
	case c == 0x63, c == 0x64: // ref null, ref
		return TypedReferences, typedReferences
	case c >= 0x65 && c < 0x74:
		return GC, collection
	}
	return "", ""
}

// laterInstruction returns the feature of an opcode that is marked as later.
func laterInstruction(op byte) (f Feature, code string) {
	switch op {
	case 0x14, 0x15, 0xd4, 0xd5, 0xd6: // call_ref, return_call_ref, ref.as_non_null, br_on_null, br_on_non_null
		return TypedReferences, typedReferences
	case 0xd3, 0xfb: // ref.eq, all of the proposal
		return GC, collection
	case 0xfe:
		return Threads, "module.uses_atomics"
	}
	return Exceptions, exceptions // try, catch, throw, rethrow, throw_ref, delegate, catch_all, try_table
}

// Codes of the uses of features.
const (
	exceptions      = "module.uses_exceptions"
	typedReferences = "module.uses_typed_references"
	collection      = "module.uses_gc_types"
)
