// Package meter rewrites a WebAssembly module so that its host can stop it, count
// its instructions and restore its state.
//
// Go can't pre-empt a guest's machine code: an endless loop stops the garbage
// collector and with it the whole program. Therefore each function entry and each
// loop header subtracts the number of its instructions from a counter, the fuel.
// If the counter falls below zero, it calls the host, which grants more fuel or
// panics. The fuel used depends only on the guest, not on time or on the size of a
// grant.
//
// # Duties of the host
//
// The host exports the function [YieldName] of type (i64) -> (i64) from a module
// named [YieldModule] and links it to the instance. The function must do this:
//
//   - For the argument [TooDeep], panic: the guest's calls are nested too deep.
//   - Any other argument is the remaining fuel, zero or less. Return it plus the
//     next slice, or panic if the call was canceled or has used its budget. A slice
//     of about a million units costs almost nothing and usually takes less than a
//     millisecond; it takes many if each instruction misses the caches.
//
// A call has used all granted fuel, less the increase of the global [Module].Fuel
// during the call. Discard an instance that trapped or whose yield panicked,
// because its call depth is wrong.
//
// If the module has its own memory, [Module].Pages is the guest's size of it. The
// host must not grow that memory. To reset an instance, restore the memory and
// each of [Module].Globals from a snapshot, and zero the memory after the
// snapshot, because its pages will be used again.
//
// # Validation
//
// [Rewrite] does not check the types of operands. The rewritten module is valid if
// and only if the original is. Each edit has the same stack effect as the
// instruction that it replaces. Every index is checked against the original
// module, so that it can't refer to an addition. The compiler checks the rest, so
// the result must never run without compilation.
//
// The package does no I/O.
package meter
