// Package meter rewrites a WebAssembly module so that its host can stop it,
// count what it does, and bring its state back.
//
// A guest's machine code can't be pre-empted by Go: one endless loop stops the
// garbage collector and with it the whole program. So each function entry and
// each loop header takes the instructions that it stands for from a counter,
// the fuel, and calls the host when the counter falls below zero. The host
// grants more or panics. What is used up depends on the guest alone, never on
// time or on how much was granted at once.
//
// # What the host must do
//
// Export the function [YieldName] of type (i64) -> (i64) from a module named
// [YieldModule], link it to the instance, and in it:
//
//   - for an argument of [TooDeep]: panic; the guest's calls are nested too deep.
//   - else the argument is the fuel that is left, zero or less: answer that plus
//     the next slice, or panic where the call was cancelled or has had its budget.
//     About a million units a slice costs nothing measurable and is mostly less
//     than a millisecond; where each instruction misses the caches it is many.
//
// What a call has used is all that was granted, less the rise of the global
// [Module].Fuel from before the call to after it. An instance that trapped, or
// whose yield panicked, must be thrown away: its depth of calls is off.
//
// Where the module has a memory of its own, [Module].Pages is its size for the
// guest. The host must not grow that memory itself. To reset an instance, write
// back the memory and each of [Module].Globals from a snapshot, and zero what
// lies behind the snapshot: the pages are handed out again.
//
// # What is not checked here
//
// [Rewrite] does not check the types of operands. It keeps a module as valid or
// invalid as it was: each edit takes and leaves what the instruction that it
// replaces did, and every index that a module names is checked against the
// module as it came, so that none can name what was added. Whoever compiles the
// result checks the rest; it must never be run uncompiled.
//
// The package is pure: it reads bytes and answers bytes.
package meter
